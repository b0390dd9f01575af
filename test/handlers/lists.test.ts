/** Pages of the catalog and of the mappings, as their handlers respond. On a table in memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { handler as listCourses } from '../../functions/handlers/list-courses.ts';
import { handler as listUserMappings } from '../../functions/handlers/list-user-mappings.ts';
import { handler as registerUserMappings } from '../../functions/handlers/register-user-mappings.ts';
import type { Course } from '../../functions/shared/model.ts';
import { call, useAcme, type Responses } from '../catalog/acme.ts';

const acme = useAcme();

describe('lists', () => {
  it('a list has full pages and ends with a null cursor, also where the last page is full', async () => {
    const first = await call(acme(), listCourses.operation, 'CourseList', { query: { limit: '2' } });
    expect(first.courses.map((course: Course) => course.platform_course_id)).toEqual([101, 102]);
    const second = await call(acme(), listCourses.operation, 'CourseList', {
      query: { limit: '2', cursor: first.next_cursor ?? '' },
    });
    expect(second.courses.map((course: Course) => course.platform_course_id)).toEqual([103]);
    expect(second.next_cursor).toBeNull();
    expect((await call(acme(), listCourses.operation, 'CourseList', { query: { limit: '3' } })).next_cursor).toBeNull();
  });

  it('a list is paged through ids of any characters, in the order of their bytes', async () => {
    const ids = ['\u0000', '9', '10', 'é', 'z', 'A', 'a/b#c', '\uFFFD', ' ', '😀'.repeat(128)];
    const mappings = ids.map((external_user_id) => ({ external_user_id, email: 'ana@acme.test' }));
    await call(acme(), registerUserMappings.operation, 'UserMappingReport', { body: { mappings } });
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Responses['UserMappingList'] = await call(acme(), listUserMappings.operation, 'UserMappingList', {
        query: { limit: '1', ...(cursor && { cursor }) },
      });
      seen.push(...page.mappings.map((link) => link.external_user_id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  });
});
