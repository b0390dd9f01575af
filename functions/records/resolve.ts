import type { ContentBlock, UserBlock } from './blocks.ts';
import { emailKey } from './identifiers.ts';
import type { ParsedRecord } from './parse.ts';
import { quoted } from './text.ts';
import type { Problem } from '../shared/codes.ts';
import type { Course, CourseMapping, User, UserMapping } from '../shared/model.ts';

/** What has to be looked up for a record; `email` is in the form that addresses are compared in. */
export interface RecordReferences {
  readonly email?: string;
  readonly external_user_id?: string;
  readonly platform_course_id?: number;
  readonly external_course_id?: string;
}

/**
 * Everything that was found, of this company alone. For a mapping that is found, the user or course it leads to has to be
 * found here as well.
 */
export interface References {
  user(email: string): User | undefined;
  userMapping(external_user_id: string): UserMapping | undefined;
  course(platform_course_id: number): Course | undefined;
  courseMapping(external_course_id: string): CourseMapping | undefined;
}

/** A user or course is there only if its block resolved without a problem. */
export interface Resolution {
  readonly problems: readonly Problem[];
  readonly user?: User;
  readonly course?: Course;
}

/** What must be looked up: the identifiers of the blocks that are well-formed. */
export function referencesOf({ user, content }: ParsedRecord): RecordReferences {
  return {
    ...(user?.email !== undefined && { email: emailKey(user.email) }),
    ...(user?.external_user_id !== undefined && { external_user_id: user.external_user_id }),
    ...(content?.platform_course_id !== undefined && { platform_course_id: content.platform_course_id }),
    ...(content?.external_course_id !== undefined && { external_course_id: content.external_course_id }),
  };
}

/** Resolves the user and the course of a record (§2.7, §7.3), each if its own block is well-formed. */
export function resolveRecord(parsed: ParsedRecord, references: References): Resolution {
  const user: Resolved<User> = parsed.user ? resolveUser(parsed.user, references) : { problems: [] };
  const course: Resolved<Course> = parsed.content ? resolveCourse(parsed.content, references) : { problems: [] };
  return {
    problems: [...user.problems, ...course.problems],
    ...(user.entity && { user: user.entity }),
    ...(course.entity && { course: course.entity }),
  };
}

/** What one identifier led to: the entity, or why there is none. */
export type Found<Entity> = { readonly entity: Entity } | { readonly problem: Problem };

/** What became of the identifiers of one block. */
export interface Resolved<Entity> {
  readonly problems: readonly Problem[];
  readonly entity?: Entity;
}

/**
 * Rule 6: "each must resolve; then they must agree", else `identifier_mismatch` at the block that holds both.
 *
 * @param found what each identifier that was sent led to; one or two of them
 */
export function agreementOf<Entity>(
  block: 'user' | 'content',
  found: readonly Found<Entity>[],
  idOf: (entity: Entity) => number,
): Resolved<Entity> {
  const problems = found.flatMap((one) => ('problem' in one ? [one.problem] : []));
  if (problems.length > 0) return { problems };
  const entities = found.flatMap((one) => ('entity' in one ? [one.entity] : []));
  const [entity] = entities;
  if (entity === undefined) return { problems };
  if (entities.some((other) => idOf(other) !== idOf(entity))) return { problems: [mismatch(block)] };
  return { problems, entity };
}

function mismatch(block: 'user' | 'content'): Problem {
  const entity = block === 'user' ? 'users' : 'courses';
  const message = `the two identifiers of ${block} resolve to different ${entity}`;
  return { error_code: 'identifier_mismatch', message, field: block };
}

/** §2.7: an e-mail address "must resolve to an active user in the company", an external id was registered beforehand. */
export function resolveUser({ email, external_user_id }: UserBlock, references: References): Resolved<User> {
  const found = [
    ...(email === undefined ? [] : [byEmail(email, references)]),
    ...(external_user_id === undefined ? [] : [byExternalUserId(external_user_id, references)]),
  ];
  return agreementOf('user', found, ({ user_id }) => user_id);
}

function byEmail(email: string, references: References): Found<User> {
  const field = 'user.email';
  const user = references.user(emailKey(email));
  if (user !== undefined) return ifActive(user, field);
  const message = `${field} ${quoted(email)} is no user of the company`;
  return { problem: { error_code: 'user_not_found', message, field } };
}

function byExternalUserId(external_user_id: string, references: References): Found<User> {
  const field = 'user.external_user_id';
  const mapping = references.userMapping(external_user_id);
  if (mapping === undefined) {
    const message = `${field} ${quoted(external_user_id)} was never registered`;
    return { problem: { error_code: 'external_user_id_not_mapped', message, field } };
  }
  const user = references.user(emailKey(mapping.email));
  const isSamePerson = user?.user_id === mapping.user_id;
  if (user !== undefined && isSamePerson) return ifActive(user, field);
  const message = `${field} ${quoted(external_user_id)} is registered to a user who is gone`;
  return { problem: { error_code: 'user_not_found', message, field } };
}

function ifActive(user: User, field: string): Found<User> {
  if (user.license === 'active') return { entity: user };
  return { problem: { error_code: 'user_inactive', message: `${field} leads to a user who is not active`, field } };
}

/** §2.7: a course id comes from the catalog, an external one was registered beforehand. */
export function resolveCourse(content: ContentBlock, references: References): Resolved<Course> {
  const { platform_course_id, external_course_id } = content;
  const found = [
    ...(platform_course_id === undefined ? [] : [byCatalogId(platform_course_id, references)]),
    ...(external_course_id === undefined ? [] : [byExternalCourseId(external_course_id, references)]),
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

function byExternalCourseId(external_course_id: string, references: References): Found<Course> {
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
