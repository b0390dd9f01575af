import { MAX_EMAILS_PER_RESOLVE, MAX_MAPPINGS_PER_REQUEST } from '../../functions/shared/limits.ts';
import type { RouteName } from '../../functions/shared/routes.ts';
import { ok, type OperationSpec } from './operation.ts';

const REGISTERED = 'One result for each entry, in the order sent.';

/** §4.2, operations 1 to 6. */
export const CATALOG_OPERATIONS = {
  'list-courses': {
    summary: 'List the catalog',
    description: 'Ordered by course id. Gives the course and class ids that records refer to.',
    parameters: ['CourseLimit', 'Cursor'],
    revalidates: 'always',
    success: [ok('A page of courses.', 'CourseList')],
  },
  'resolve-users': {
    summary: 'Verify users',
    description: `Reports for up to ${MAX_EMAILS_PER_RESOLVE} addresses whether each belongs to a user of the company with an active license.`,
    request: { schema: 'ResolveRequest', example: { emails: ['ben.castillo@acme.test', 'nobody@acme.test'] } },
    success: [ok('One result for each address, in the order sent.', 'ResolveReport')],
    errors: ['batch_too_large'],
  },
  'register-user-mappings': {
    summary: 'Register external user ids',
    description: `Links up to ${MAX_MAPPINGS_PER_REQUEST} ids of the previous system to users. Sending an id again overwrites its link.`,
    request: {
      schema: 'UserMappingRequest',
      example: { mappings: [{ external_user_id: 9101, email: 'ben.castillo@acme.test' }] },
    },
    success: [ok(REGISTERED, 'UserMappingReport')],
    errors: ['batch_too_large'],
  },
  'list-user-mappings': {
    summary: 'List the registered external user ids',
    description: 'Ordered by external id, each with the user that it is linked to.',
    parameters: ['MappingLimit', 'Cursor'],
    success: [ok('A page of mappings, ordered by external id.', 'UserMappingList')],
  },
  'register-course-mappings': {
    summary: 'Register external course ids',
    description: `Links up to ${MAX_MAPPINGS_PER_REQUEST} ids of the previous system to courses. Sending an id again overwrites its link.`,
    request: {
      schema: 'CourseMappingRequest',
      example: { mappings: [{ external_course_id: 'SEC-1', platform_course_id: 101 }] },
    },
    success: [ok(REGISTERED, 'CourseMappingReport')],
    errors: ['batch_too_large'],
  },
  'list-course-mappings': {
    summary: 'List the registered external course ids',
    description: 'Ordered by external id, each with the course that it is linked to.',
    parameters: ['MappingLimit', 'Cursor'],
    success: [ok('A page of mappings, ordered by external id.', 'CourseMappingList')],
  },
} satisfies Partial<Record<RouteName, OperationSpec>>;
