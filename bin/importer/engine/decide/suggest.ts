/** Suggests what the rows of a kind become, by the first rule that fits. */
import type { Kind, KindValues } from '../language/findings.ts';
import type { FileContext } from './begun.ts';
import { kindFacts } from './kind-facts.ts';
import { KIND_RULES, NEITHER } from './kind-rules.ts';
import type { SuggestedBy } from './part.ts';
import { ruleFor } from './rule.ts';

export type Suggestion = Pick<Kind, 'outcome' | 'date' | 'percent' | 'reason'>;

/** @param by state columns by their name in the mapping */
export function suggestionFor(
  values: KindValues,
  by: ReadonlyMap<string, SuggestedBy>,
  context: FileContext = {},
): Suggestion {
  const facts = kindFacts(values, by, context);
  const rule = ruleFor(KIND_RULES, facts) ?? NEITHER;
  return { ...rule.says(facts), reason: rule.reason(facts) };
}
