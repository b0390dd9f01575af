/** The catalog, resolve and mapping operations behind authorisation, on stores in memory. Costs milliseconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { listCourseMappings } from '../../functions/handlers/list-course-mappings.ts';
import { listCourses } from '../../functions/handlers/list-courses.ts';
import { listUserMappings } from '../../functions/handlers/list-user-mappings.ts';
import { registerCourseMappings } from '../../functions/handlers/register-course-mappings.ts';
import { registerUserMappings } from '../../functions/handlers/register-user-mappings.ts';
import { resolveUsers } from '../../functions/handlers/resolve-users.ts';
import type { ProtectedOperation } from '../../functions/http/types.ts';
import type { Company, Course, License, User } from '../../functions/shared/model.ts';
import { SCHEMAS } from '../../lib/openapi/component-schemas.ts';
import type { SchemaName } from '../../lib/openapi/component-schemas.ts';
import { operationRequest } from '../kit/api-event.ts';
import { createWorld, type World } from '../kit/world.ts';
import * as v from 'valibot';

const company: Company = { company_id: 'acme', name: 'Acme', migrations_enabled: true, cursor_key: 'a'.repeat(43) };
const NOW = '2026-01-02T03:04:05.678Z';

/** What each operation answers, by the name of its schema in the document. */
type Answers = { [Name in SchemaName]: v.InferOutput<(typeof SCHEMAS)[Name]> };

let world: World;
/** Sort keys of what was written. */
let writes: string[];

beforeEach(async () => {
  world = createWorld();
  world.clock.now = Date.parse(NOW);
  await world.stores.platform.putUsers([
    user(7, 'ana@acme.test', 'acme', 'active'),
    user(8, 'bo@acme.test', 'acme', 'inactive'),
    user(9, 'cy@other.test', 'other', 'active'),
    user(10, 'dee@acme.test', 'acme', 'active'),
  ]);
  await world.stores.platform.putCourses('acme', [101, 102, 103].map(course));
  writes = [];
  world.table.onWrite = ({ sk }) => void writes.push(sk);
});

function user(user_id: number, email: string, company_id: string, license: License): User {
  return { user_id, email, company_id, license, name: email, role: 'customer', avatar: '' };
}

function course(platform_course_id: number): Course {
  return { platform_course_id, title: `${platform_course_id}`, has_exam: true, classes: [] };
}

async function call<Schema extends keyof Answers>(
  operation: ProtectedOperation,
  schema: Schema,
  { query = {}, body = {} }: { query?: Record<string, string>; body?: object },
) {
  const request = operationRequest({ caller: { company }, query, json: () => ({ ...body }) });
  const answer = await operation(request, world.services);
  expect(answer.statusCode).toBe(200);
  expect(v.safeParse(SCHEMAS[schema], answer.body).issues).toBeUndefined();
  return answer.body as Answers[Schema];
}

const resolve = (emails: unknown) => call(resolveUsers, 'ResolveReport', { body: { emails } });
const mapUsers = (...mappings: unknown[]) => call(registerUserMappings, 'UserMappingReport', { body: { mappings } });
const to = (email: string) => ({ external_user_id: 'x', email });
const mapCourses = (...mappings: unknown[]) =>
  call(registerCourseMappings, 'CourseMappingReport', { body: { mappings } });
const statuses = ({ mappings }: { mappings: { status: string }[] }) => mappings.map(({ status }) => status);
const codes = ({ mappings }: { mappings: { errors: { error_code: string; field?: string | undefined }[] }[] }) =>
  mappings.map(({ errors }) => errors.map(({ error_code, field }) => `${error_code} ${field ?? '-'}`));

