/** A company whose table has an item of every kind, in every state; and the responses about it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPlatform, type Platform } from '../importer/command/support/platform.ts';
import { Dice } from '../kit/dice.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import { createWorld, type World } from '../kit/world.ts';

export const SAMPLE = readFileSync(join(import.meta.dirname, '../../lib/sandbox/sample.json'));
export const RUN = 'history';
const FENCE_MS = 25_000;

const record = (external_record_id: string, email: string, course: number, progress: object = {}) => ({
  external_record_id,
  user: { email },
  content: { type: 'course', platform_course_id: course },
  progress: { completion_pct: 50, ...progress },
});

/** Every outcome, two of the errors, a warning; dates that were sent and dates that were not; classes. */
export const RECORDS = [
  record('r-1', 'ben.castillo@acme.test', 101, {
    completion_pct: 100,
    started_at: '2024-02-03T04:05:06Z',
    completed_at: '2024-03-04T05:06:07.089Z',
    classes: [
      { platform_class_id: 1011, viewed_at: '2024-02-05T00:00:00Z' },
      { platform_class_id: 1012 },
      { platform_class_id: 9999 },
    ],
  }),
  record('r-2', 'nobody@acme.test', 101),
  record('r-3', 'hana.suzuki@acme.test', 102, { completion_pct: 33.5, external_ref: 'LMS/77' }),
  record('r-4', 'hana.suzuki@acme.test', 105, {
    completion_pct: 100,
    assessment: { status: 'passed', score_pct: 87.5 },
  }),
  record('r-5', 'elif.yilmaz@acme.test', 999),
];

export const emptyPlatform = () => createPlatform(SAMPLE, createWorld({ random: new Dice(1) }));

/** Fills the table. The messages of the last import are still to be delivered. */
export async function fill({ client, world }: Platform): Promise<void> {
  const send = (
    records: readonly unknown[],
    key: string,
    more: { dry_run?: boolean; replace?: boolean; run_id?: string } = {},
  ) => client.startImport({ dry_run: false, ...more, records }, key);
  await client.registerUserMappings([{ external_user_id: '0042', email: 'ben.castillo@acme.test' }]);
  await client.registerCourseMappings([{ external_course_id: 'SEC-1', platform_course_id: 101 }]);
  await client.session.login({ email: 'admin@acme.test', password: 'wrong' }).catch(() => {});
  limitChunks(2);
  try {
    await send(RECORDS, 'first', { run_id: RUN });
    await send(RECORDS, 'again', { run_id: RUN });
    await send([record('r-3', 'hana.suzuki@acme.test', 102, { completion_pct: 60 })], 'updated', { run_id: RUN });
    const corrected = [record('r-3', 'hana.suzuki@acme.test', 102, { completion_pct: 50 })];
    await send(corrected, 'corrected-dry', { dry_run: true, replace: true });
    await send(corrected, 'corrected', { replace: true, run_id: RUN });
    await send(RECORDS, 'dry', { dry_run: true });
    const taken = await send([record('t-1', 'kofi.asante@acme.test', 103)], 'taken-back');
    await reverted(world, () => client.revertImport(taken.import.import_id, { dry_run: false }));
    await undelivered(world, async () => {
      const cancelled = await send([record('c-1', 'kofi.asante@acme.test', 103)], 'cancelled');
      await client.cancelImport(cancelled.import.import_id);
      world.messages.length = 0;
      await send([record('o-1', 'kofi.asante@acme.test', 104), record('o-2', 'joana.ferreira@acme.test', 104)], 'open');
    });
  } finally {
    limitChunks();
  }
}

export async function undelivered<T>(world: World, work: () => Promise<T>): Promise<T> {
  const deliver = world.deliver.bind(world);
  world.deliver = async () => [];
  try {
    return await work();
  } finally {
    world.deliver = deliver;
  }
}

/** Requests a revert, and moves the clock past its fences. */
export async function reverted(world: World, ask: () => Promise<unknown>): Promise<void> {
  await ask();
  for (let times = 0; times < 8; times += 1) {
    world.clock.now += FENCE_MS;
    await world.deliver();
  }
}

const NAMED = ['r-1', 'r-3', 'r-4', 't-1', 'c-1', 'o-1'];

/** All responses about the table that a client can read, with the error for a record that does not exist. */
export const answers = ({ client, world }: Platform) => undelivered(world, () => read(client));

async function read(client: Platform['client']): Promise<Record<string, unknown>> {
  const { imports } = await client.listImports();
  const each: Record<string, unknown> = {};
  for (const { import_id } of imports) each[import_id] = await client.getImport(import_id);
  const records: Record<string, unknown> = {};
  for (const id of NAMED) records[id] = await client.getRecord(id).catch((error: Error) => error.message);
  return {
    imports,
    each,
    records,
    runs: await client.listRuns(),
    run: await client.getRun(RUN),
    courses: await client.listCourses(),
    users: await client.listUserMappings(),
    course_mappings: await client.listCourseMappings(),
    profile: await client.profile(),
  };
}
