/**
 * The steps of a revert (§4.9).
 *
 * An invocation that started before a step may still be running after it. So nothing is removed until all invocations that
 * started before the gate was closed have ended: a wait of the processor's time-out plus a margin, from the acknowledgement of the
 * write that closed it. The gate is opened without a wait, because one invocation at a time works for a revert (`takeSteps`). Reverts
 * of a company that wait share this closing: each passes the gate to the next, which needs no fence.
 */
import { sendOwedEvent } from '../imports/lifecycle.ts';
import { resendWaiting } from '../imports/watch.ts';
import { revertCounts, sumOfCounts } from './report.ts';
import type { Revert, RevertPhase } from './store.ts';
import { removeImport, replaceReliances } from './work.ts';
import type { RevertServices, RevertingStores } from './work.ts';
import { STEP_DUE_MS, TURN_OVER, fenceMs, takeSteps } from '../jobs/steps.ts';
import type { StepTools } from '../jobs/steps.ts';
import { holderName, holderNamed } from '../jobs/work.ts';
import type { Message, RevertWork } from '../jobs/work.ts';
import { instant } from '../records/instants.ts';
import { importsReverted } from '../runtime/metrics.ts';
import { countWithPoints } from '../runtime/metric-names.ts';
import { inParallel } from '../runtime/batching.ts';
import { PROCESSOR_TIMEOUT_SECONDS } from '../shared/limits.ts';
import type { ImportItem, RevertSubject } from '../shared/model.ts';

export const FENCE_MS = fenceMs(PROCESSOR_TIMEOUT_SECONDS);
const AT_ONCE = 16;
const IMPORTS_IN_A_STEP = 200;

/**
 * Brings a revert forward as far as it can, and then those that get the gate after it. The rest is sent as a message, or left to the
 * watchdog.
 */
export async function continueRevert(message: Message<RevertWork>, services: RevertServices): Promise<void> {
  const startedMs = services.clock.nowMs();
  let current: Message<RevertWork> | undefined = message;
  while (current !== undefined) current = await continueOne(current, startedMs, services);
}

/** Returns the revert that has the gate after this one; `undefined` if this one is not done, or no revert has it. */
async function continueOne(
  message: Message<RevertWork>,
  startedMs: number,
  services: RevertServices,
): Promise<Message<RevertWork> | undefined> {
  const { read, advance } = services.stores.reverts;
  const state = await read(message.subject);
  let isDone = state?.phase === 'done';
  const step = async (revert: Revert, tools: Tools): Promise<Revert | undefined> => {
    if (revert.phase === 'done') return undefined;
    const next = await STEPS[revert.phase](revert, services, tools);
    isDone = next?.phase === 'done';
    return isDone ? undefined : next;
  };
  if (!isDone) await takeSteps(message, { state, step, advance, fenceMs: FENCE_MS, startedMs }, services);
  return isDone ? nextAtGate(message, services) : undefined;
}

/** The revert that has the gate after one that is done. An erasure that has it is sent a message. */
async function nextAtGate(
  { subject, hops }: Message<RevertWork>,
  services: RevertServices,
): Promise<Message<RevertWork> | undefined> {
  const { company_id } = subject;
  const { by } = await services.stores.jobs.readGate(company_id);
  // A revert that a former release finished may be given the gate, and passes it on.
  const holder = by === nameOf(subject) ? await passGate(subject, services) : by;
  if (holder === undefined) return undefined;
  const work = holderNamed(company_id, holder);
  if (work.kind === 'revert') return { ...work, hops };
  await services.queue.send([{ ...work, hops: hops + 1 }]);
  return undefined;
}

/** Sends a revert that is due again. Counted before it is sent, as chunks are. */
export async function watchRevert(
  { kind, subject }: RevertWork,
  {
    clock,
    stores,
    queue,
  }: Pick<RevertServices, 'clock' | 'queue'> & { readonly stores: Pick<RevertingStores, 'reverts'> },
): Promise<undefined> {
  const revert = await stores.reverts.read(subject);
  if (revert === undefined || revert.phase === 'done') return;
  const due_at = instant(clock.nowMs() + STEP_DUE_MS);
  const counted = await stores.reverts.advance(revert, { resends: revert.resends + 1, due_at });
  if (counted !== undefined) await queue.send([{ kind, subject, hops: 0 }]);
}

type Tools = StepTools<Revert>;
type StepOf = (revert: Revert, services: RevertServices, tools: Tools) => Promise<Revert | undefined>;

