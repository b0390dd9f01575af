/** Deleting a mapping (§4.8), by ids that a path has to escape. On the shared local stack; costs a second. */
import { beforeAll, expect, it } from 'vitest';
import { type Admin, adminOf, call } from '../kit/api.ts';
import { freshId, record } from '../kit/records.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('requests');
});

const KINDS = [
  ['users', 'external_user_id', { email: 'learner-1@requests.test' }],
  ['catalog', 'external_course_id', { platform_course_id: 101 }],
] as const;

const deleted = (path: string, id: string, headers = {}) =>
  call('DELETE', `${admin.base}/${path}/mappings/${encodeURIComponent(id)}`, { token: admin.token, headers });

it.each(KINDS)('a deleted mapping of %s is gone, and unknown from then on', async (path, name, link) => {
  for (const id of [freshId(), '9101', 'a/b', 'a%2Fb', 'a b+c?d#e', 'é😀', '"', '[object Object]', 'x'.repeat(128)]) {
    await admin.post(`/${path}/mappings`, { mappings: [{ [name]: id, ...link }] });
    expect([id, (await deleted(path, id)).status]).toEqual([id, 204]);
    const again = await deleted(path, id);
    expect([id, again.status, again.body.errors[0].error_code]).toEqual([id, 404, 'mapping_not_found']);
  }
  const left = await admin.get(`/${path}/mappings`);
  expect(left.body.mappings).toEqual([]);
});

it.each(KINDS)('an id that no mapping of %s can have is unknown, and deletes nothing', async (path) => {
  for (const id of ['x'.repeat(129), 'x'.repeat(2_000), 'change', '\u0000'])
    expect([id, (await deleted(path, id)).status]).toEqual([id, 404]);
});

it.each(KINDS)('a mapping of %s has no other method, body or query', async (path) => {
  const at = `${admin.base}/${path}/mappings/9101`;
  const other = await call('GET', at, { token: admin.token });
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'DELETE']);
  expect((await call('DELETE', `${at}?dry_run=true`, { token: admin.token })).status).toBe(400);
  expect((await call('DELETE', at, { token: admin.token, body: { force: true } })).status).toBe(400);
});

it('a record keeps what a mapping resolved, and a later one is rejected', async () => {
  const [user, course, id] = [freshId('u'), freshId('c'), freshId()];
  await admin.post('/users/mappings', { mappings: [{ external_user_id: user, email: 'learner-2@requests.test' }] });
  await admin.post('/catalog/mappings', { mappings: [{ external_course_id: course, platform_course_id: 101 }] });
  const sent = record('requests', {
    external_record_id: id,
    user: { external_user_id: user },
    content: { type: 'course', external_course_id: course },
  });
  expect((await admin.importAndWait([sent])).body.status).toBe('success');
  for (const [path, external] of [
    ['users', user],
    ['catalog', course],
  ] as const)
    expect((await deleted(path, external)).status).toBe(204);
  const kept = await admin.get(`/progress/records?external_record_id=${id}`);
  expect([kept.status, kept.body.contributions.length]).toEqual([200, 1]);
  const { body } = await admin.dryRun([sent]);
  expect(body.records[0].errors.map(({ error_code }: { error_code: string }) => error_code)).toEqual([
    'external_user_id_not_mapped',
    'external_course_id_not_mapped',
  ]);
});
