import { agreementOf, type Found, type Resolved } from './agreement.ts';
import type { Course } from './model.ts';
import { quoted } from './quote.ts';
import type { ContentBlock } from './record-blocks.ts';
import type { References } from './resolution.ts';

/** §2.7: a course id comes from the catalog, an external one was registered beforehand. */
export function resolveCourse(content: ContentBlock, references: References): Resolved<Course> {
  const { platform_course_id, external_course_id } = content;
  const found = [
    ...(platform_course_id === undefined ? [] : [byCatalogId(platform_course_id, references)]),
    ...(external_course_id === undefined ? [] : [byExternalId(external_course_id, references)]),
  ];
  return agreementOf('content', found, (course) => course.platform_course_id);
}

function byCatalogId(platform_course_id: number, references: References): Found<Course> {
  const course = references.course(platform_course_id);
  if (course !== undefined) return { entity: course };
  const field = 'content.platform_course_id';
  const message = `${field} ${platform_course_id} is not in the company's catalog`;
  return { problem: { error_code: 'course_not_in_catalog', message, field } };
}

function byExternalId(external_course_id: string, references: References): Found<Course> {
  const field = 'content.external_course_id';
  const mapping = references.courseMapping(external_course_id);
  if (mapping === undefined) {
    const message = `${field} ${quoted(external_course_id)} was never registered`;
    return { problem: { error_code: 'external_course_id_not_mapped', message, field } };
  }
  const course = references.course(mapping.platform_course_id);
  if (course !== undefined) return { entity: course };
  const message = `${field} ${quoted(external_course_id)} is registered to a course that is no longer in the catalog`;
  return { problem: { error_code: 'course_not_in_catalog', message, field } };
}
