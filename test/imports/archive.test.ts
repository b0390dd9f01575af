/** What becomes of the archive when its years are over: through all operations of the service, by a clock that is moved. Costs seconds. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERASURE_FENCE_MS } from '../../functions/erasure/steps.ts';
import { intake } from '../../functions/handlers/intake.ts';
import { watch } from '../../functions/handlers/watchdog.ts';
import { retryArchive } from '../../bin/importer/command/retry.ts';
import { displayOn, outageNotice } from '../../bin/importer/command/progress.ts';
import { finds, leftOfPerson } from '../erasure/person.ts';
import { recordedOutput } from '../importer/command/support/output.ts';
import { createPlatform, type Platform } from '../importer/command/support/platform.ts';
import { recordOf } from '../importer/command/support/runs.ts';
import { CONTEXT } from '../kit/api-event.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import type { Attributes } from '../kit/memory-table/memory-table.ts';

const RUN = 'spring';
const YEAR_MS = 366 * 86_400_000;
const COMPLETED = { completion_pct: 100, completed_at: '2019-05-06T07:08:09.000Z' };
const [ZOE, BEA] = ['zoe@gone.test', 'bea@gone.test'];

const of = (id: string, email: string) => ({ ...recordOf(id), user: { email }, progress: COMPLETED });
const RETIRED = { ...recordOf('retired'), content: { type: 'course', external_course_id: 'old-1' } };
const RECORDS = [of('z-1', ZOE), of('z-2', ZOE.toUpperCase()), RETIRED, of('b-1', BEA), recordOf('here')];

let platform: Platform;
let archiving: string;
beforeEach(async () => {
  limitChunks(2);
  platform = await createPlatform();
  archiving = await imported({ archive: true });
});
afterEach(() => limitChunks());

async function imported(more: object = {}, records: readonly object[] = RECORDS): Promise<string> {
  platform.world.clock.now += 1_000;
  const sent = { dry_run: false, run_id: RUN, records, ...more };
  return (await platform.client.startImport(sent)).import.import_id;
}

const comes = (id: number, email: string) => ({
  kind: 'user',
  company_id: 'acme',
  version: 1,
  id,
  email,
  name: 'Back',
  role: 'customer',
  avatar: '',
  license: 'active',
});
const tell = async (...facts: object[]) =>
  expect(await intake({ facts }, CONTEXT, platform.world.services)).toMatchObject({ results: [{ status: 'applied' }] });

type Row = 'archive' | 'name';
const rowOf = ({ pk, sk }: Attributes): Row | undefined =>
  String(sk).startsWith('archive#') ? 'archive' : String(pk).includes('#archived#') ? 'name' : undefined;
const rows = () => [...platform.world.table.items()].filter((item) => rowOf(item) !== undefined);

/** Ten years pass, and DynamoDB deletes some rows of those whose time is over. Sessions have ended, too. */
async function expire(isDeleted: (item: Attributes, at: number) => boolean): Promise<void> {
  const { table, clock } = platform.world;
  clock.now += 10 * YEAR_MS;
  for (const [at, item] of rows().entries()) {
    expect(Number(item['expires_at_seconds']) * 1000).toBeLessThan(clock.now);
    if (isDeleted(item, at)) table.write({ pk: String(item['pk']), sk: String(item['sk']) }, undefined);
  }
  platform = { ...platform, client: await platform.signedIn('admin@acme.test') };
}

async function listed(query: object = {}): Promise<(string | null)[]> {
  const ids: (string | null)[] = [];
  for await (const { external_record_id } of platform.client.archive(query)) ids.push(external_record_id);
  return ids;
}

async function retried() {
  const output = recordedOutput(true);
  const display = displayOn({ write: () => true });
  const view = { display, outage: outageNotice(() => {}), url: 'http://x', output };
  return {
    code: await retryArchive({ client: platform.client, run_id: RUN, yes: true, ...view }),
    values: output.values,
  };
}

async function evidence() {
  const { client } = platform;
  const { evidence: jws } = await client.signEvidence(RUN, { reason: 'after the years' });
  const { counts, imports, imports_digest } = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString());
  const entries: object[] = [];
  for await (const entry of client.evidence(RUN)) entries.push(entry);
  return { counts, imports, imports_digest, entries };
}

async function reverted(import_id: string) {
  await platform.client.revertImport(import_id, { dry_run: false });
  const seen = async () => platform.client.getRevert(import_id);
  let revert = await seen();
  while (revert.status === 'processing') revert = await seen();
  return revert;
}

