/** The exact figures of imports: one of every kind, measured once each. */
import type { World } from './cloud.ts';
import { measureImport, type MeasuredImport } from './measure-import.ts';
import {
  callsOf,
  readUnitsOf,
  sumOfTallies,
  type Tally,
  writeUnitsOf,
  writesOf,
  writtenBytesOf,
} from './meter/tally.ts';
import { importOf, RECORDS_PER_IMPORT, type Shape } from './workload.ts';

export const PLATFORM = { learners: 1000, courses: 20 };

const DISTINCT: Shape = { learners: 500, courses: 1 };
const SHARED: Shape = { learners: 100, courses: 5 };

/** In this order; each has its own learners and courses, except the scenario that sends an import again. */
const SCENARIOS: readonly { name: ScenarioName; shape: Shape; from?: Partial<Shape>; dry_run?: boolean }[] = [
  { name: 'distinct', shape: DISTINCT },
  { name: 'sent again', shape: DISTINCT },
  { name: 'shared', shape: SHARED, from: { courses: 1 } },
  { name: 'dry run', shape: DISTINCT, from: { courses: 6 }, dry_run: true },
  { name: '100 classes', shape: { ...DISTINCT, classes: 100 }, from: { courses: 7 } },
];

type ScenarioName = 'distinct' | 'sent again' | 'shared' | 'dry run' | '100 classes';
export type Measured = Readonly<Record<ScenarioName, MeasuredImport>>;

export async function measureScenarios(world: World): Promise<Measured> {
  // The first import of a process pays for connections and keys that later imports reuse.
  await measureImport(world, importOf(DISTINCT, { courses: 19 }));
  const measured: [string, MeasuredImport][] = [];
  for (const { name, shape, from, dry_run } of SCENARIOS)
    measured.push([name, await measureImport(world, importOf(shape, from), dry_run)]);
  return Object.fromEntries(measured) as Measured;
}

/** Every figure that repeats exactly, lower being better, by `scenario: figure`. */
export function figuresOf(measured: Measured): Record<string, number> {
  return Object.fromEntries(
    Object.entries(measured).flatMap(([name, each]) =>
      Object.entries({ ...figures(each), ...(name === 'distinct' && readFigures(each)) }).map(([figure, value]) => [
        `${name}: ${figure}`,
        value,
      ]),
    ),
  );
}

function figures({ body_bytes, post, chunks, poll, report, again, whole }: MeasuredImport): Record<string, number> {
  const carried = sumOfTallies(chunks);
  return {
    'write units per record': perRecord(writeUnitsOf(whole)),
    'read units per record': perRecord(readUnitsOf(whole)),
    'writes per record': perRecord(writesOf(whole)),
    'AWS calls': callsOf(whole),
    'depth of POST': post.depth,
    'depth of a chunk': carried.depth,
    'virtual ms of POST': post.ms,
    'JSON bytes written per byte of the body': Math.round((1000 * post.json_bytes) / body_bytes) / 1000,
    'JSON texts written by POST': post.json_calls,
    'virtual ms of all chunks': carried.ms,
    messages: whole.messages,
    'message bytes': whole.message_bytes,
    'log bytes': whole.log_bytes,
    'bytes written': writtenBytesOf(whole),
    'learner-course row bytes': rowBytes(whole, 'learner-course'),
    'identity row bytes': rowBytes(whole, 'identity'),
    'payload bytes': whole.kinds['payload']?.written_bytes ?? 0,
    'result bytes': (whole.kinds['plan'] ?? whole.kinds['result'])?.written_bytes ?? 0,
    'status item bytes': rowBytes(whole, 'import'),
    'calls of a poll': callsOf(poll),
    'read units of a poll': readUnitsOf(poll),
    'answer bytes of a poll': poll.answer_bytes,
    'read units of the report': readUnitsOf(report),
    'answer bytes of the report': report.answer_bytes,
    'read units of the report again': readUnitsOf(again),
    'answer bytes of the report again': again.answer_bytes,
  };
}

const readFigures = ({ reads }: MeasuredImport): Record<string, number> =>
  Object.fromEntries(
    Object.entries(reads).flatMap(([name, { first, again }]) => [
      [`read units of the ${name}`, readUnitsOf(first)],
      [`answer bytes of the ${name}`, first.answer_bytes],
      [`read units of the ${name} again`, readUnitsOf(again)],
      [`answer bytes of the ${name} again`, again.answer_bytes],
    ]),
  );

function rowBytes({ kinds }: Tally, kind: string): number {
  const { writes, written_bytes } = kinds[kind] ?? { writes: 0, written_bytes: 0 };
  return writes === 0 ? 0 : Math.round((10 * written_bytes) / writes) / 10;
}

const perRecord = (count: number): number => Math.round((1000 * count) / RECORDS_PER_IMPORT) / 1000;
