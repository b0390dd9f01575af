/** Ordered tables of rules: the first whose needs are met decides, and its name says which one it was. */
import { type Code, type Codes, type Said, say } from '../ground/codes.ts';

/** A rule with its reason, which is the code of its name. */
export interface Rule<Facts, Verdict> {
  readonly name: Code;
  /**
   * A table in which it decides about the first row, or the first column: rows of `Column: cell; Column: cell`, apart by ` / `; or `@` and
   * the name of a longer table of the tests. The test of the rules reads it.
   */
  readonly example: string;
  readonly needs: (facts: Facts) => boolean;
  readonly says: (facts: Facts) => Verdict;
  readonly reason: (facts: Facts) => Said;
}

interface RuleRow<Facts, Verdict, Name extends Code> {
  readonly name: Name;
  readonly example: string;
  readonly needs: Rule<Facts, Verdict>['needs'];
  readonly says?: Rule<Facts, Verdict>['says'];
}

/** Makes the rows of one table. @param otherwise what a row without a verdict of its own says */
export const rowsOf =
  <Facts, Verdict>(otherwise: () => Verdict) =>
  <Name extends Code>(
    row: RuleRow<Facts, Verdict, Name>,
    ...[paramsOf]: Codes[Name] extends Readonly<Record<string, never>> ? [] : [(facts: Facts) => Codes[Name]]
  ): Rule<Facts, Verdict> => ({
    says: otherwise,
    ...row,
    reason: (facts) => say(row.name, paramsOf?.(facts) ?? ({} as Codes[Name])),
  });

/** The same rules, for facts of which something more holds. */
export const where = <Facts, Verdict>(
  holds: (facts: Facts) => boolean,
  rules: readonly Rule<Facts, Verdict>[],
): Rule<Facts, Verdict>[] => rules.map((rule) => ({ ...rule, needs: (facts) => holds(facts) && rule.needs(facts) }));

/** The rule that decides. */
export const ruleFor = <Facts, Some extends { readonly needs: (facts: Facts) => boolean }>(
  rules: readonly Some[],
  facts: Facts,
): Some | undefined => rules.find(({ needs }) => needs(facts));