const STEPS: Readonly<Record<Exclude<RevertPhase, 'done'>, StepOf>> = {
  async waiting(revert, services, { move, afterFence }) {
    const isHeld = await services.stores.jobs.takeGate(revert.subject.company_id, nameOf(revert.subject));
    if (!isHeld) {
      await move(revert, TURN_OVER);
      return undefined;
    }
    if (await isRevertedAlready(revert, services)) return move(revert, { phase: 'opening', at: revert.imports.length });
    return move(revert, { phase: 'closing', until: afterFence(), turns: true });
  },

  closing: (revert, _, { move }) => move(revert, { phase: 'giving' }),

  async giving(revert, services, { move, hasTime }) {
    const item = await importAt(revert, services);
    if (item === undefined) return move(revert, { phase: 'removing', at: 0 });
    const isDone =
      item.reverted_at !== null || (await replaceReliances(item, new Set(revert.imports), services.stores, hasTime));
    return move(revert, isDone ? { at: revert.at + 1 } : {});
  },

  async removing(revert, { stores }, { move }) {
    const item = await importAt(revert, { stores });
    if (item === undefined) return move(revert, { phase: revert.turns === true ? 'opening' : 'leaving', at: 0 });
    // Since it was reverted on its own, its ids may have been bound again.
    const report =
      item.reverted_at === null
        ? await removeImport(item, new Set(revert.imports), stores)
        : await stores.reverts.readReport(item);
    const counts = sumOfCounts(revert.counts, revertCounts(report?.records ?? []));
    return move(revert, { at: revert.at + 1, counts });
  },

  leaving: (revert, _, { move, afterFence }) => move(revert, { phase: 'opening', at: 0, until: afterFence() }),

  async opening(revert, services, { move }) {
    const next = importsAt(revert);
    await inParallel(next, AT_ONCE, (import_id) => markReverted(revert, import_id, services));
    const at = revert.at + next.length;
    if (at < revert.imports.length) return move(revert, { at });
    await passGate(revert.subject, services);
    return move(revert, { phase: 'opened', at: 0 });
  },

  async opened(revert, services, { move }) {
    const { company_id } = revert.subject;
    const { clock, stores } = services;
    // Another revert that has the gate sends what waits when it opens it.
    const isOpen = revert.at === 0 && (await stores.jobs.readGate(company_id)).by === undefined;
    if (isOpen) await resendWaiting(company_id, services);
    const next = importsAt(revert);
    await inParallel(next, AT_ONCE, async (import_id) => {
      const item = await stores.imports.read(company_id, import_id);
      if (item?.due_at !== undefined) await sendOwedEvent(item, services);
    });
    const at = revert.at + next.length;
    if (at < revert.imports.length) return move(revert, { at });
    return move(revert, { phase: 'done', completed_at: instant(clock.nowMs()), turns: undefined });
  },
};

const nameOf = (subject: RevertSubject): string => holderName({ kind: 'revert', subject });

/**
 * Passes the gate to the one that waits longest, or opens it. A revert that gets it needs no fence: the gate was closed all the time.
 * Returns the new holder if this call passed it on.
 */
async function passGate(subject: RevertSubject, { clock, stores }: RevertServices): Promise<string | undefined> {
  const { company_id } = subject;
  const holder = await stores.jobs.passGate(company_id, nameOf(subject), true);
  const work = holder === undefined ? undefined : holderNamed(company_id, holder);
  if (work?.kind !== 'revert') return holder;
  const revert = await stores.reverts.read(work.subject);
  const due_at = instant(clock.nowMs() + STEP_DUE_MS);
  if (revert?.phase === 'waiting') await stores.reverts.advance(revert, { phase: 'giving', turns: true, due_at });
  return holder;
}

/** The next imports, as many as a small part of an invocation is enough for. */
function importsAt({ imports, at }: Revert): readonly string[] {
  return imports.slice(at, at + IMPORTS_IN_A_STEP);
}

/** The next import; `undefined` if none is left. */
async function importAt(
  { subject, imports, at }: Revert,
  { stores }: Pick<RevertServices, 'stores'>,
): Promise<ImportItem | undefined> {
  const import_id = imports[at];
  if (import_id === undefined) return undefined;
  const item = await stores.imports.read(subject.company_id, import_id);
  if (item === undefined) throw new Error('An import that is reverted is missing.');
  return item;
}

/** Whether the imports were part of a run that was reverted meanwhile. */
async function isRevertedAlready({ subject, imports }: Revert, { stores }: RevertServices): Promise<boolean> {
  const items = await inParallel(imports, AT_ONCE, (import_id) => stores.imports.read(subject.company_id, import_id));
  return items.every((item) => item?.reverted_at !== null);
}

/** Marks an import as reverted. An import of a run gets a revert of its own, by which its report can be read. */
async function markReverted(revert: Revert, import_id: string, services: RevertServices): Promise<void> {
  const { clock, stores, telemetry } = services;
  const { company_id } = revert.subject;
  const { due_at: _, until: __, ...rest } = revert;
  if (revert.subject.kind === 'run') {
    const subject = { kind: 'import', company_id, import_id } as const;
    await stores.reverts.putDone({ ...rest, subject, imports: [import_id], phase: 'done', version: 0 });
  }
  const now = instant(clock.nowMs());
  const item = await stores.imports.read(company_id, import_id);
  if (item === undefined || item.reverted_at !== null) return;
  if (await stores.reverts.markReverted(item, now)) countWithPoints(telemetry, importsReverted);
}
