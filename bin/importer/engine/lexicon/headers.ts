/** Which role a header names, by the expressions of the languages; single headers are in `words`. */
import type { Field } from '../ground/fields.ts';
import { inAll, writtenOut } from './languages.ts';
import { saysTopic } from './topics.ts';
import { plainText, rolesOf } from './words.ts';

/** What a column holds by its header: a member of a record, a status, a class, or the day of an enrollment. */
export type Role = Field | 'status' | 'module' | 'enrolled';

/** The roles that expressions name: a column takes the first that it may fill. */
export const ROLES = [
  'external_record_id',
  'content.platform_course_id',
  'content.external_course_id',
  'content.external_ref',
  'user.external_user_id',
  'progress.completion_pct',
  'progress.completed_at',
  'progress.started_at',
  'enrolled',
  'progress.last_activity_at',
  'progress.classes',
  'module',
  'status',
  'assessment.status',
  'assessment.score_pct',
  'assessment.taken_at',
] as const satisfies readonly Role[];

/** What follows the name of a course in a header; the first that fits. */
export const COURSE_PARTS = [
  ':status',
  ':progress',
  ':completed on',
  ':passed',
  ':completed',
  ':started on',
  ':score',
] as const;

export type Headed = (typeof ROLES)[number] | 'user.email';
type CoursePart = (typeof COURSE_PARTS)[number];

const patterns = new Map<Headed | CoursePart, readonly RegExp[]>();

/** The expressions of a role, the best first. */
export function patternsOf(role: Headed | CoursePart): readonly RegExp[] {
  const known = patterns.get(role);
  if (known !== undefined) return known;
  const made = inAll('patterns', role).map((expression) => new RegExp(writtenOut(expression)));
  patterns.set(role, made);
  return made;
}

export const namesRole = (plain: string, role: Headed | CoursePart): boolean =>
  patternsOf(role).some((pattern) => pattern.test(plain));

/** Such a header does not say whether it is the share of a course or of an exam's points. */
export const isBareShare = (plain: string): boolean => saysTopic(plain, 'bare_share');

/** The member that a role of `words` fills. */
export const WORD_ROLES: Readonly<Partial<Record<Role, readonly string[]>>> = {
  'user.email': ['email'],
  'content.external_course_id': ['course_id', 'course'],
  'user.external_user_id': ['user_id', 'login'],
  'progress.completion_pct': ['pct'],
  'progress.completed_at': ['completed_at'],
  'progress.started_at': ['started_at'],
  enrolled: ['started_at'],
  'progress.last_activity_at': ['last_activity_at'],
  module: ['module'],
  status: ['status', 'completed_at'],
  'assessment.status': ['exam'],
  'assessment.score_pct': ['score'],
  'assessment.taken_at': ['taken_at'],
};

/** True if a header names one of these roles, in any language. */
export function isHeaderOf(header: string, ...roles: readonly Headed[]): boolean {
  const [plain, words] = [plainText(header), rolesOf(header)];
  return roles.some((role) => namesRole(plain, role) || (WORD_ROLES[role] ?? []).some((word) => words.has(word)));
}

const OF_IDS = new RegExp(writtenOut('^(?!no ){id_word} (.+)$|^(.+) {id_word}$'));

/** What a header of ids names by its other words: `id_alumno` the learner, `formation_id` the course. */
export function namedByIds(plain: string): Role | undefined {
  const [, behind, before] = OF_IDS.exec(plain) ?? [];
  const rest = behind ?? before ?? '';
  if (rolesOf(rest).has('course')) return 'content.external_course_id';
  return saysTopic(rest, 'full_name') && !saysTopic(rest, 'title') ? 'user.external_user_id' : undefined;
}
