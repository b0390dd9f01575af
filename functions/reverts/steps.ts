/**
 * The steps of a revert (§4.9). Nothing is removed until all invocations that started before the gate was closed have ended: a
 * fence. One invocation at a time works for a revert (`takeSteps`), so the gate is opened without a wait. Reverts that wait share
 * one closing.
 */
import { sendOwedEvent } from '../imports/lifecycle.ts';
import { resendWaiting } from '../imports/watch.ts';
import { withImport } from './report.ts';
import type { Revert, RevertPhase, RevertReport } from './store.ts';
import { firstLeftOfRun, nextOfRun, partOfRun, these, type Together } from './together.ts';
import { previewRevert, removeImports, replaceReliances, type RevertServices, type RevertingStores } from './work.ts';
import { sendOwed, type Notices } from '../jobs/owed.ts';
import { STEP_DUE_MS, TURN_OVER, fenceMs, leftMs, takeSteps, type StepTools } from '../jobs/steps.ts';
import { holderName, holderNamed, type Message, type RevertWork } from '../jobs/work.ts';
import { instant, latestOf } from '../records/instants.ts';
import { countWithPoints } from '../runtime/metrics.ts';
import { inParallel } from '../runtime/batching.ts';
import { PROCESSOR_TIMEOUT_SECONDS } from '../shared/limits.ts';
import type { ImportItem, Instant, RevertSubject, RunIds } from '../shared/model.ts';

/** After this time, every processor that started a chunk before the gate closed has ended. */
export const FENCE_MS = fenceMs(PROCESSOR_TIMEOUT_SECONDS);
/** Between two looks at an import that a later request covers and that is still processing. */
const PROCESSING_MS = 30_000;
const AT_ONCE = 16;
/** As many imports as a small part of an invocation is enough for: to mark them, and to preview them. */
const IMPORTS_MARKED = 200;
const IMPORTS_PREVIEWED = 16;
/** Read at once, and taken back at once. Their records, 2,000 at most, are a small part of an invocation's time and memory. */
const IMPORTS_AT_ONCE = 4;
const PREVIEWED_AT_ONCE = 4;

/** Brings a revert forward as far as it can, then those that get the gate after it. */
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
  let hasLeftGate = state?.phase === 'done';
  // Nothing gives it the gate then; but a gate that stays closed would stop the company.
  if (hasLeftGate) await passGate(message.subject, services);
  const together = state && togetherWith(state, services.stores);
  const step = async (revert: Revert, tools: StepTools<Revert>): Promise<Revert | undefined> => {
    if (revert.phase === 'done' || together === undefined) return undefined;
    hasLeftGate = revert.phase === 'opened';
    const next = await STEPS[revert.phase](revert, services, { ...tools, together });
    return next?.phase === 'done' ? undefined : next;
  };
  if (!hasLeftGate) await takeSteps(message, { state, step, advance, fenceMs: FENCE_MS, startedMs }, services);
  return hasLeftGate ? nextAtGate(message, services) : undefined;
}

/** The revert that has the gate now, if one has it. An erasure that has it is sent a message. */
async function nextAtGate(
  { subject: { company_id }, hops }: Message<RevertWork>,
  { stores, queue }: RevertServices,
): Promise<Message<RevertWork> | undefined> {
  const { by } = await stores.jobs.readGate(company_id);
  if (by === undefined) return undefined;
  const work = holderNamed(company_id, by);
  if (work.kind === 'revert') return { ...work, hops };
  await queue.send([{ ...work, hops: hops + 1 }]);
  return undefined;
}

type WatchingServices = Pick<RevertServices, 'clock' | 'queue'> & {
  readonly notices: Notices;
  readonly stores: Pick<RevertingStores, 'reverts'>;
};

/**
 * Sends a revert that is due, or what its run owes after it. A resend is counted before it is sent, as of chunks, unless an invocation
 * works on the revert: then the message waits for its turn.
 */
