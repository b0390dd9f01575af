/** The registration of mappings (§4.2 operations 3 and 5) on a table in memory. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { handler as listCourseMappings } from '../../functions/handlers/list-course-mappings.ts';
import { handler as listUserMappings } from '../../functions/handlers/list-user-mappings.ts';
import { handler as registerCourseMappings } from '../../functions/handlers/register-course-mappings.ts';
import { handler as registerUserMappings } from '../../functions/handlers/register-user-mappings.ts';
import { NOW, call, useAcme } from './acme.ts';

const acme = useAcme();
const to = (email: string) => ({ external_user_id: 'x', email });
const NONE = { email: 'nobody@acme.test' };
const BO = 'bo@acme.test';
const mapUsers = (...mappings: unknown[]) =>
  call(acme(), registerUserMappings.operation, 'UserMappingReport', { body: { mappings } });
const mapCourses = (...mappings: unknown[]) =>
  call(acme(), registerCourseMappings.operation, 'CourseMappingReport', { body: { mappings } });
const statuses = ({ mappings }: { mappings: { status: string }[] }) => mappings.map(({ status }) => status);
const codes = ({ mappings }: { mappings: { errors: { error_code: string; field?: string | undefined }[] }[] }) =>
  mappings.map(({ errors }) => errors.map(({ error_code, field }) => `${error_code} ${field ?? '-'}`));

describe('users/mappings', () => {
  it('numbers and strings are registered as the same id, and the result repeats the address as it was registered', async () => {
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
    expect(await call(acme(), listUserMappings.operation, 'UserMappingList')).toEqual({
      mappings: [{ external_user_id: '9101', email: 'Ana@acme.test', user_id: 7, updated_at: NOW }],
      next_cursor: null,
    });
  });

  it('an entry overwrites a link, in the order sent, so that the last one wins', async () => {
    await mapUsers({ external_user_id: 'x', email: 'ana@acme.test' });
    expect(
      statuses(await mapUsers(to('dee@acme.test'), to('dee@acme.test'), to('ana@acme.test'), to('dee@acme.test'))),
    ).toEqual(['updated', 'unchanged', 'updated', 'updated']);
    const links = await acme().world.stores.mappings.userMappings('acme', ['x']);
    expect(links.get('x')?.user_id).toBe(10);
  });

  it('an unchanged link is not written', async () => {
    await mapUsers({ external_user_id: 'x', email: 'ana@acme.test' });
    acme().writes.length = 0;
    expect(statuses(await mapUsers({ external_user_id: 'x', email: 'ANA@acme.test' }))).toEqual(['unchanged']);
    expect(acme().writes).toEqual([]);
  });

  const NOBODY = 'No user in this company has this e-mail address.';
  const ID = 'invalid_record external_user_id';
  const EMAIL = 'invalid_record email';
  /** What is sent, what is shown of it, its errors, and the last message. */
  const BAD: readonly (readonly [unknown, (string | null)[], string[], unknown])[] = [
    [null, [null, null], ['invalid_record -'], 'A mapping must be an object, not null.'],
    [[], [null, null], ['invalid_record -'], 'A mapping must be an object, not an array.'],
    [{}, [null, null], [ID, EMAIL], 'email is required.'],
    [{ external_user_id: 1.5, ...NONE }, [null, NONE.email], [ID, 'user_not_found email'], NOBODY],
    [{ ...to(BO), external_user_id: '' }, [null, BO], [ID, 'user_inactive email'], 'This user has no active license.'],
    [{ external_user_id: 'x'.repeat(129), email: 5 }, [null, null], [ID, EMAIL], expect.stringMatching(/, not 5\.$/)],
    [to('ana@acme.test'), ['x', 'ana@acme.test'], [], undefined],
    [to('cy@other.test'), ['x', 'cy@other.test'], ['user_not_found email'], NOBODY],
  ];

  it('bad entries are rejected alone, each with all its errors', async () => {
    const report = await mapUsers(...BAD.map(([sent]) => sent));
    const shown = report.mappings.map(({ external_user_id, email }) => [external_user_id, email]);
    expect(shown).toEqual(BAD.map(([, entry]) => entry));
    expect(codes(report)).toEqual(BAD.map(([, , errors]) => errors));
    expect(report.mappings.map(({ errors }) => errors.at(-1)?.message)).toEqual(BAD.map(([, , , message]) => message));
    expect(report.counts).toEqual({ created: 1, updated: 0, unchanged: 0, failed: 7 });
    expect(acme().writes).toEqual(['change', 'x']);
  });
});

it('courses of the catalog are linked, other courses are rejected', async () => {
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
  expect(report.mappings[2]?.errors[0]?.message).toBe("This course is not in the company's catalog.");
  expect(report.mappings.map((entry) => entry.platform_course_id)).toEqual([101, 102, 999, null, null]);
  expect(await call(acme(), listCourseMappings.operation, 'CourseMappingList')).toEqual({
    mappings: [{ external_course_id: 'S', platform_course_id: 102, updated_at: NOW }],
    next_cursor: null,
  });
});
