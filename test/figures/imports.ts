/** Imports of every kind from POST to the final report, each stage counted on its own. */
import type { Counts } from './database.ts';
import type { Tally, World } from './world.ts';
import { planted } from '../kit/planted.ts';
import { importOf, namedByIds, organicOf, RECORDS_PER_IMPORT, renewed, secondFile, type Shape } from './workload.ts';

export const PLATFORM = { learners: 1000, courses: 40 };

const sumOf = (counts: object): number => Object.values(counts).reduce((sum: number, count) => sum + Number(count), 0);
const ofKinds =
  (member: 'writes' | 'write_units' | 'read_units' | 'written_bytes') =>
  (...tallies: readonly Counts[]): number =>
    sumOf(tallies.flatMap(({ kinds }) => Object.values(kinds).map((kind) => kind[member])));
export const callsOf = (...tallies: readonly Counts[]): number => sumOf(tallies.map(({ calls }) => sumOf(calls)));
export const writeUnitsOf = ofKinds('write_units');
export const readUnitsOf = ofKinds('read_units');
export const writtenBytesOf = ofKinds('written_bytes');
export const msOf = (tallies: readonly Tally[]): number => sumOf(tallies.map(({ ms }) => ms));
export const perRecord = (count: number): number => Math.round((1000 * count) / RECORDS_PER_IMPORT) / 1000;

interface Answered {
  readonly tally: Tally;
  readonly bytes: number;
}

export interface MeasuredImport {
  readonly import_id: string;
  readonly body_bytes: number;
  readonly post: Tally;
  readonly chunks: readonly Tally[];
  /** A poll while the import runs, and the one that returns the whole report. */
  readonly poll: Answered;
  readonly report: Answered;
}

let imports = 0;

/**
 * @param more members of the request beside its records
 * @param applied how many of its records are
 */
export async function measureImport(
  world: World,
  records: readonly object[],
  more: object = {},
  applied = records.length,
): Promise<MeasuredImport> {
  const payload = { dry_run: false, ...more, records };
  const posted = await world.measure(() => world.post(payload, `import-${(imports += 1)}`));
  if (posted.value.status > 202) throw new Error(`${posted.value.status} ${JSON.stringify(posted.value.body)}`);
  const { import_id } = posted.value.body as { import_id: string };
  const poll = await measurePoll(world, import_id);
  const chunks: Tally[] = [];
  await world.deliver(async (run) => chunks.push((await world.measure(run)).tally));
  const report = await measurePoll(world, import_id);
  const { counts } = report.body as { counts?: { succeeded: number } };
  if (counts?.succeeded !== applied) throw new Error(`${applied} should be applied: ${JSON.stringify(counts)}`);
  return { import_id, body_bytes: JSON.stringify(payload).length, post: posted.tally, chunks, poll, report };
}

async function measurePoll(world: World, import_id: string): Promise<Answered & { body: object }> {
  const { tally, value } = await world.measure(() => world.poll(import_id));
  return { tally, bytes: value.bytes, body: value.body };
}

const DISTINCT: Shape = { learners: 500, courses: 1 };
const USUAL: Shape = { learners: 25, courses: 20 };
const RENEWALS = 50;

/** What is stored, and the records. Each has its own learners and courses, except those that follow on another. */
const SCENARIOS = {
  distinct: async () => importOf(DISTINCT),
  'sent again': async () => importOf(DISTINCT),
  'second file': async () => secondFile(importOf(DISTINCT)),
  renewal: async () => renewed(importOf(DISTINCT)),
  'organic progress': async (world: World) => {
    await organic(world, importOf(DISTINCT, { courses: 1 }));
    return importOf(DISTINCT, { courses: 1 });
  },
  'the usual migration': async (world: World) => {
    const records = importOf(USUAL, { courses: 2 });
    await organic(
      world,
      records.filter((_, at) => at % 2 === 0),
    );
    const earlier = records.slice(-RENEWALS);
    await measureImport(world, earlier);
    return [...records.slice(0, -RENEWALS), ...renewed(earlier)];
  },
  shared: async () => importOf({ learners: 100, courses: 5 }, { courses: 22 }),
  'ids of the old system, sorted by course': async () => namedByIds(importOf(DISTINCT, { courses: 27 })),
  'ids of the old system, sorted by learner': async () => namedByIds(importOf(USUAL, { learners: 500 })),
  '20 classes': async () => importOf({ ...DISTINCT, classes: 20 }, { courses: 33 }),
  '100 classes': async () => importOf({ ...DISTINCT, classes: 100 }, { courses: 34 }),
  'dry run': async () => importOf(DISTINCT, { courses: 35 }),
  /** With the digests that evidence is made of. */
  'of a run': async () => importOf(DISTINCT, { courses: 36 }),
} satisfies Readonly<Record<string, (world: World) => Promise<readonly object[]>>>;

const organic = ({ services }: World, records: ReturnType<typeof importOf>) =>
  planted(services.stores.platform).putNativeProgress(organicOf(records));

export type Measured = Readonly<Record<keyof typeof SCENARIOS, MeasuredImport>>;

export async function measureScenarios(world: World): Promise<Measured> {
  // The first import of a process pays for keys that later imports reuse.
  await measureImport(world, importOf(DISTINCT, { courses: 39 }));
  const measured: [string, MeasuredImport][] = [];
  for (const [name, records] of Object.entries(SCENARIOS)) {
    const more = { dry_run: name === 'dry run', ...(name === 'of a run' && { run_id: 'spring' }) };
    measured.push([name, await measureImport(world, await records(world), more)]);
  }
  return Object.fromEntries(measured) as Measured;
}

export const importFigures = (measured: Measured): Record<string, number> =>
  Object.fromEntries(
    Object.entries(measured).flatMap(([name, each]) =>
      Object.entries(figuresOf(each)).map(([figure, value]) => [`${name}: ${figure}`, value]),
    ),
  );

function figuresOf({ post, chunks, poll, report }: MeasuredImport): Record<string, number> {
  const all = [post, ...chunks];
  return {
    'write units per record': perRecord(writeUnitsOf(...all)),
    'read units per record': perRecord(readUnitsOf(...all)),
    'AWS calls': callsOf(...all),
    'depth of POST': post.depth,
    'depth of a chunk': Math.max(0, ...chunks.map(({ depth }) => depth)),
    'virtual ms of POST': post.ms,
    'virtual ms of all chunks': msOf(chunks),
    'log bytes': sumOf(all.map(({ log_bytes }) => log_bytes)),
    'bytes written': writtenBytesOf(...all),
    'learner-course row bytes': rowBytes(all, 'learner-course'),
    'status item bytes': rowBytes(all, 'import'),
    'calls of a poll': callsOf(poll.tally),
    'read units of a poll': readUnitsOf(poll.tally),
    'bytes of a poll': poll.bytes,
    'read units of the report': readUnitsOf(report.tally),
    'bytes of the report': report.bytes,
  };
}

function rowBytes(tallies: readonly Tally[], kind: string): number {
  const of = (member: 'writes' | 'written_bytes') => sumOf(tallies.map(({ kinds }) => kinds[kind]?.[member] ?? 0));
  return of('writes') === 0 ? 0 : Math.round((10 * of('written_bytes')) / of('writes')) / 10;
}
