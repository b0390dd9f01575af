import type * as wire from '../wire/types.ts';

/** The courses of a transcript, each once: one that is on two pages has the contributions of both. */
export async function* wholeCourses(parts: AsyncIterable<wire.LearnerCourse>): AsyncGenerator<wire.LearnerCourse> {
  let course: wire.LearnerCourse | undefined;
  for await (const next of parts) {
    if (course?.platform_course_id === next.platform_course_id) {
      course = { ...next, contributions: [...course.contributions, ...next.contributions] };
      continue;
    }
    if (course !== undefined) yield course;
    course = next;
  }
  if (course !== undefined) yield course;
}
