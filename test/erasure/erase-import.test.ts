/** One import before and after a person is erased. Costs milliseconds. */
import { expect, it, vi } from 'vitest';
import { commitPlanned, stagePlanned } from '../../functions/plans/accept-planned.ts';
import { requestImportRevert } from '../../functions/reverts/request.ts';
import { eraseFromImport, namesInImport } from '../../functions/erasure/erase-import.ts';
import { fillTable } from '../formats/frozen.ts';
import { Dice } from '../kit/dice.ts';
import { NO_ACCOUNT, aboutPerson } from '../../functions/records/person.ts';
import { ANN, ANN_ID, COMPANY, ERASE_FACT, EXTERNAL, FORMER, UNREGISTERED, finds, leftOfPerson } from './person.ts';
import { useErasureWorld } from './world.ts';

const IMPORT_ID = 'i'.repeat(26);
const PERSON = { user_id: ANN_ID, emails: new Set([ANN.toLowerCase()]), external_ids: new Set<string>() };
const record = (external_record_id: string, user: object, completion_pct: unknown = 50) => ({
  external_record_id,
  user,
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct },
});
const OF_ANN = record('planted', { email: ANN });
const OF_BEN = record('ben', { email: 'ben@acme.test' });

const world = useErasureWorld();

async function imported(...records: unknown[]) {
  await world.accept(IMPORT_ID, records);
  await world.comeToRest();
  return item();
}
async function item() {
  const stored = await world.stores.imports.read({ company_id: COMPANY, import_id: IMPORT_ID });
  if (stored === undefined) throw new Error('There is no import.');
  return stored;
}
const erase = async () => eraseFromImport(await item(), PERSON, world.stores);

it('an erasure removes the records of the person from an import, and leaves those of others unchanged', async () => {
  await imported(OF_ANN, OF_BEN);
  const [, before] = await world.reported(IMPORT_ID);
  expect(await erase()).toBe(1);
  const [erased, after] = await world.reported(IMPORT_ID);
  expect(erased).toMatchObject({ record: null, result: { erased: true, status: 'success' } });
  expect(after).toEqual(before);
  expect((await item()).changed_results).toBe(1);
  expect(await erase()).toBe(0);
});

it('an erasure removes the person from the report of a revert', async () => {
  await requestImportRevert(await imported(OF_ANN, OF_BEN), 1, world.services);
  await world.comeToRest();
  const ids = { company_id: COMPANY, import_id: IMPORT_ID };
  const before = await world.stores.reverts.readReport(ids);
  expect(JSON.stringify(before)).toContain('planted');
  await erase();
  const after = await world.stores.reverts.readReport(ids);
  expect(after?.records[0]).toMatchObject({
    outcome: 'reverted',
    erased: true,
    external_record_id: null,
    progress: null,
  });
  expect(after?.records[1]).toEqual(before?.records[1]);
});

it('an erasure that dies as it frees an id frees it when it goes on: the plan names the id until then', async () => {
  await imported(OF_ANN, OF_BEN);
  vi.spyOn(world.stores.reverts, 'free').mockRejectedValueOnce(new Error('killed'));
  await expect(erase()).rejects.toThrow('killed');
  expect(await erase()).toBe(1);
  const bound = await world.stores.progress.identities(COMPANY, ['planted', 'ben']);
  expect([...bound.keys()]).toEqual(['ben']);
});

it('namesInImport: other records of the person → the names in them, but none of a rejected record', async () => {
  await imported(
    record('1', { external_user_id: EXTERNAL }),
    record('2', { email: ANN, external_user_id: UNREGISTERED }),
    record('3', { email: FORMER, external_user_id: 'of nobody' }),
  );
  const names = await namesInImport(await item(), PERSON, world.stores);
  expect(names).toEqual({ emails: [], external_ids: [EXTERNAL, UNREGISTERED] });
  expect(
    aboutPerson({ ...PERSON, external_ids: new Set(names.external_ids) })({ user: { external_user_id: EXTERNAL } }),
  ).toBe(true);
});

it('eraseFromImport: a chunk without a plan → its payload is erased, and then planned as such', async () => {
  await world.accept(IMPORT_ID, [OF_ANN]);
  expect(await erase()).toBe(0);
  await world.comeToRest();
  expect(await world.reported(IMPORT_ID)).toMatchObject([
    { record: null, result: { status: 'error', erased: true, errors: [{ error_code: 'user_not_found' }] } },
  ]);
});

