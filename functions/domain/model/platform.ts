/** What the platform owns: companies, users, courses, and the ids of the old system linked to them. */

export type Instant = string;
export type Role = 'admin' | 'customer';
export type License = 'active' | 'inactive';

export interface Company {
  readonly company_id: string;
  readonly name: string;
  readonly migrations_enabled: boolean;
  /** Base64url key that authenticates this company's list cursors; never leaves the service. */
  readonly cursor_key: string;
}

export interface User {
  readonly company_id: string;
  readonly user_id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly avatar: string;
  readonly license: License;
  /** PHC string; absent for a user who cannot log in. */
  readonly password_hash?: string;
}

export interface CourseClass {
  readonly platform_class_id: number;
  readonly title: string;
}

export interface Course {
  readonly platform_course_id: number;
  readonly title: string;
  readonly has_exam: boolean;
  readonly classes: readonly CourseClass[];
}

/** Registered link of an external user id (in string form) to a user (§2.5). */
export interface UserMapping {
  readonly external_user_id: string;
  readonly email: string;
  readonly user_id: number;
  readonly updated_at: Instant;
}

/** Registered link of an external course id (in string form) to a catalog course (§2.6). */
export interface CourseMapping {
  readonly external_course_id: string;
  readonly platform_course_id: number;
  readonly updated_at: Instant;
}
