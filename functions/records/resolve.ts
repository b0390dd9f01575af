/** Which user and which course a record is about (§2.7, §7.3). */
import { emailKey, hasActiveLicense } from './identifiers.ts';
import type { ParsedRecord } from './parse.ts';
import { problem } from './problems.ts';
import type { ContentBlock, UserBlock } from './schema.ts';
import { quoted } from './text.ts';
import type { Course, CourseMapping, User, UserMapping, Problem } from '../shared/model.ts';

/** The identifiers of a record that have to be looked up; `email` is in the form in which addresses are compared. */
export type RecordReferences = ReturnType<typeof referencesOf>;

/** The entities of this company that were found. The user or course of each mapping that is found must have been looked up too. */
export interface References {
  user(email: string): User | undefined;
  userMapping(external_user_id: string): UserMapping | undefined;
  course(platform_course_id: number): Course | undefined;
  courseMapping(external_course_id: string): CourseMapping | undefined;
}

/** The user or the course is present only if its block resolved without a problem. */
export type Resolution = ReturnType<typeof resolveRecord>;

type Lookup<Entity> = { readonly entity: Entity } | { readonly problem: Problem };

interface Resolved<Entity> {
  readonly problems: readonly Problem[];
  readonly entity?: Entity;
}

/** The ids by which a record names its user and course, in lookup form. */
export function referencesOf({ user, content }: ParsedRecord) {
  return {
    ...(user?.email !== undefined && { email: emailKey(user.email) }),
    ...(user?.external_user_id !== undefined && { external_user_id: user.external_user_id }),
    ...(content?.platform_course_id !== undefined && { platform_course_id: content.platform_course_id }),
    ...(content?.external_course_id !== undefined && { external_course_id: content.external_course_id }),
  };
}

/**
 * Resolves the user and the course of a record (§2.7, §7.3), each if its own block is well-formed.
 *
 * @example
 * const ann = { user_id: 7, email: 'ann@acme.test', license: 'active' };
 * const references = { user: (email) => (email === ann.email ? ann : undefined) };
 * resolveRecord({ user: { email: 'Ann@acme.test' } }, references); // => { problems: [], user: ann }
 * resolveRecord({ user: { email: 'bob@acme.test' } }, references).problems[0].error_code; // => 'user_not_found'
 */
export function resolveRecord(parsed: ParsedRecord, references: References) {
  const user: Resolved<User> = parsed.user ? resolveUser(parsed.user, references) : { problems: [] };
  const course: Resolved<Course> = parsed.content ? resolveCourse(parsed.content, references) : { problems: [] };
  return {
    problems: [...user.problems, ...course.problems],
    ...(user.entity && { user: user.entity }),
    ...(course.entity && { course: course.entity }),
  };
}

/** §2.7: an e-mail address "must resolve to an active user in the company", an external id was registered beforehand. */
function resolveUser({ email, external_user_id }: UserBlock, references: References): Resolved<User> {
  const found = [
    ...(email === undefined ? [] : [byEmail(email, references)]),
    ...(external_user_id === undefined ? [] : [byExternalUserId(external_user_id, references)]),
  ];
  const rule = 'has two identifiers of different users; both must resolve to the same user';
  return agreement(found, ({ user_id }) => user_id, { field: 'user', rule });
}

function byEmail(email: string, references: References): Lookup<User> {
  const field = 'user.email';
  const user = references.user(emailKey(email));
  if (user !== undefined) return ifActive(user, field);
  return notFound('user_not_found', field, `${quoted(email)} does not belong to a user of this company`);
}

function byExternalUserId(external_user_id: string, references: References): Lookup<User> {
  const field = 'user.external_user_id';
  const mapping = references.userMapping(external_user_id);
  if (mapping === undefined) return notRegistered('external_user_id_not_mapped', field, external_user_id);
  const user = references.user(emailKey(mapping.email));
  const isSamePerson = user?.user_id === mapping.user_id;
  if (user !== undefined && isSamePerson) return ifActive(user, field);
  const reason = 'a user who no longer exists in this company, or whose address has changed; register it again';
  const rule = `${quoted(external_user_id)} is registered to ${reason}`;
  return notFound('user_not_found', field, rule);
}

function ifActive(user: User, field: string): Lookup<User> {
  if (hasActiveLicense(user)) return { entity: user };
  return notFound('user_inactive', field, 'resolves to a user without an active license');
}

/** §2.7: a course id comes from the catalog, an external one was registered beforehand. */
function resolveCourse(content: ContentBlock, references: References): Resolved<Course> {
  const { platform_course_id, external_course_id } = content;
  const found = [
    ...(platform_course_id === undefined ? [] : [byCatalogId(platform_course_id, references)]),
    ...(external_course_id === undefined ? [] : [byExternalCourseId(external_course_id, references)]),
  ];
  const rule = 'has two identifiers of different courses; both must resolve to the same course';
  return agreement(found, (course) => course.platform_course_id, { field: 'content', rule });
}

function byCatalogId(platform_course_id: number, references: References): Lookup<Course> {
  const course = references.course(platform_course_id);
  if (course !== undefined) return { entity: course };
  const rule = `${platform_course_id} is not in the catalog of this company`;
  return notFound('course_not_in_catalog', 'content.platform_course_id', rule);
}

function byExternalCourseId(external_course_id: string, references: References): Lookup<Course> {
  const field = 'content.external_course_id';
  const mapping = references.courseMapping(external_course_id);
  if (mapping === undefined) return notRegistered('external_course_id_not_mapped', field, external_course_id);
  const course = references.course(mapping.platform_course_id);
  if (course !== undefined) return { entity: course };
  const rule = `${quoted(external_course_id)} is registered to a course that is no longer in the catalog`;
  return notFound('course_not_in_catalog', field, rule);
}

function notFound(...reason: Parameters<typeof problem>): { readonly problem: Problem } {
  return { problem: problem(...reason) };
}

function notRegistered(error_code: Problem['error_code'], field: string, id: string): { readonly problem: Problem } {
  return notFound(error_code, field, `${quoted(id)} is not registered; register it before you send the record`);
}

/** Rule 6: "each must resolve; then they must agree", else `identifier_mismatch` at the block that has both. */
function agreement<Entity>(
  found: readonly Lookup<Entity>[],
  idOf: (entity: Entity) => number,
  mismatch: { readonly field: string; readonly rule: string },
): Resolved<Entity> {
  const problems = found.flatMap((one) => ('problem' in one ? [one.problem] : []));
  const [entity, ...others] = found.flatMap((one) => ('entity' in one ? [one.entity] : []));
  if (problems.length > 0 || entity === undefined) return { problems };
  if (others.every((other) => idOf(other) === idOf(entity))) return { problems, entity };
  return { problems: [problem('identifier_mismatch', mismatch.field, mismatch.rule)] };
}