/** Changes a name as exports and people do: each change leaves it readable as the same name. */
const CHANGES: readonly ((text: string, dice: Dice) => string)[] = [
  (text, dice) => Array.from(text, (letter) => (dice.chance(0.4) ? letter.toUpperCase() : letter)).join(''),
  (text, dice) => inserted(text, [' ', '\u00a0', '\t', '\n'][dice.below(4)] ?? '', dice),
  (text, dice) => inserted(text, ['\u200b', '\u00ad', '\ufeff', '\u2060', '\u0000'][dice.below(5)] ?? '', dice),
  (text) => encodeURIComponent(text),
  (text) => ` ${text}\r\n`,
];
function inserted(text: string, letter: string, dice: Dice): string {
  const at = dice.below(text.length + 1);
  return text.slice(0, at) + letter + text.slice(at);
}

it.each([
  ['for good', undefined],
  ['for 40 days', 40],
  ['for a year, and what names nobody apart from that', 365],
])(
  'an erasure finds 200 spellings of the addresses and ids of a person, in real imports and in dry runs, kept %s',
  async (_, retentionDays) => {
    Object.assign(world.services, { retentionDays });
    const dice = new Dice(27);
    const users = Array.from({ length: 200 }, (_, at) => {
      const name = [ANN, FORMER, EXTERNAL, UNREGISTERED][at % 4] ?? ANN;
      const first = CHANGES[at % CHANGES.length]?.(name, dice) ?? name;
      const spelling = CHANGES[dice.below(CHANGES.length)]?.(first, dice) ?? first;
      return at % 4 < 2 ? { email: spelling } : { external_user_id: spelling };
    });
    const records = users.map((each, at) => record(`planted-${at}`, each, 'rejected'));
    await world.accept(IMPORT_ID, [...records.slice(0, 100), OF_BEN]);
    await world.accept('j'.repeat(26), records.slice(100), true);
    await world.comeToRest();
    expect([...world.table.items()].some(isApart)).toBe(retentionDays === 365);
    await world.tell(ERASE_FACT);
    await world.comeToRest();
    expect(world.findings()).toEqual([]);
    expect((await world.reported(IMPORT_ID))[100]?.result).toMatchObject({
      external_record_id: 'ben',
      status: 'success',
    });
  },
);

const isApart = ({ sk }: object & { readonly sk?: unknown }) => String(sk).startsWith('nameless#');

it('an erasure that dies between the two parts of a plan is completed by the next one', async () => {
  Object.assign(world.services, { retentionDays: 365 });
  await imported(record('planted', { email: ` ${ANN}` }, 'rejected'), OF_BEN);
  const before = [...world.table.items()].filter(isApart);
  expect(before).toHaveLength(1);
  await erase();
  fillTable(world.table, before);
  expect(JSON.stringify(await world.reported(IMPORT_ID)).toLowerCase()).not.toContain('planted');
  await erase();
  const [reported] = await world.reported(IMPORT_ID);
  expect(reported).toMatchObject({ record: null, result: { erased: true, external_record_id: null } });
  const items = [...world.table.items()].filter((each) => String(each['pk']).includes('#import#'));
  expect(leftOfPerson(items, [])).toEqual([]);
});

it('an erasure removes the person from what has expired and is not deleted yet', async () => {
  Object.assign(world.services, { retentionDays: 365 });
  await imported(record('planted', { email: ` ${ANN}` }, 'rejected'), OF_BEN);
  world.clock.now += AFTER_DETAILS_MS;
  expect((await world.reported(IMPORT_ID))[0]?.record).toBeNull();
  expect([...world.table.items()].filter(isApart)).toHaveLength(1);
  expect(await erase()).toBe(1);
  const items = [...world.table.items()].filter((each) => String(each['pk']).includes('#import#'));
  expect(leftOfPerson(items, [])).toEqual([]);
  expect((await world.reported(IMPORT_ID))[0]).toMatchObject({ record: null, result: { erased: true } });
  expect(await erase()).toBe(0);
});

it('an erasure leaves the rejected record of another person whose external id differs in case alone', async () => {
  const other = { external_user_id: EXTERNAL.toUpperCase() };
  const updated_at = '2026-01-01T00:00:00.000Z';
  await world.stores.mappings.putUserMappings(COMPANY, [{ ...other, email: 'ben@acme.test', user_id: 8, updated_at }]);
  await imported(
    record('of-ben', other, 'rejected'),
    record('planted', { external_user_id: ` ${EXTERNAL}` }, 'rejected'),
  );
  await world.tell(ERASE_FACT);
  await world.comeToRest();
  const reported = await world.reported(IMPORT_ID);
  expect(reported.map(({ result }) => [result.external_record_id, result.erased])).toEqual([
    ['of-ben', undefined],
    [null, true],
  ]);
});

