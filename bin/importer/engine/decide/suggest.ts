/** Suggests what the rows of a kind become, by the first rule that fits. */
import type { KindValues, Suggestion } from '../language/findings.ts';
import type { FileContext } from './begun.ts';
import { type KindFacts, kindFacts } from './kind-facts.ts';
import { KIND_RULES, NEITHER } from './kind-rules.ts';
import type { SuggestedBy } from './part.ts';
import { ruleFor } from './rule.ts';

/** A kind with what is suggested for it by itself. */
export interface SuggestedKind {
  readonly values: KindValues;
  readonly facts: KindFacts;
  readonly suggestion: Suggestion;
}

/** @param by state columns by their name in the mapping */
export function suggestedKind(
  values: KindValues,
  by: ReadonlyMap<string, SuggestedBy>,
  context: FileContext = {},
): SuggestedKind {
  const facts = kindFacts(values, by, context);
  const rule = ruleFor(KIND_RULES, facts) ?? NEITHER;
  return { values, facts, suggestion: { ...rule.says(facts), reason: rule.reason(facts) } };
}
