import { MAX_EMAILS_PER_RESOLVE, MAX_MAPPINGS_PER_REQUEST } from '../../functions/shared/limits.ts';
import type { RouteName } from '../../functions/shared/routes.ts';
import type { OperationSpec } from './operation.ts';

const common = { tag: 'Catalog and users' } as const;
const REGISTERED = 'One result for each entry, in the order sent.';

/** §4.2, operations 1 to 6. */
export const CATALOG_OPERATIONS = {
  'list-courses': {
    ...common,
    summary: 'List the catalog',
    description: 'Ordered by course id. Gives the course and class ids that records refer to.',
    parameters: ['CourseLimit', 'Cursor'],
    revalidates: 'always',
    success: [
      {
        status: 200,
        description: 'A page of courses.',
        schema: 'CourseList',
        example: {
          courses: [
            {
              platform_course_id: 101,
              title: 'Information Security Essentials',
              has_exam: true,
              classes: [
                { platform_class_id: 1011, title: 'Why security matters' },
                { platform_class_id: 1012, title: 'Passwords and sign-in' },
                { platform_class_id: 1013, title: 'Phishing' },
                { platform_class_id: 1014, title: 'Reporting an incident' },
              ],
            },
          ],
          next_cursor: 'RGf1bWwvS2bFqX0eY7wq3mTt5uVdJk9nZxCpA4sHh8UxMDE',
        },
      },
    ],
    errors: [],
  },
  'resolve-users': {
    ...common,
    summary: 'Verify users',
    description: `Reports for up to ${MAX_EMAILS_PER_RESOLVE} addresses whether each belongs to a user of the company with an active license.`,
    request: { schema: 'ResolveRequest', example: { emails: ['ben.castillo@acme.test', 'nobody@acme.test'] } },
    success: [
      {
        status: 200,
        description: 'One result for each address, in the order sent.',
        schema: 'ResolveReport',
        example: {
          users: [
            { email: 'ben.castillo@acme.test', status: 'active', user_id: 2, errors: [] },
            {
              email: 'nobody@acme.test',
              status: 'not_found',
              user_id: null,
              errors: [
                {
                  error_code: 'user_not_found',
                  message: 'No user in this company has this e-mail address.',
                  field: 'email',
                },
              ],
            },
          ],
          counts: { active: 1, inactive: 0, not_found: 1, invalid: 0 },
        },
      },
    ],
    errors: ['batch_too_large'],
  },
  'register-user-mappings': {
    ...common,
    summary: 'Register external user ids',
    description: `Links up to ${MAX_MAPPINGS_PER_REQUEST} ids of the previous system to users. Sending an id again overwrites its link.`,
    request: {
      schema: 'UserMappingRequest',
      example: { mappings: [{ external_user_id: 9101, email: 'ben.castillo@acme.test' }] },
    },
    success: [
      {
        status: 200,
        description: REGISTERED,
        schema: 'UserMappingReport',
        example: {
          mappings: [
            { index: 0, external_user_id: '9101', email: 'ben.castillo@acme.test', status: 'created', errors: [] },
          ],
          counts: { created: 1, updated: 0, unchanged: 0, failed: 0 },
        },
      },
    ],
    errors: ['batch_too_large'],
  },
  'list-user-mappings': {
    ...common,
    summary: 'List the registered external user ids',
    description: 'Ordered by external id, each with the user that it is linked to.',
    parameters: ['MappingLimit', 'Cursor'],
    success: [
      {
        status: 200,
        description: 'A page of mappings, ordered by external id.',
        schema: 'UserMappingList',
        example: {
          mappings: [
            {
              external_user_id: '9101',
              email: 'ben.castillo@acme.test',
              user_id: 2,
              updated_at: '2026-01-02T03:04:05.678Z',
            },
          ],
          next_cursor: null,
        },
      },
    ],
    errors: [],
  },
  'register-course-mappings': {
    ...common,
    summary: 'Register external course ids',
    description: `Links up to ${MAX_MAPPINGS_PER_REQUEST} ids of the previous system to courses. Sending an id again overwrites its link.`,
    request: {
      schema: 'CourseMappingRequest',
      example: { mappings: [{ external_course_id: 'SEC-1', platform_course_id: 101 }] },
    },
    success: [
      {
        status: 200,
        description: REGISTERED,
        schema: 'CourseMappingReport',
        example: {
          mappings: [{ index: 0, external_course_id: 'SEC-1', platform_course_id: 101, status: 'created', errors: [] }],
          counts: { created: 1, updated: 0, unchanged: 0, failed: 0 },
        },
      },
    ],
    errors: ['batch_too_large'],
  },
  'list-course-mappings': {
    ...common,
    summary: 'List the registered external course ids',
    description: 'Ordered by external id, each with the course that it is linked to.',
    parameters: ['MappingLimit', 'Cursor'],
    success: [
      {
        status: 200,
        description: 'A page of mappings, ordered by external id.',
        schema: 'CourseMappingList',
        example: {
          mappings: [{ external_course_id: 'SEC-1', platform_course_id: 101, updated_at: '2026-01-02T03:04:05.678Z' }],
          next_cursor: null,
        },
      },
    ],
    errors: [],
  },
} satisfies Partial<Record<RouteName, OperationSpec>>;