it('an erasure removes the person from the payload of an import of a plan, also as the holder of an id', async () => {
  await imported(OF_ANN);
  const DRY_RUN = 'd'.repeat(26);
  await world.accept(
    DRY_RUN,
    [record('own', { email: ANN }), record('planted', { email: 'ben@acme.test' }), OF_BEN],
    true,
  );
  const dryRun = await world.stores.imports.read({ company_id: COMPANY, import_id: DRY_RUN });
  if (dryRun === undefined) throw new Error('There is no dry run.');
  const planned = { plan: { plan_id: 'a000000000001', applied_by: 1 }, place: 0, dryRun };
  const staged = (await stagePlanned(planned, world.stores, world.clock.now)) ?? [];
  const applied = await commitPlanned(planned, staged, { created_at: '2026-01-02T00:00:00.000Z' }, world.stores);
  const payload = async () =>
    (await world.stores.imports.readPayloads(applied, [applied.chunks[0]?.payload_hash ?? '']))[0];
  const before = await payload();
  expect(JSON.stringify(before?.rejected)).toContain(`belongs to user ${ANN_ID}`);
  expect(await eraseFromImport(applied, PERSON, world.stores)).toBe(0);
  const after = await payload();
  expect(after).toMatchObject({ erased: [0], records: [null, {}, {}], expected: ['', '', before?.expected?.[2]] });
  expect(after?.rejected?.[1]?.errors[0]?.message).toContain('has been erased');
  expect(JSON.stringify(after)).not.toContain(String(ANN_ID));
});

/** The last days of what is kept for less time than the results are over. */
const AFTER_DETAILS_MS = 91 * 24 * 60 * 60 * 1000;

const LEAVER = { email: 'zoe.planted@gone.test', external_user_id: 'emp-planted' };
async function archived() {
  Object.assign(world.services, { retentionDays: 400 });
  const kept = await imported(record('planted', LEAVER), record('gone', { email: 'eve@gone.test' }), OF_BEN);
  const plan = (await world.stores.imports.readPlans(kept, [0]))[0] ?? { records: [], planned: [] };
  const planned = plan.planned.map((each) =>
    each.result.status === 'error' ? { ...each, result: { ...each.result, archived: true as const } } : each,
  );
  const asked = { ...kept, archived_until: '2036-01-01T00:00:00.000Z' };
  await world.stores.archive.putArchived(asked, 0, { ...plan, planned });
  return asked;
}
/** DynamoDB deletes what has expired. */
function deleteExpired() {
  for (const { pk, sk, expires_at_seconds = Number.POSITIVE_INFINITY } of world.table.items())
    if (Number(expires_at_seconds) * 1000 <= world.clock.now)
      world.table.write({ pk: String(pk), sk: String(sk) }, undefined);
}
const leftOfLeaver = () => leftOfPerson(world.table.items(), [], (value) => finds(value, /zoe.planted|emp-planted/));
const ZOE = { user_id: NO_ACCOUNT, emails: new Set(['zoe.planted@gone.test']), external_ids: new Set<string>() };

it.each([
  ['is deleted', deleteExpired],
  ['is not deleted yet', () => {}],
])(
  'an erasure removes the person alone from the archive, by each name, when what has expired %s',
  async (_, expire) => {
    const asked = await archived();
    world.clock.now += AFTER_DETAILS_MS;
    expire();
    expect(leftOfLeaver().length).toBeGreaterThan(0);
    const { external_ids } = await namesInImport(asked, ZOE, world.stores);
    expect(new Set(external_ids)).toEqual(new Set(['emp-planted']));
    expect(await eraseFromImport(asked, ZOE, world.stores)).toBe(2);
    expect(leftOfLeaver()).toEqual([]);
    const [left] = await world.stores.archive.readArchived(COMPANY, [{ import_id: IMPORT_ID, chunk: 0 }]);
    expect(left?.archived).toEqual({
      1: { record: expect.objectContaining({ external_record_id: 'gone' }), errors: expect.any(Array) },
    });
    const places = async (name: string) => placesOf(world.stores.archive.archivedPlaces(COMPANY, name));
    expect(await Promise.all(['zoe.planted@gone.test', 'emp-planted', 'eve@gone.test'].map(places))).toEqual([
      [],
      [],
      [[1]],
    ]);
    const [first, second] = await world.reported(IMPORT_ID);
    expect([first?.result, second?.result.external_record_id]).toMatchObject([{ erased: true }, 'gone']);
    expect(await eraseFromImport(asked, ZOE, world.stores)).toBe(0);
  },
);

async function placesOf(found: AsyncIterable<{ readonly positions: readonly number[] }>) {
  const places: (readonly number[])[] = [];
  for await (const { positions } of found) places.push(positions);
  return places;
}

it('an erasure that dies in the archive ends the same way when it goes on', async () => {
  const asked = await archived();
  vi.spyOn(world.stores.archive, 'replaceArchived').mockRejectedValueOnce(new Error('killed'));
  await expect(eraseFromImport(asked, ZOE, world.stores)).rejects.toThrow('killed');
  expect(await eraseFromImport(asked, ZOE, world.stores)).toBe(1);
  expect(leftOfLeaver()).toEqual([]);
});
