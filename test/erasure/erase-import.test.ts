/** One import before and after a person is erased. Costs milliseconds. */
import { beforeEach, expect, it } from 'vitest';
import { requestImportRevert } from '../../functions/reverts/request.ts';
import { eraseFromImport, namesInImport } from '../../functions/erasure/erase-import.ts';
import { aboutPerson } from '../../functions/records/person.ts';
import { ANN, ANN_ID, COMPANY, EXTERNAL, FORMER, UNREGISTERED } from './person.ts';
import { type ErasureWorld, erasureWorld } from './world.ts';

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

let world: ErasureWorld;
beforeEach(async () => {
  world = await erasureWorld();
  await world.setUp();
});

async function imported(...records: unknown[]) {
  await world.accept(IMPORT_ID, records);
  await world.comeToRest();
  return item();
}
async function item() {
  const stored = await world.stores.imports.read(COMPANY, IMPORT_ID);
  if (stored === undefined) throw new Error('There is no import.');
  return stored;
}
const erase = async () => eraseFromImport(await item(), PERSON, world.stores);

it('an erasure removes the records of the person from an import, and leaves those of others unchanged', async () => {
  await imported(OF_ANN, OF_BEN);
  const [, before] = await world.reported(IMPORT_ID);
  expect(await erase()).toEqual({ records: 1, isOpen: false });
  const [erased, after] = await world.reported(IMPORT_ID);
  expect(erased).toMatchObject({ record: null, result: { erased: true, status: 'success' } });
  expect(after).toEqual(before);
  expect((await item()).changed_results).toBe(1);
  expect(await erase()).toEqual({ records: 0, isOpen: false });
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

it('an erasure frees the ids of the person alone', async () => {
  await imported(OF_ANN, OF_BEN);
  await erase();
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

it('eraseFromImport: an import that has chunks without a plan → it must be erased again', async () => {
  await world.accept(IMPORT_ID, [OF_ANN]);
  expect(await erase()).toEqual({ records: 0, isOpen: true });
  await world.comeToRest();
  expect(await world.reported(IMPORT_ID)).toMatchObject([
    { record: null, result: { status: 'error', erased: true, errors: [{ error_code: 'user_not_found' }] } },
  ]);
});
