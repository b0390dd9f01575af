/**
 * The steps of a revert (§4.9).
 *
 * A function that began before a step may still be running after it. So nothing is removed until all that began before the
 * gate was closed have ended, and the gate is not opened until all that worked have: each time the processor's time-out and a
 * margin later, counted from when the write before it was acknowledged.
 */
import { chunkMessages, revertMessage } from '../jobs/queue.ts';
import { REVERT_DUE_MS, missingChunks, sendOwedEvent } from '../imports/lifecycle.ts';
import { revertCounts, sumOfCounts } from './report.ts';
import { nameOf } from './store.ts';
import type { Revert, RevertPhase } from './store.ts';
import { giveOwn, takeBack } from './work.ts';
import type { ImportServices } from '../imports/services.ts';
import { type HasTime, bringForward, fenceMs } from '../jobs/steps.ts';
import { instant } from '../records/instants.ts';
import { METRIC } from '../runtime/metric-names.ts';
import { batchesOf, inParallel } from '../runtime/batching.ts';
import { PROCESSOR_TIMEOUT_SECONDS } from '../shared/limits.ts';
import type { ImportItem, RevertSubject } from '../shared/model.ts';

export const FENCE_MS = fenceMs(PROCESSOR_TIMEOUT_SECONDS);
const AT_ONCE = 16;
const IMPORTS_IN_A_STEP = 200;

/** Brings a revert forward as far as it can. The rest is sent as a message, or left to the watchdog. */
export async function continueRevert(subject: RevertSubject, hop: number, services: ImportServices): Promise<void> {
  const message = (next: number, waitMs: number) => revertMessage(subject, next, waitMs);
  const step = async (revert: Revert, hasTime: HasTime): Promise<Revert | undefined> =>
    revert.phase === 'done' ? undefined : STEPS[revert.phase](revert, services, hasTime);
  await bringForward({ work: await services.stores.reverts.read(subject), step, hop, message }, services);
}

/** Takes one step. Returns the revert after it; `undefined` where somebody else is at it, or it has to wait for another. */
type StepOf = (revert: Revert, services: ImportServices, hasTime: HasTime) => Promise<Revert | undefined>;

const STEPS: Readonly<Record<Exclude<RevertPhase, 'done'>, StepOf>> = {
  async waiting(revert, services) {
    const { company_id } = revert.subject;
    const { reverts } = services.stores;
    // Whoever tried to close the gate for this revert may not have ended: it is opened after that, if it is ours then.
    if (await isRevertedAlready(revert, services)) return moved(revert, { phase: 'leaving' }, services);
    const isHeld = await reverts.takeGate(company_id, nameOf(revert.subject));
    if (isHeld) return moved(revert, { phase: 'closing', until: afterFence(services) }, services);
    await moved(revert, {}, services);
    return undefined;
  },

  closing: (revert, services) => moved(revert, { phase: 'giving' }, services),

  async giving(revert, services, hasTime) {
    const item = await importAt(revert, services);
    if (item === undefined) return moved(revert, { phase: 'removing', at: 0 }, services);
    const isDone =
      item.reverted_at !== null || (await giveOwn(item, new Set(revert.imports), services.stores, hasTime));
    return moved(revert, isDone ? { at: revert.at + 1 } : {}, services);
  },

  async removing(revert, services) {
    const item = await importAt(revert, services);
    if (item === undefined) return moved(revert, { phase: 'leaving' }, services);
    // Since it was reverted on its own, its ids may have been bound again.
    const report =
      item.reverted_at === null
        ? await takeBack(item, new Set(revert.imports), services.stores)
        : await services.stores.reverts.readReport(item);
    const counts = sumOfCounts(revert.counts, revertCounts(report?.records ?? []));
    return moved(revert, { at: revert.at + 1, counts }, services);
  },

  leaving: (revert, services) => moved(revert, { phase: 'opening', at: 0, until: afterFence(services) }, services),

  async opening(revert, services) {
    const { reverts } = services.stores;
    const next = importsAt(revert);
    await inParallel(next, AT_ONCE, (import_id) => markReverted(revert, import_id, services));
    if (next.length > 0) return moved(revert, { at: revert.at + next.length }, services);
    await reverts.openGate(revert.subject.company_id, nameOf(revert.subject));
    return moved(revert, { phase: 'opened', at: 0 }, services);
  },

  async opened(revert, services) {
    const { company_id } = revert.subject;
    const { clock, stores } = services;
    if (revert.at === 0) await sendWhatWaited(company_id, services);
    const next = importsAt(revert);
    await inParallel(next, AT_ONCE, async (import_id) => {
      const item = await stores.imports.read(company_id, import_id);
      if (item?.due_at !== undefined) await sendOwedEvent(item, services);
    });
    if (next.length > 0) return moved(revert, { at: revert.at + next.length }, services);
    return moved(revert, { phase: 'done', completed_at: instant(clock.nowMs()) }, services);
  },
};

