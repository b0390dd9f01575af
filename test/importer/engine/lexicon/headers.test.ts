/** Roles by the expressions of headers. Costs milliseconds. */
import { expect, it } from 'vitest';
import {
  namedByIds,
  namesRole,
  COURSE_PARTS,
  patternsOf,
  ROLES,
} from '../../../../bin/importer/engine/lexicon/headers.ts';
import { LANGUAGES } from '../../../../bin/importer/engine/lexicon/languages.ts';

it('the languages have expressions of every role and no other', () => {
  const named = Object.values(LANGUAGES).flatMap(({ patterns = {} }) => Object.keys(patterns));
  expect([...new Set(named)].toSorted()).toEqual(['user.email', ...ROLES, ...COURSE_PARTS].toSorted());
});

it.each([
  ['course completed on', 'progress.completed_at'],
  ['completion date pst pdt', 'progress.completed_at'],
  ['learning object id', 'content.external_course_id'],
  ['last course access', 'progress.last_activity_at'],
  ['enrollment status', 'status'],
  ['completed on', ':completed on'],
] as const)('%s names %s', (header, role) => {
  expect(namesRole(header, role)).toBe(true);
  expect(namesRole(`no ${header}`, role)).toBe(false);
});

it('the best expression of a role is the first', () => {
  expect(patternsOf('content.external_course_id')[0]?.source).toContain('external course id');
});

it.each([
  ['id alumno', 'user.external_user_id'],
  ['apprenant id', 'user.external_user_id'],
  ['teilnehmer nr', 'user.external_user_id'],
  ['formation id', 'content.external_course_id'],
  ['id asignatura', 'content.external_course_id'],
  ['name id', undefined],
  ['id', undefined],
  ['order id', undefined],
  ['manager id', undefined],
  ['apprenant', undefined],
  // A question, which a yes answers.
  ['no training', undefined],
])('the ids under %s are those of %s', (header, role) => {
  expect(namedByIds(header)).toBe(role);
});
