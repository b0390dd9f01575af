import { describe } from 'vitest';
import { errorTable } from './error-table.ts';
import { record } from './fixtures.ts';

const content = (members: object) => record({ content: { type: 'course', ...members } });

describe('content', () => {
  errorTable([
    ['no type', record({ content: { platform_course_id: 101 } }), 'invalid_record content.type'],
    ['a type that is null', content({ type: null, platform_course_id: 101 }), 'invalid_record content.type'],
    ['a type that is a number', content({ type: 1, platform_course_id: 101 }), 'invalid_record content.type'],
    [
      'another type',
      content({ type: 'learning_path', platform_course_id: 999 }),
      'unsupported_content_type content.type',
    ],
    ['another type has ids of its own', content({ type: 'learning_path' }), 'unsupported_content_type content.type'],
    [
      'ids of another type must be well-formed',
      content({ type: 'Course', platform_course_id: 'x' }),
      'unsupported_content_type content.type',
      'invalid_record content.platform_course_id',
    ],
    [
      'neither type nor id',
      record({ content: {} }),
      'invalid_record content.type',
      'invalid_record content.platform_course_id',
    ],
    ['no identifier', content({}), 'invalid_record content.platform_course_id'],
    ['a course id that is text', content({ platform_course_id: '101' }), 'invalid_record content.platform_course_id'],
    [
      'a course id that is a fraction',
      content({ platform_course_id: 1.5 }),
      'invalid_record content.platform_course_id',
    ],
    ['a negative course id', content({ platform_course_id: -1 }), 'invalid_record content.platform_course_id'],
    ['an unsafe course id', content({ platform_course_id: 2 ** 53 }), 'invalid_record content.platform_course_id'],
    ['an unknown course', content({ platform_course_id: 999 }), 'course_not_in_catalog content.platform_course_id'],
    ['an external id resolves', content({ external_course_id: 'ext-101' })],
    [
      'an external id never registered',
      content({ external_course_id: 'x' }),
      'external_course_id_not_mapped content.external_course_id',
    ],
    [
      'an external id of a course withdrawn',
      content({ external_course_id: 'ext-withdrawn' }),
      'course_not_in_catalog content.external_course_id',
    ],
    [
      'an external id too long',
      content({ external_course_id: 'x'.repeat(129) }),
      'invalid_record content.external_course_id',
    ],
    ['both agree', content({ platform_course_id: 101, external_course_id: 'ext-101' })],
    [
      'both resolve to different courses',
      content({ platform_course_id: 101, external_course_id: 'ext-102' }),
      'identifier_mismatch content',
    ],
    [
      'both unknown',
      content({ platform_course_id: 999, external_course_id: 'x' }),
      'course_not_in_catalog content.platform_course_id',
      'external_course_id_not_mapped content.external_course_id',
    ],
    [
      'one that resolves does not make up for one that does not: completion stays unjudged',
      record({ content: { type: 'course', platform_course_id: 101, external_course_id: 'x' }, progress: {} }),
      'external_course_id_not_mapped content.external_course_id',
    ],
    [
      'external_ref that is a number',
      content({ platform_course_id: 101, external_ref: 5 }),
      'invalid_record content.external_ref',
    ],
    [
      'external_ref of 1,025 characters',
      content({ platform_course_id: 101, external_ref: 'x'.repeat(1025) }),
      'invalid_record content.external_ref',
    ],
    ['external_ref of 1,024 emoji', content({ platform_course_id: 101, external_ref: '😀'.repeat(1024) })],
    ['an empty external_ref', content({ platform_course_id: 101, external_ref: '' })],
  ]);
});
