/** Ids of the old system, before any of them is registered. Costs milliseconds. */
import { createPlatform } from '../support/platform.ts';
import { describe, expect, it } from 'vitest';
import { mapCourses, mapUsers } from '../../../bin/cli/commands/map-ids.ts';
import { plannedCourses, plannedUsers } from '../../../bin/cli/commands/planned-ids.ts';
import { fileOf } from '../support/files.ts';

const SILENT = { json: true, interactive: false, result: () => {}, jsonResult: () => {}, note: () => {} };

describe('a file of ids', () => {
  it('that gives an id two meanings is refused, with both lines', async () => {
    const courses = fileOf('external_course_id,platform_course_id\nX,101\nY,102\nX,103\n');
    await expect(mapCourses(courses, {}, SILENT)).rejects.toThrow(
      /Nothing was registered\.\n {2}line 2 gives "X" "101", line 4 gives it "103"/,
    );
    const users = fileOf('user_id,email\n1,ana@acme.test\n1,ANA@acme.test\n1,bo@acme.test\n');
    await expect(mapUsers(users, {}, SILENT)).rejects.toThrow('line 4');
  });
});

describe('the dry run of a registration', () => {
  const rows = (...some: [string, string][]) => some.map((texts, index) => ({ line: index + 2, texts }));

  it('says of users what registering says', async () => {
    const { client } = await createPlatform();
    await client.registerUserMappings([{ external_user_id: 'same', email: 'ben.castillo@acme.test' }]);
    await client.registerUserMappings([{ external_user_id: 'moved', email: 'ben.castillo@acme.test' }]);
    const listed = rows(
      ['same', 'Ben.Castillo@acme.test'],
      ['moved', 'lena.bauer@acme.test'],
      ['new', 'lena.bauer@acme.test'],
      ['gone', 'nobody@acme.test'],
      ['left', 'ivan.petrov@acme.test'],
    );
    const planned = await plannedUsers(client, listed);
    const done = await client.registerUserMappings(
      listed.map(({ texts: [external_user_id, email] }) => ({ external_user_id, email })),
    );
    expect(planned.counts).toEqual(done.counts);
    expect(planned.mappings.map(({ status }) => status)).toEqual(done.mappings.map(({ status }) => status));
  });

  it('says of courses what registering says', async () => {
    const { client } = await createPlatform();
    await client.registerCourseMappings([{ external_course_id: 'same', platform_course_id: 101 }]);
    const planned = await plannedCourses(client, rows(['same', '101'], ['new', '102'], ['none', '999']));
    expect(planned.mappings.map(({ status }) => status)).toEqual(['unchanged', 'created', 'error']);
    expect(planned.counts).toEqual({ created: 1, updated: 0, unchanged: 1, failed: 1 });
  });
});
