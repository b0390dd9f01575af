/** Exports have two ids of a learner, and a code and a title of a course: which of them the platform knows. */
import type { Choices } from '../language/findings.ts';
import type { Identity } from './identity.ts';

/**
 * The column that a descriptor names, or another one, if the platform knows texts of that and none of the first.
 *
 * @param choices those of the descriptor. @param given those of a person, which precede
 */
export async function knownOf(
  member: 'learner' | 'course',
  choices: Choices,
  given: Choices,
  by: (asked?: string) => Identity | Promise<Identity>,
): Promise<Identity> {
  const own = await by(choices[member]);
  if (choices[member] === given[member] || own.found.found !== 0) return own;
  const other = await by();
  return other.found.isUndecided || other.found.found === 0 ? own : other;
}