export async function watchRevert(work: RevertWork, services: WatchingServices): Promise<undefined> {
  const { clock, queue, stores, notices } = services;
  const { kind, subject } = work;
  const revert = await stores.reverts.read(subject);
  if (revert === undefined) return;
  if (revert.phase === 'done') {
    const settle = (told: Revert) => stores.reverts.settle(told, false);
    const of = revert.completed_at ?? '';
    if (subject.kind === 'run') await sendOwed(revert, { run: subject, of }, { notices, settle });
    return;
  }
  const due_at = instant(clock.nowMs() + STEP_DUE_MS);
  const isNoted =
    leftMs(revert, clock) > 0
      ? await stores.reverts.postpone(revert, due_at)
      : await stores.reverts.advance(revert, { resends: revert.resends + 1, due_at });
  if (isNoted) await queue.send([{ kind, subject, hops: 0 }]);
}

type Tools = StepTools<Revert> & { readonly together: Together };
type StepOf = (revert: Revert, services: RevertServices, tools: Tools) => Promise<Revert | undefined>;

const closeGate: StepOf = async (revert, { stores }, { move, afterFence }) => {
  const isHeld = await stores.jobs.takeGate(revert.subject.company_id, nameOf(revert.subject));
  if (!isHeld) {
    await move(revert, TURN_OVER);
    return undefined;
  }
  // The import was part of a run that was reverted meanwhile.
  const [item] = revert.subject.kind === 'import' ? await importsAfter(revert, stores, 1) : [];
  if (item !== undefined && item.reverted_at !== null) return move(revert, { phase: 'opening', after: placeIn(item) });
  return move(revert, { phase: 'closing', until: afterFence() });
};

const STEPS: Readonly<Record<Exclude<RevertPhase, 'done'>, StepOf>> = {
  waiting: closeGate,
  again: closeGate,

  closing: (revert, _, { move }) => move(revert, { phase: 'giving' }),

  async giving(revert, { stores }, { move, hasTime, together }) {
    const items = await importsAfter(revert, stores, IMPORTS_AT_ONCE);
    if (items.length === 0) return move(revert, { phase: 'removing', after: undefined });
    let current: Revert | undefined = revert;
    for (const item of items) {
      const isDone = item.reverted_at !== null || (await replaceReliances(item, together, stores, hasTime));
      current = await move(current, isDone ? { after: placeIn(item) } : {});
      if (current === undefined || !isDone) break;
    }
    return current;
  },

  async removing(revert, { stores }, { move, together }) {
    const items = await importsAfter(revert, stores, IMPORTS_AT_ONCE);
    const last = items.at(-1);
    if (last === undefined) return move(revert, { phase: 'opening', after: undefined });
    const reports = await removeImports(revert.subject.company_id, items, together, stores);
    return move(revert, { after: placeIn(last), counts: withImports(revert.counts, reports) });
  },

  async opening(revert, services, { move }) {
    const items = await importsAfter(revert, services.stores, IMPORTS_MARKED);
    await inParallel(items, AT_ONCE, (item) => markReverted(revert, item, services));
    const last = items.at(-1);
    if (last !== undefined && revert.subject.kind === 'run') return move(revert, { after: placeIn(last) });
    await passGate(revert.subject, services);
    return move(revert, { phase: 'opened', after: undefined });
  },

  async opened(opened, services, { move }) {
    const { subject } = opened;
    const { clock, stores } = services;
    // Another revert that has the gate sends what waits when it opens it.
    const isOpen = (await stores.jobs.readGate(subject.company_id)).by === undefined;
    if (isOpen) await resendWaiting(subject.company_id, services);
    if (subject.kind === 'import') return stores.reverts.finish(opened, instant(clock.nowMs()));
    const revert = await stores.reverts.read(subject);
    if (revert?.version !== opened.version) return undefined;
    const change = await changeIfLeft(subject, revert, services);
    if (change === undefined) return (await stores.reverts.finish(revert, instant(clock.nowMs()))) ?? revert;
    const moved = await move(revert, change);
    if (change.phase !== 'again' || moved === undefined) return moved;
    await services.queue.send([{ kind: 'revert', subject, hops: 0 }]);
    return undefined;
  },

  async previewing(revert, { clock, stores }, { move, together }) {
    const items = await importsAfter(revert, stores, IMPORTS_PREVIEWED);
    const last = items.at(-1);
    if (last === undefined) return stores.reverts.finish(revert, instant(clock.nowMs()));
    const reports = await inParallel(items, PREVIEWED_AT_ONCE, (item) => previewRevert(item, together, stores));
    return move(revert, { after: placeIn(last), counts: withImports(revert.counts, reports) });
  },
};

