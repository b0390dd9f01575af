/** An import's sequences over the real stores, on a table in memory, with a clock and a queue that the test moves. */
import { afterEach, beforeEach } from 'vitest';
import { acceptImport, type AcceptRequest } from '../../functions/imports/accept.ts';
import { fingerprintOf } from '../../functions/imports/idempotency-key.ts';
import { processChunk, type ProcessedChunk } from '../../functions/imports/process.ts';
import { requestImportRevert, requestRunRevert } from '../../functions/reverts/request.ts';
import { continueRevert } from '../../functions/reverts/steps.ts';
import { archivedNames } from '../../functions/records/archived.ts';
import { readResults } from '../../functions/imports/results.ts';
import { watcherOf } from '../../functions/handlers/watchdog.ts';
import { watchOpen } from '../../functions/jobs/open-work.ts';
import type { ImportItem, RevertSubject } from '../../functions/shared/model.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import { createWorld } from '../kit/world.ts';
import type { Observer } from '../kit/memory-table/memory-client.ts';
import { planted } from '../kit/planted.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export const COMPANY_ID = 'acme';
export const IMPORT_ID = 'abcdefghijklmnopqrstuvwxyz';
export const RUN = { company_id: COMPANY_ID, run_id: 'run' };
export const RUN_SUBJECT = { kind: 'run', ...RUN } as const;
export const ANN = { user_id: 7, platform_course_id: 101 };

/** A record about Ann, or another learner, in course 101. */
export const record = (external_record_id: string, email = 'ann@acme.test') => ({
  external_record_id,
  user: { email },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
});

/** Records that are about a learner each, so that none of them meets another. */
export const RECORDS = [record('a'), record('b', 'ben@acme.test'), record('c', 'cid@acme.test')];

/** @param observe sees every command to the database before it is executed */
export async function importWorld(observe?: Observer) {
  const world = createWorld(observe && { observe });
  const {
    clock,
    stores,
    messages: sent,
    revertMessages,
    erasureMessages,
    applicationMessages,
    events,
    runEvents,
    table,
    telemetry,
    services,
  } = world;
  const user = { company_id: COMPANY_ID, role: 'customer', avatar: '', license: 'active' } as const;
  await planted(stores.platform).putUsers([
    { ...user, user_id: 7, email: 'ann@acme.test', name: 'Ann' },
    { ...user, user_id: 8, email: 'ben@acme.test', name: 'Ben' },
    { ...user, user_id: 9, email: 'cid@acme.test', name: 'Cid' },
  ]);
  await planted(stores.platform).putCourses(COMPANY_ID, [
    { platform_course_id: 101, title: 'One', has_exam: true, classes: [] },
  ]);
  let attempts = 0;

  const read = async (import_id = IMPORT_ID): Promise<ImportItem> => {
    const item = await stores.imports.read({ company_id: COMPANY_ID, import_id });
    if (item === undefined) throw new Error(`There is no import ${import_id}.`);
    return item;
  };

  const results = async (import_id = IMPORT_ID) =>
    ((await readResults(await read(import_id), services)) ?? []).map(({ result }) => result);

  /** Delivers the messages of reverts, each when it is due, until there are none. */
  const deliverReverts = async (): Promise<void> => {
    for (;;) {
      const [message] = revertMessages.splice(0, 1);
      if (message === undefined) return;
      clock.now += (message.delaySeconds ?? 0) * SECOND;
      await continueRevert(message, services);
    }
  };

  return {
    clock,
    queue: services.queue,
    /** Messages that were sent and not delivered yet. */
    sent,
    revertMessages,
    erasureMessages,
    applicationMessages,
    events,
    runEvents,
    services,
    stores,
    table,
    telemetry,
    read,
    accept(records: readonly unknown[], request: Partial<AcceptRequest> = {}) {
      attempts += 1;
      const { dry_run = false } = request;
      const fingerprint = fingerprintOf({ dry_run, records });
      const ids = { company_id: COMPANY_ID, import_id: IMPORT_ID, attempt_id: `attempt-${attempts}` };
      const sender = { by: 1, run_id: null };
      return acceptImport({ ...ids, ...sender, dry_run, records, fingerprint, ...request }, services);
    },
    /** Processes every message sent so far, one after the other. */
    async deliver(): Promise<ProcessedChunk[]> {
      const processed: ProcessedChunk[] = [];
      for (const message of sent.splice(0)) processed.push(await processChunk(message, services));
      return processed;
    },
    /** Requests the revert of an import, or of the run, and carries it out to its end, as its messages would. */
    async revert(of: string | typeof RUN = IMPORT_ID) {
      const subject: RevertSubject =
        typeof of === 'string' ? { kind: 'import', company_id: COMPANY_ID, import_id: of } : RUN_SUBJECT;
      if (subject.kind === 'import') await requestImportRevert(await read(subject.import_id), 1, services);
      else await requestRunRevert(RUN_SUBJECT, [], 1, services);
      await deliverReverts();
      return stores.reverts.read(subject);
    },
    deliverReverts,
    async watch(everyOpen?: boolean) {
      const actions: string[] = [];
      const open = await stores.jobs.listOpen();
      for await (const together of watchOpen(open, watcherOf(services, everyOpen), services, everyOpen))
        actions.push(...together.map(({ action }) => action));
      return actions;
    },
    results,
    /** Results in the order sent, each as `status` or the first error code. */
    async outcomes(import_id = IMPORT_ID) {
      const reported = await results(import_id);
      return reported.map(({ errors, outcome, status }) => errors[0]?.error_code ?? outcome ?? status);
    },
    /** What the archive has of an import: the names that lead to each position. */
    async archived(import_id = IMPORT_ID) {
      const { chunks } = await read(import_id);
      const places = [...chunks.keys()].map((chunk) => ({ import_id, chunk }));
      const kept = await stores.archive.readArchived(COMPANY_ID, places);
      return kept.flatMap((each) =>
        Object.entries(each?.archived ?? {}).map(([at, { record: sent }]) => [Number(at), ...archivedNames(sent)]),
      );
    },
    progressOf: async (pair = ANN) => [...(await stores.progress.courseHistories(COMPANY_ID, [pair])).values()][0],
  };
}

export type ImportWorld = Awaited<ReturnType<typeof importWorld>>;

/** A new world before each test, to which this has been done; and the usual limits of a chunk after it. */
export function useImportWorld(arrange: () => unknown = () => undefined): ImportWorld {
  const world = {} as ImportWorld;
  beforeEach(async () => {
    Object.assign(world, await importWorld());
    await arrange();
  });
  afterEach(() => limitChunks());
  return world;
}
