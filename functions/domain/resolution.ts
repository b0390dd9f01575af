import type { Resolved } from './agreement.ts';
import type { Problem } from './codes.ts';
import { emailKey } from './email.ts';
import type { Course, CourseMapping, User, UserMapping } from './model.ts';
import type { ParsedRecord } from './parse-record.ts';
import { resolveCourse } from './resolve-course.ts';
import { resolveUser } from './resolve-user.ts';

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