/** What comes after a revert of a run opened the gate: a wait, or another round. `undefined` if no import is left that it covers. */
async function changeIfLeft(
  run: RunIds,
  { covers }: Revert,
  { clock, stores }: RevertServices,
): Promise<Partial<Revert> | undefined> {
  const nowMs = clock.nowMs();
  if (shownAt(covers) > instant(nowMs)) return { until: shownAt(covers) };
  const left = await firstLeftOfRun(run, covers, stores.imports);
  if (left === undefined) return undefined;
  if (left.completed_at === null) return { until: instant(nowMs + PROCESSING_MS) };
  const ended_by = latestOf([instant(nowMs), left.completed_at]);
  return { phase: 'again', accepted_by: covers, ended_by, after: undefined, ...TURN_OVER };
}

const nameOf = (subject: RevertSubject): string => holderName({ kind: 'revert', subject });
const placeIn = ({ created_at, import_id }: ImportItem) => ({ created_at, import_id });
/** When the index of a run shows all that was written by then. Each revert of a run waits so long, most of them at the closed gate. */
const shownAt = (by: Instant): Instant => instant(Date.parse(by) + FENCE_MS);

/** Passes the gate on, or opens it. A revert that gets it needs no fence: the gate was closed all the time. */
async function passGate(subject: RevertSubject, { clock, stores }: RevertServices): Promise<void> {
  const { company_id } = subject;
  const holder = await stores.jobs.passGate(company_id, nameOf(subject), true);
  const work = holder === undefined ? undefined : holderNamed(company_id, holder);
  if (work?.kind !== 'revert') return;
  const revert = await stores.reverts.read(work.subject);
  if (revert?.phase !== 'waiting' && revert?.phase !== 'again') return;
  // Not before the turn of an invocation that looks whether the gate is open: it could take the gate after the work is done.
  const earliest = latestOf([instant(clock.nowMs()), revert.until ?? '']);
  const until = revert.subject.kind === 'run' ? latestOf([earliest, shownAt(revert.ended_by)]) : earliest;
  const due_at = instant(Date.parse(until) + STEP_DUE_MS);
  await stores.reverts.advance(revert, { phase: 'giving', due_at, until });
}

function togetherWith({ subject, accepted_by, ended_by }: Revert, { imports }: RevertingStores): Together {
  if (subject.kind === 'import') return these([subject.import_id]);
  return partOfRun({ ...subject, accepted_by, ended_by }, imports);
}

const withImports = (counts: Revert['counts'], reports: readonly RevertReport[]): Revert['counts'] =>
  reports.reduce((sum, { records }) => withImport(sum, records), counts);

/** The next imports of the revert, up to `most`; none at the end of a phase. */
async function importsAfter(
  { subject, after, accepted_by, ended_by }: Revert,
  { imports }: RevertingStores,
  most: number,
): Promise<readonly ImportItem[]> {
  if (subject.kind !== 'import') return nextOfRun({ ...subject, accepted_by, ended_by }, after, imports, most);
  return after === undefined ? imports.readAll(subject.company_id, [subject.import_id]) : [];
}

/** Marks an import as reverted, and sends its event. An import of a run gets a revert of its own, by which its report can be read. */
async function markReverted(revert: Revert, item: ImportItem, services: RevertServices): Promise<void> {
  const { clock, stores, telemetry } = services;
  const { due_at: _, until: __, after: ___, ...rest } = revert;
  if (revert.subject.kind === 'run') {
    const { company_id, import_id } = item;
    const subject = { kind: 'import', company_id, import_id } as const;
    await stores.reverts.putDone({ ...rest, subject, phase: 'done', version: 0 });
  }
  if (item.reverted_at === null && (await stores.reverts.markReverted(item, instant(clock.nowMs()))))
    countWithPoints(telemetry, 'ImportsReverted');
  const marked = await stores.imports.read(item);
  if (marked?.due_at !== undefined) await sendOwedEvent(marked, services);
}