describe('users/resolve', () => {
  it('answers every address in the order sent, repeats included', async () => {
    const { users, counts } = await resolve([
      'bo@acme.test',
      'ANA@acme.test',
      'nobody@acme.test',
      'cy@other.test',
      'ana@acme.test',
      'x',
      5,
      null,
    ]);
    expect(users.map((user) => [user.email, user.status, user.user_id, user.errors[0]?.error_code])).toEqual([
      ['bo@acme.test', 'inactive', 8, 'user_inactive'],
      ['ANA@acme.test', 'active', 7, undefined],
      ['nobody@acme.test', 'not_found', null, 'user_not_found'],
      ['cy@other.test', 'not_found', null, 'user_not_found'],
      ['ana@acme.test', 'active', 7, undefined],
      ['x', 'invalid', null, 'invalid_record'],
      [null, 'invalid', null, 'invalid_record'],
      [null, 'invalid', null, 'invalid_record'],
    ]);
    expect(counts).toEqual({ active: 2, inactive: 1, not_found: 2, invalid: 3 });
  });

  it.each([[undefined], [null], [[]], [{}], ['ana@acme.test']])('refuses %j for its addresses', async (emails) => {
    await expect(resolve(emails)).rejects.toMatchObject({
      problem: { error_code: 'invalid_request', field: 'emails' },
    });
  });

  it('takes 100 addresses and no more', async () => {
    await expect(resolve(Array(100).fill('ana@acme.test'))).resolves.toMatchObject({ counts: { active: 100 } });
    await expect(resolve(Array(101).fill('ana@acme.test'))).rejects.toMatchObject({
      problem: { error_code: 'batch_too_large' },
    });
  });
});

describe('users/mappings', () => {
  it('registers numbers and strings as the same id, and gives the address as it was registered', async () => {
    const report = await mapUsers(
      { external_user_id: 9101, email: 'Ana@acme.test' },
      { external_user_id: '9101', email: 'ana@acme.test' },
    );
    expect(report).toEqual({
      mappings: [
        { index: 0, external_user_id: '9101', email: 'Ana@acme.test', status: 'created', errors: [] },
        { index: 1, external_user_id: '9101', email: 'ana@acme.test', status: 'unchanged', errors: [] },
      ],
      counts: { created: 1, updated: 0, unchanged: 1, failed: 0 },
    });
    expect(await call(listUserMappings, 'UserMappingList', {})).toEqual({
      mappings: [{ external_user_id: '9101', email: 'Ana@acme.test', user_id: 7, updated_at: NOW }],
      next_cursor: null,
    });
  });

  it('overwrites a link, in the order sent, so that the last wins', async () => {
    await mapUsers({ external_user_id: 'x', email: 'ana@acme.test' });
    expect(
      statuses(await mapUsers(to('dee@acme.test'), to('dee@acme.test'), to('ana@acme.test'), to('dee@acme.test'))),
    ).toEqual(['updated', 'unchanged', 'updated', 'updated']);
    const links = await world.stores.mappings.userMappings('acme', ['x']);
    expect(links.get('x')?.user_id).toBe(10);
  });

  it('writes nothing for an unchanged link', async () => {
    await mapUsers({ external_user_id: 'x', email: 'ana@acme.test' });
    writes.length = 0;
    expect(statuses(await mapUsers({ external_user_id: 'x', email: 'ANA@acme.test' }))).toEqual(['unchanged']);
    expect(writes).toEqual([]);
  });

  it('rejects bad entries alone, each with all its errors', async () => {
    const report = await mapUsers(
      null,
      [],
      {},
      { external_user_id: 1.5, email: 'nobody@acme.test' },
      { external_user_id: '', email: 'bo@acme.test' },
      { external_user_id: 'x'.repeat(129), email: 5 },
      { external_user_id: 'ok', email: 'ana@acme.test' },
      { external_user_id: 'cy', email: 'cy@other.test' },
    );
    expect(codes(report)).toEqual([
      ['invalid_record -'],
      ['invalid_record -'],
      ['invalid_record external_user_id', 'invalid_record email'],
      ['invalid_record external_user_id', 'user_not_found email'],
      ['invalid_record external_user_id', 'user_inactive email'],
      ['invalid_record external_user_id', 'invalid_record email'],
      [],
      ['user_not_found email'],
    ]);
    expect(report.mappings.map((entry) => [entry.external_user_id, entry.email])).toEqual([
      [null, null],
      [null, null],
      [null, null],
      [null, 'nobody@acme.test'],
      [null, 'bo@acme.test'],
      [null, null],
      ['ok', 'ana@acme.test'],
      ['cy', 'cy@other.test'],
    ]);
    expect(report.counts).toEqual({ created: 1, updated: 0, unchanged: 0, failed: 7 });
    expect(writes).toEqual(['ok']);
  });

  it('takes 500 entries and no more', async () => {
    const entry = { external_user_id: 1, email: 'ana@acme.test' };
    await expect(mapUsers(...Array.from({ length: 500 }, () => entry))).resolves.toMatchObject({
      counts: { created: 1, unchanged: 499 },
    });
    await expect(mapUsers(...Array.from({ length: 501 }, () => entry))).rejects.toMatchObject({
      problem: { error_code: 'batch_too_large', field: 'mappings' },
    });
    await expect(mapUsers()).rejects.toMatchObject({ problem: { error_code: 'invalid_request', field: 'mappings' } });
  });
});