/** The imports that are next, as many as a small part of an invocation is enough for. */
function importsAt({ imports, at }: Revert): readonly string[] {
  return imports.slice(at, at + IMPORTS_IN_A_STEP);
}

/** The import that is next; `undefined` where none is left. */
async function importAt({ subject, imports, at }: Revert, { stores }: ImportServices): Promise<ImportItem | undefined> {
  const import_id = imports[at];
  if (import_id === undefined) return undefined;
  const item = await stores.imports.read(subject.company_id, import_id);
  if (item === undefined) throw new Error('An import that is reverted is missing.');
  return item;
}

/** Only now: the fence is counted from when what was written before it was acknowledged. */
function afterFence({ clock }: ImportServices): string {
  return instant(clock.nowMs() + FENCE_MS);
}

/** Stores the step, and when the watchdog looks if nothing comes of it. */
function moved(revert: Revert, change: Partial<Revert>, { clock, stores }: ImportServices) {
  const nextMs = change.until === undefined ? clock.nowMs() : Date.parse(change.until);
  return stores.reverts.advance(revert, { ...change, resends: 0, due_at: instant(nextMs + REVERT_DUE_MS) });
}

/** The import was part of a run that was reverted meanwhile. */
async function isRevertedAlready({ subject, imports }: Revert, { stores }: ImportServices): Promise<boolean> {
  const items = await inParallel(imports, AT_ONCE, (import_id) => stores.imports.read(subject.company_id, import_id));
  return items.every((item) => item?.reverted_at !== null);
}

/** An import of a run can be asked for its own report. */
async function markReverted(revert: Revert, import_id: string, services: ImportServices): Promise<void> {
  const { clock, stores, telemetry } = services;
  const { company_id } = revert.subject;
  const { due_at: _, until: __, ...rest } = revert;
  if ('run_id' in revert.subject) {
    const subject = { company_id, import_id };
    await stores.reverts.request({ ...rest, subject, imports: [import_id], phase: 'done', version: 0 });
  }
  const now = instant(clock.nowMs());
  const item = await stores.imports.read(company_id, import_id);
  if (item === undefined || item.reverted_at !== null) return;
  if (await stores.imports.markReverted(item, now)) telemetry.count(METRIC.importsReverted);
}

/** Chunks whose messages came while the gate was closed. The watchdog sends what is not listed yet. */
export async function sendWhatWaited(
  company_id: string,
  { stores: { imports }, queue }: ImportServices,
): Promise<void> {
  const open = await imports.listOpen();
  const own = open.filter(
    (each) => each.company_id === company_id && each.revert === undefined && each.erasure_id === undefined,
  );
  for (const some of batchesOf(own, AT_ONCE)) {
    const items = await Promise.all(some.map(({ import_id }) => imports.read(company_id, import_id)));
    const waiting = items.filter((item) => item !== undefined).filter(({ status }) => status === 'processing');
    await queue.send(waiting.flatMap((item) => chunkMessages(item, missingChunks(item))));
  }
}
