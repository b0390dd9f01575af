/** The references of a chunk are read in batches, each once, and negative results with a strong read. Milliseconds. */
import { expect, it, vi } from 'vitest';
import { loadReferences } from '../../functions/catalog/references.ts';
import { COMPANY_ID, useImportWorld } from '../imports/world.ts';

const world = useImportWorld(async () => {
  await world.stores.mappings.putUserMappings(COMPANY_ID, [
    { external_user_id: 'u-8', email: 'ben@acme.test', user_id: 8, updated_at: '2026-01-01' },
  ]);
  await world.stores.mappings.putCourseMappings(COMPANY_ID, [
    { external_course_id: 'c-1', platform_course_id: 101, updated_at: '2026-01-01' },
  ]);
});

const SCOPE = { company_id: COMPANY_ID, imported_at: '2026-01-02T03:00:00.000Z' };
const load = (wanted: Parameters<typeof loadReferences>[1]) => loadReferences(SCOPE, wanted, { stores: world.stores });

it('users and courses are found directly or by a mapping, whatever the letter case of an address', async () => {
  const references = await load([
    { email: 'ANN@acme.test', platform_course_id: 101 },
    { external_user_id: 'u-8', external_course_id: 'c-1' },
  ]);
  expect(references.user('Ann@Acme.test')).toMatchObject({ user_id: 7 });
  expect(references.user(references.userMapping('u-8')?.email ?? '')).toMatchObject({ user_id: 8 });
  expect(references.course(references.courseMapping('c-1')?.platform_course_id ?? 0)).toMatchObject({ title: 'One' });
});

it('each user is read once, eventually consistent', async () => {
  const users = vi.spyOn(world.stores.directory, 'users');
  await load([{ email: 'ann@acme.test' }, { email: 'ANN@acme.test' }, { email: 'ben@acme.test' }]);
  expect(users.mock.calls.filter(([, emails]) => emails.length > 0)).toEqual([
    [COMPANY_ID, ['ann@acme.test', 'ben@acme.test'], false],
  ]);
  expect(users.mock.calls.filter(([, , strong]) => strong)).toEqual([]);
});

it('each course is read once, eventually consistent, and only missing ones again strongly', async () => {
  const courses = vi.spyOn(world.stores.directory, 'courses');
  const read = () => courses.mock.calls.splice(0).filter(([, ids, strong]) => ids.length > 0 || strong);
  await load([{ platform_course_id: 101 }, { platform_course_id: 101 }, { external_course_id: 'c-1' }]);
  expect(read()).toEqual([[COMPANY_ID, [101], false]]);
  await load([{ platform_course_id: 101 }, { platform_course_id: 404 }]);
  expect(read()).toEqual([
    [COMPANY_ID, [101, 404], false],
    [COMPANY_ID, [404], true],
  ]);
});

it('a course that only a mapping names is found', async () => {
  const references = await load([{ external_course_id: 'c-1' }]);
  expect(references.course(101)).toMatchObject({ title: 'One' });
});

it('a user who is gone by the strong read is not found', async () => {
  const directory = { ...world.stores.directory };
  vi.spyOn(world.stores.directory, 'users').mockImplementation(async (id, emails, strong) => {
    const users = await directory.users(id, emails, true);
    return strong ? new Map() : new Map([...users].map(([email, user]) => [email, { ...user, license: 'inactive' }]));
  });
  expect((await load([{ email: 'ann@acme.test' }])).user('ann@acme.test')).toBeUndefined();
});

it('missing users and courses are read again, strongly: a stale read rejects no record', async () => {
  const directory = { ...world.stores.directory };
  vi.spyOn(world.stores.directory, 'users').mockImplementation(async (id, emails, strong) =>
    strong ? directory.users(id, emails, true) : new Map(),
  );
  vi.spyOn(world.stores.directory, 'courses').mockImplementation(async (id, ids, strong) =>
    strong ? directory.courses(id, ids, true) : new Map(),
  );
  const references = await load([{ email: 'ann@acme.test', platform_course_id: 101 }]);
  expect(references.user('ann@acme.test')).toMatchObject({ user_id: 7 });
  expect(references.course(101)).toMatchObject({ title: 'One' });
});

it('an inactive user is read again: a stale license rejects no record', async () => {
  const directory = { ...world.stores.directory };
  vi.spyOn(world.stores.directory, 'users').mockImplementationOnce(async (id, emails) => {
    const users = await directory.users(id, emails, true);
    return new Map([...users].map(([email, user]) => [email, { ...user, license: 'inactive' }]));
  });
  expect((await load([{ email: 'ann@acme.test' }])).user('ann@acme.test')).toMatchObject({ license: 'active' });
});

it('courses and their mappings are read once for all chunks of a processor, user mappings for each chunk', async () => {
  const wanted = [{ external_user_id: 'u-8', external_course_id: 'c-1' }, { platform_course_id: 101 }];
  await loadReferences(SCOPE, wanted, world.services);
  const reads = {
    courses: vi.spyOn(world.stores.directory, 'courses'),
    courseMappings: vi.spyOn(world.stores.mappings, 'courseMappings'),
    userMappings: vi.spyOn(world.stores.mappings, 'userMappingsOfRecords'),
  };
  const references = await loadReferences(SCOPE, wanted, world.services);
  expect(references.course(references.courseMapping('c-1')?.platform_course_id ?? 0)).toMatchObject({ title: 'One' });
  const ids = (calls: readonly (readonly unknown[])[]) => calls.flatMap((call) => call[1]);
  expect(ids(reads.courses.mock.calls)).toEqual([]);
  expect(ids(reads.courseMappings.mock.calls)).toEqual([]);
  expect(ids(reads.userMappings.mock.calls)).toEqual(['u-8']);
});