describe('catalog/mappings', () => {
  it('links courses of the catalog and rejects the others', async () => {
    const report = await mapCourses(
      { external_course_id: 'S', platform_course_id: 101 },
      { external_course_id: 'S', platform_course_id: 102 },
      { external_course_id: 'T', platform_course_id: 999 },
      { external_course_id: 'U', platform_course_id: '101' },
      { external_course_id: null, platform_course_id: 1.5 },
    );
    expect(statuses(report)).toEqual(['created', 'updated', 'error', 'error', 'error']);
    expect(codes(report).slice(2)).toEqual([
      ['course_not_in_catalog platform_course_id'],
      ['invalid_record platform_course_id'],
      ['invalid_record external_course_id', 'invalid_record platform_course_id'],
    ]);
    expect(report.mappings.map((entry) => entry.platform_course_id)).toEqual([101, 102, 999, null, 1.5]);
    expect(await call(listCourseMappings, 'CourseMappingList', {})).toEqual({
      mappings: [{ external_course_id: 'S', platform_course_id: 102, updated_at: NOW }],
      next_cursor: null,
    });
  });
});

describe('lists', () => {
  it('give full pages and end with a null cursor, also where the last page is full', async () => {
    const first = await call(listCourses, 'CourseList', { query: { limit: '2' } });
    expect(first.courses.map((course: Course) => course.platform_course_id)).toEqual([101, 102]);
    const second = await call(listCourses, 'CourseList', { query: { limit: '2', cursor: first.next_cursor ?? '' } });
    expect(second.courses.map((course: Course) => course.platform_course_id)).toEqual([103]);
    expect(second.next_cursor).toBeNull();
    expect((await call(listCourses, 'CourseList', { query: { limit: '3' } })).next_cursor).toBeNull();
  });

  it('walk through ids of any characters', async () => {
    const ids = ['\u0000', '9', '10', 'é', '😀'.repeat(128)];
    await mapUsers(...ids.map((external_user_id) => ({ external_user_id, email: 'ana@acme.test' })));
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Answers['UserMappingList'] = await call(listUserMappings, 'UserMappingList', {
        query: { limit: '1', ...(cursor && { cursor }) },
      });
      seen.push(...page.mappings.map((link) => link.external_user_id));
      cursor = page.next_cursor;
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  it('cut a page short where the answer would exceed 4 MiB', async () => {
    const title = 'x'.repeat(150_000);
    world = createWorld();
    const courses = Array.from({ length: 40 }, (_, id) => ({ ...course(id), title }));
    await world.stores.platform.putCourses('acme', courses);
    const page = await call(listCourses, 'CourseList', {});
    expect(JSON.stringify(page).length).toBeLessThan(4 * 1024 * 1024);
    const next = await call(listCourses, 'CourseList', { query: { cursor: page.next_cursor ?? '' } });
    expect(page.courses.length + next.courses.length).toBe(40);
  });

  it.each([
    [listCourses, { limit: '501' }, 'limit'],
    [listUserMappings, { limit: '0' }, 'limit'],
    [listCourseMappings, { limit: '1,2' }, 'limit'],
    [listCourses, { cursor: 'AAAA' }, 'cursor'],
  ] as const)('refuse a malformed %j', async (operation, query, field) => {
    await expect(call(operation, 'CourseList', { query })).rejects.toMatchObject({
      problem: { error_code: 'invalid_request', field },
    });
  });

  it('refuse the cursor of another list', async () => {
    const { next_cursor } = await call(listCourses, 'CourseList', { query: { limit: '1' } });
    await expect(
      call(listUserMappings, 'UserMappingList', { query: { cursor: next_cursor ?? '' } }),
    ).rejects.toMatchObject({
      problem: { error_code: 'invalid_request', field: 'cursor' },
    });
  });
});
