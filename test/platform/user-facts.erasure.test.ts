/** The immediate effects of a fact that erases a person. Costs milliseconds. */
import { expect, it } from 'vitest';
import { eraseUser, isErased } from '../../functions/platform/user-facts.ts';
import type { EraseFact } from '../../functions/platform/facts.ts';
import { ANN, ANN_FACT, ANN_ID, COMPANY, ERASE, NATIVE } from '../erasure/person.ts';
import { useErasureWorld } from '../erasure/world.ts';

const world = useErasureWorld();

const id = { company_id: COMPANY, user_id: ANN_ID };
const statuses = (told: unknown) => (told as { results: { status: string }[] }).results.map(({ status }) => status);

it('an erased person is gone: neither the address nor the login is there', async () => {
  expect(await world.tell(ERASE)).toEqual({ results: [{ status: 'applied', erased_at: null }] });
  expect((await world.stores.directory.users(COMPANY, [ANN], true)).size).toBe(0);
  expect(await world.stores.access.findLogin(ANN)).toBeUndefined();
  expect(await isErased(id, world.stores.platform)).toBe(true);
});

it('neither an earlier fact nor a later one restores the person before the erasure is done', async () => {
  await world.tell(ERASE);
  expect(statuses(await world.tell(ANN_FACT))).toEqual(['stale']);
  expect(await world.tell({ ...ANN_FACT, version: 30 })).toMatchObject({
    results: [{ status: 'rejected', errors: [{ message: expect.stringContaining('is being erased') }] }],
  });
  expect(statuses(await world.tell({ ...NATIVE, version: 90, completion_pct: 60 }))).toEqual(['stale']);
  expect(statuses(await world.tell({ ...NATIVE, version: 91, deleted: true }))).toEqual(['applied']);
});

it('only a newer user fact with the same id restores a user after the erasure is done', async () => {
  await world.tell(ERASE);
  await world.comeToRest();
  expect(statuses(await world.tell({ ...ERASE, deleted: true, erase: false, version: 25 }))).toEqual(['applied']);
  expect(statuses(await world.tell({ ...NATIVE, version: 92, completion_pct: 60 }))).toEqual(['stale']);
  expect(statuses(await world.tell({ ...ANN_FACT, version: 30 }))).toEqual(['applied']);
  expect(await isErased(id, world.stores.platform)).toBe(false);
  expect(statuses(await world.tell({ ...NATIVE, version: 93, completion_pct: 60 }))).toEqual(['applied']);
});

it('a repeated erasure reports when the erasure was done', async () => {
  await world.tell(ERASE);
  expect(await world.tell({ ...ERASE, version: 21 })).toEqual({ results: [{ status: 'stale', erased_at: null }] });
  await world.comeToRest();
  const receipt = { status: 'erased', erased_at: expect.any(String), blanked: expect.any(Number) };
  expect(await world.tell(ERASE)).toEqual({ results: [receipt] });
  await world.tell({ ...ERASE, deleted: true, erase: false, version: 25 });
  expect(statuses(await world.tell(ERASE))).toEqual(['stale']);
});

it('the receipt of an erasure counts every place, and has no name', async () => {
  const record = (at: number, email: string) => ({
    external_record_id: `r-${at}`,
    user: { email },
    content: { type: 'course', platform_course_id: at % 2 === 0 ? 101 : 102 },
    progress: { completion_pct: 50 },
  });
  const planted = Array.from({ length: 17 }, (_, at) => record(at, at === 16 ? `no-${ANN}` : ANN));
  const [first, second] = [planted.slice(0, 9), [...planted.slice(9), record(99, 'ben@acme.test')]];
  await world.accept('a'.repeat(26), first);
  await world.accept('b'.repeat(26), second);
  await world.comeToRest();
  const before = [...world.table.items()].filter(({ pk }) => String(pk) === `${COMPANY}#learner#${ANN_ID}`).length;
  const mappings = (await world.stores.mappings.listUserMappings(COMPANY, 100)).filter(
    ({ user_id }) => user_id === ANN_ID,
  );
  await world.tell(ERASE);
  await world.comeToRest();
  const told = await world.tell(ERASE);
  const [{ blanked } = { blanked: 0 }] = (told as unknown as { results: { blanked: number }[] }).results;
  // 16 records, the user, a session, and the items of progress and mappings; the address of the 17th record is somebody else's.
  expect(blanked).toBe(16 + 1 + 1 + before + mappings.length);
  expect(before).toBeGreaterThan(0);
  expect(JSON.stringify(told).toLowerCase()).not.toContain('planted');
});

it('of two simultaneous erasures one erases', async () => {
  const fact: EraseFact = {
    kind: 'user',
    version: 20,
    of: { company_id: COMPANY, id: ANN_ID },
    erases: { emails: [], external_user_ids: [] },
  };
  const [known] = await world.stores.platform.knownUsers([id]);
  const outcomes = await Promise.all([eraseUser(fact, known, world.services), eraseUser(fact, known, world.services)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['applied', 'stale']);
});

it('a person whom the stack does not know can be erased', async () => {
  expect(statuses(await world.tell({ ...ERASE, id: 4 }))).toEqual(['applied']);
  await world.comeToRest();
  expect(world.isErasing()).toBe(false);
});