const STATES: readonly (readonly [string, (item: Attributes, at: number) => boolean])[] = [
  ['nothing is deleted yet', () => false],
  ['the records are deleted, the names are not', (item) => rowOf(item) === 'archive'],
  ['the names are deleted, the records are not', (item) => rowOf(item) === 'name'],
  ['every other row is deleted', (_, at) => at % 2 === 0],
  ['the other rows are deleted', (_, at) => at % 2 === 1],
  ['all is deleted', () => true],
];

describe.each(STATES)('when the years are over and %s', (_, isDeleted) => {
  it('nothing is shown, and what was said stays: counts, evidence, what came alive', async () => {
    await tell(comes(950, BEA));
    expect(await retried()).toMatchObject({ code: 1, values: [{ archived: 4, importable: 1, applied: 1 }] });
    const [alive = ''] = (await platform.client.getRecord('b-1')).contributions.map(({ import_id }) => import_id);
    const said = async () => {
      const { client } = platform;
      const [of, run] = [await client.getImport(archiving), await client.getRun(RUN)];
      return [of.counts, of.records.map(({ archived }) => archived), run.counts, await evidence()];
    };
    const before = await said();
    expect(before[0]).toMatchObject({ total: 5, failed: 4, archived: 4 });
    expect(await listed({ email: ZOE })).toEqual(['z-1', 'z-2']);

    await expire(isDeleted);
    const filters = [{}, { run_id: RUN }, { email: ZOE }, { course: 'old-1' }, { error_code: 'user_not_found' }];
    for (const filter of filters) expect(await listed(filter as object)).toEqual([]);
    await expect(platform.client.getLearner({ email: ZOE })).rejects.toThrow('has no learner');
    expect(await said()).toEqual(before);
    expect(await retried()).toMatchObject({ code: 0, values: [{ dry_run: true, archived: 0, importable: 0 }] });

    // A person who comes now is imported from the file alone.
    await tell(comes(951, ZOE));
    expect((await platform.client.getLearner({ email: ZOE })).archived).toEqual([]);
    const again = await platform.client.getImport(await imported());
    expect(again.records.map(({ outcome }) => outcome)).toEqual(['applied', 'applied', null, 'unchanged', 'unchanged']);
    expect((await platform.client.getRecord('z-2')).effective).toMatchObject(COMPLETED);

    // What came alive in time is taken back as ever, and the archive does not get it again.
    expect((await reverted(alive)).status).toBe('success');
    expect(await listed()).toEqual([]);
  });

  it('the import that archived can be taken back, and leaves no record', async () => {
    await expire(isDeleted);
    const { status, records } = await reverted(archiving);
    expect(status).toBe('success');
    expect(records.map(({ outcome }) => outcome)).toEqual([
      ...RECORDS.slice(1).map(() => 'nothing_to_revert'),
      'reverted',
    ]);
    expect(rows().filter((item) => rowOf(item) === 'archive')).toEqual([]);
    expect((await platform.client.getImport(archiving)).counts).toMatchObject({ failed: 4, archived: 4 });
  });

  it('an erasure of a person who is in it leaves no byte of the name', async () => {
    const left = () => leftOfPerson(platform.world.table.items(), [], (value) => finds(value, /zoe@/));
    expect(left().length).toBeGreaterThan(1);
    await expire(isDeleted);
    await tell({ kind: 'person', company_id: 'acme', names: [ZOE], erase: true });
    const { world } = platform;
    while ((await world.stores.jobs.listOpen()).length > 0) {
      world.clock.now += ERASURE_FENCE_MS;
      await watch({}, CONTEXT, world.services);
      await world.deliver();
    }
    expect(left()).toEqual([]);
    expect((await platform.client.getImport(archiving)).records.slice(0, 2)).toMatchObject([
      { erased: true },
      { erased: true },
    ]);
  });
});

it('of two imports, the one whose years are not over is tried again', async () => {
  platform.world.clock.now += 5 * YEAR_MS;
  platform = { ...platform, client: await platform.signedIn('admin@acme.test') };
  await imported({ archive: true }, RECORDS.slice(0, 1));
  expect(await listed({ email: ZOE })).toEqual(['z-1', 'z-1', 'z-2']);
  platform.world.clock.now += 6 * YEAR_MS;
  platform = { ...platform, client: await platform.signedIn('admin@acme.test') };
  expect(await listed({ email: ZOE })).toEqual(['z-1']);
  await tell(comes(951, ZOE));
  expect(await retried()).toMatchObject({ code: 0, values: [{ archived: 1, importable: 1, applied: 1 }] });
  expect(await listed()).toEqual([]);
});
