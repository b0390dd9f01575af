/** No resource of one company works for another, and the guard on every key detects violations. Costs a second. */
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_OF_OTHER, ADMIN_OF_OWN } from '../matrix/token-class.ts';
import { OTHER, OWN } from '../support/data.ts';
import { type Identity, signed, sessionDraft } from '../support/forge.ts';
import { type Answered, routeOf, verdictOf } from '../support/target.ts';
import { TenantGuard } from '../support/tenant-guard.ts';
import { createService, type Service } from '../support/world.ts';

let world: Service;

interface Asked {
  readonly query?: Record<string, string>;
  readonly body?: object;
  readonly key?: string;
  readonly import_id?: string;
}

async function adminOf(who: Identity) {
  const draft = await sessionDraft(world, who, 'access');
  const authorization = `Bearer ${await signed(draft, world.signer)}`;
  const { company_id } = who;
  return async (name: string, { query = {}, body, key, import_id }: Asked = {}): Promise<Answered> => {
    world.guard.watch(company_id, String(draft.claims['sid']));
    const answered = await world.send({
      route: routeOf(name),
      path: { company_id, ...(import_id === undefined ? {} : { import_id }) },
      query,
      headers: {
        authorization,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    world.guard.watch(company_id);
    await world.deliver();
    world.guard.release();
    return answered;
  };
}

type Admin = Awaited<ReturnType<typeof adminOf>>;
// Responses are read member by member.
// oxlint-disable-next-line typescript/no-explicit-any
const json = ({ text }: Answered): any => JSON.parse(text);

let own: Admin;
let other: Admin;
const recordOf = (email: string, external_record_id: string) => ({
  external_record_id,
  user: { email },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 10 },
});
const importOf = (email: string, dry_run = false) => ({
  dry_run,
  records: [recordOf(email, 'r-1'), recordOf(email, 'r-2')],
});

beforeAll(async () => {
  world = await createService();
  own = await adminOf(ADMIN_OF_OWN);
  other = await adminOf(ADMIN_OF_OTHER);
});

describe('isolation of companies', () => {
  it('an import of another company is not found', async () => {
    const { import_id } = json(await own('start-import', { body: importOf('ben.castillo@acme.test') }));
    expect(json(await own('get-import', { import_id })).status).toBe('success');
    for (const name of ['get-import', 'list-import-records'])
      expect(verdictOf(await other(name, { import_id }))).toBe('404 import_not_found');
    expect(json(await other('list-imports')).imports).toEqual([]);
  });

  it('a record of another company is not found, and its id is free', async () => {
    const query = { external_record_id: 'r-1' };
    expect(verdictOf(await other('get-record', { query }))).toBe('404 record_not_found');
    const { import_id } = json(await other('start-import', { body: importOf('learner@globex.test') }));
    expect(json(await other('get-import', { import_id })).records[0].outcome).toBe('applied');
    expect(json(await own('get-record', { query })).user_id).toBe(2);
  });

  it('a mapping of another company is not found, and resolves to no user', async () => {
    const mapping = { external_user_id: 'u-7', email: 'ben.castillo@acme.test' };
    await own('register-user-mappings', { body: { mappings: [mapping] } });
    expect(json(await other('list-user-mappings')).mappings).toEqual([]);
    const theirs = { ...recordOf('', 'r-9'), user: { external_user_id: 'u-7' } };
    const { records } = json(await other('start-import', { body: { dry_run: true, records: [theirs] } }));
    expect(records[0].errors[0].error_code).toBe('external_user_id_not_mapped');
  });

  it('a user of another company is not found and cannot be mapped', async () => {
    const email = 'ben.castillo@acme.test';
    for (const query of [{ email }, { user_id: '2' }, { external_user_id: 'u-7' }])
      expect(verdictOf(await other('get-learner', { query }))).toBe('404 learner_not_found');
    expect(json(await own('get-learner', { query: { email } })).user_id).toBe(2);
    const resolved = json(await other('resolve-users', { body: { emails: [email] } }));
    expect(resolved.users[0]).toMatchObject({ status: 'not_found', user_id: null });
    const mapped = json(
      await other('register-user-mappings', { body: { mappings: [{ external_user_id: 1, email }] } }),
    );
    expect(mapped.mappings[0].errors[0].error_code).toBe('user_not_found');
    const { records } = json(await other('start-import', { body: importOf(email, true) }));
    expect(records[0].errors[0].error_code).toBe('user_not_found');
  });

  it('what another company archived is in no list and no transcript', async () => {
    const query = { email: 'gone@acme.test' };
    const records = [recordOf(query.email, 'gone-1')];
    await own('start-import', { body: { dry_run: false, archive: true, records } });
    expect(json(await own('list-archive', { query })).archived).toHaveLength(1);
    expect(json(await own('get-learner', { query })).archived).toHaveLength(1);
    for (const narrowed of [{}, query])
      expect(json(await other('list-archive', { query: narrowed })).archived).toEqual([]);
    expect(verdictOf(await other('get-learner', { query }))).toBe('404 learner_not_found');
  });

  it('a course of another company is not in the catalog', async () => {
    const body = { mappings: [{ external_course_id: 'c', platform_course_id: 104 }] };
    expect(json(await other('register-course-mappings', { body })).mappings[0].errors[0].error_code).toBe(
      'course_not_in_catalog',
    );
    expect(json(await other('list-courses')).courses.map((course: { title: string }) => course.title)).toEqual([
      'Theirs',
      'Only theirs',
    ]);
  });

  it('an Idempotency-Key of another company is another key', async () => {
    const mine = await own('start-import', { body: importOf('ben.castillo@acme.test'), key: 'same' });
    const theirs = await other('start-import', { body: importOf('learner@globex.test'), key: 'same' });
    expect(theirs.status).toBe(202);
    expect(theirs.headers['idempotent-replayed']).toBeUndefined();
    expect(json(theirs).import_id).not.toBe(json(mine).import_id);
  });
});

describe('the guard', () => {
  it('the guard saw no key of another company in these tests', () => {
    expect(world.guard.violations).toEqual([]);
    expect(world.guard.checked).toBeGreaterThan(100);
  });

  const key = (pk: string, sk: string) => new GetCommand({ TableName: 'table', Key: { pk, sk } });

  it.each([
    ["another company's user", key(`${OTHER}#user#a@b`, 'user')],
    ['a company whose name is longer', key(`${OWN}2#company`, 'company')],
    ['a session, once the caller is known', key('session#s-1', 'session')],
    ['the login directory', key('login#a@b', 'login')],
    [
      "another company's list",
      new QueryCommand({
        TableName: 'table',
        KeyConditionExpression: '#partition = :partition AND #sort > :bound',
        ExpressionAttributeValues: { ':partition': `${OTHER}#catalog`, ':bound': `${OWN}#` },
      }),
    ],
  ])('the guard reports %s', (_, command) => {
    const guard = new TenantGuard();
    guard.watch(OWN, 's-1');
    guard.see(key('session#s-1', 'session'), world.memory);
    guard.see(key(`${OWN}#company`, 'company'), world.memory);
    expect(guard.violations).toEqual([]);
    guard.see(command, world.memory);
    expect(guard.violations).toHaveLength(1);
  });
});
