/** What a registration of ids would do, from what the platform knows: nothing is written. */
import { MAX_EMAILS_PER_RESOLVE } from '../../../functions/shared/limits.ts';
import type { CourseMappingReport, MigrationClient, UserMappingReport } from '../../client/index.ts';
import { batches, type ListedRow } from '../../importer/records/listed-rows.ts';

type Status = 'created' | 'updated' | 'unchanged' | 'error';

/** What is known of a service does not change during one command, and is read once. */
const known = new WeakMap<MigrationClient, Map<string, Promise<ReadonlyMap<string, unknown>>>>();

function once(client: MigrationClient, what: string, read: () => Promise<ReadonlyMap<string, unknown>>) {
  const reads = known.get(client) ?? new Map<string, Promise<ReadonlyMap<string, unknown>>>();
  known.set(client, reads);
  const result = reads.get(what) ?? read();
  reads.set(what, result);
  return result;
}

export async function plannedUsers(client: MigrationClient, rows: readonly ListedRow[]): Promise<UserMappingReport> {
  const registered = await once(client, 'users', () => registeredUsers(client));
  const mappings: UserMappingReport['mappings'] = [];
  for await (const some of batches(rows, MAX_EMAILS_PER_RESOLVE)) {
    const { users } = await client.resolveUsers(some.map(({ texts: [, email = ''] }) => email));
    for (const [position, user] of users.entries()) {
      const [id = '', email = ''] = some[position]?.texts ?? [];
      const errors = id === '' ? [NO_ID] : user.errors;
      const status = statusOf(errors.length > 0, registered.get(id), email.toLowerCase());
      mappings.push({ index: mappings.length, external_user_id: id, email, status, errors });
    }
  }
  return { mappings, counts: countsOf(mappings) };
}

export async function plannedCourses(
  client: MigrationClient,
  rows: readonly ListedRow[],
): Promise<CourseMappingReport> {
  const registered = await once(client, 'courses', () => registeredCourses(client));
  const catalog = await once(client, 'catalog', () => courseIds(client));
  const mappings: CourseMappingReport['mappings'] = rows.map(({ texts: [id = '', course = ''] }, index) => {
    const isMissing = !catalog.has(course);
    const errors =
      id === ''
        ? [NO_ID]
        : isMissing
          ? [{ error_code: 'course_not_in_catalog' as const, message: `there is no course ${course} in the catalog` }]
          : [];
    const status = statusOf(errors.length > 0, registered.get(id), course);
    return { index, external_course_id: id, platform_course_id: Number(course), status, errors };
  });
  return { mappings, counts: countsOf(mappings) };
}

const NO_ID = { error_code: 'invalid_record' as const, message: 'the id of the old system is empty' };

function statusOf(isError: boolean, current: unknown, wanted: unknown): Status {
  if (isError) return 'error';
  if (current === undefined) return 'created';
  return current === wanted ? 'unchanged' : 'updated';
}

function countsOf(mappings: readonly { readonly status: Status }[]) {
  const count = (status: Status): number => mappings.filter((each) => each.status === status).length;
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('error'),
  };
}

async function registeredUsers(client: MigrationClient): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for await (const { external_user_id, email } of client.userMappings())
    found.set(external_user_id, email.toLowerCase());
  return found;
}

async function registeredCourses(client: MigrationClient): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for await (const { external_course_id, platform_course_id } of client.courseMappings())
    found.set(external_course_id, String(platform_course_id));
  return found;
}

async function courseIds(client: MigrationClient): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for await (const { platform_course_id } of client.courses()) found.set(String(platform_course_id), true);
  return found;
}
