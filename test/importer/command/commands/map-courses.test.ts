/** Course ids of the old system. Costs under a second. */
import { createPlatform } from '../support/platform.ts';
import { expect, it } from 'vitest';
import { mapCourses, plannedCourses } from '../../../../bin/importer/command/commands/map-courses.ts';
import { fileOf } from '../support/files.ts';
import { contextOf, recordedOutput } from '../support/output.ts';

it('a file that gives a course id two meanings is refused, with both lines', async () => {
  const courses = fileOf('external_course_id,platform_course_id\nX,101\nY,102\nX,103\n');
  await expect(mapCourses(courses, {}, contextOf(recordedOutput()))).rejects.toThrow(
    /Nothing was registered\.\n {2}line 2 gives "X" "101", line 4 gives it "103"/,
  );
});

it('a dry run reports of courses what registering them reports', async () => {
  const { client } = await createPlatform();
  await client.registerCourseMappings([{ external_course_id: 'same', platform_course_id: 101 }]);
  const step = await plannedCourses(client);
  const listed = [
    ['same', '101'],
    ['new', '102'],
    ['none', '999'],
  ];
  const planned = await step(listed.map((texts, index) => ({ line: index + 2, texts })));
  expect(planned.mappings.map(({ status }) => status)).toEqual(['unchanged', 'created', 'error']);
  expect(planned.counts).toEqual({ created: 1, updated: 0, unchanged: 1, failed: 1 });
});
