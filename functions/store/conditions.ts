/** Conditions of a write as values with names, so that each half of one can be read: `allOf(notYetSummarised, stillOpen)`. */

/** Gives out placeholders for attribute paths (`current.jti`) and values while an expression is written. */
export interface Binder {
  readonly name: (path: string) => string;
  readonly value: (value: unknown) => string;
}

export type Condition = (bind: Binder) => string;

export const isAbsent =
  (path: string): Condition =>
  ({ name }) =>
    `attribute_not_exists(${name(path)})`;

export const isPresent =
  (path: string): Condition =>
  ({ name }) =>
    `attribute_exists(${name(path)})`;

export const equals = (path: string, value: unknown): Condition => comparison(path, '=', value);
export const isBelow = (path: string, value: number): Condition => comparison(path, '<', value);
export const isAtMost = (path: string, value: number): Condition => comparison(path, '<=', value);
export const isAbove = (path: string, value: number): Condition => comparison(path, '>', value);

/** AND binds closer than OR, and the database refuses redundant parentheses: only a choice needs them. */
export const allOf =
  (...conditions: readonly Condition[]): Condition =>
  (bind) =>
    conditions.map((condition) => condition(bind)).join(' AND ');

export const anyOf =
  (...conditions: readonly Condition[]): Condition =>
  (bind) =>
    `(${conditions.map((condition) => condition(bind)).join(' OR ')})`;

function comparison(path: string, operator: string, value: unknown): Condition {
  return (bind) => `${bind.name(path)} ${operator} ${bind.value(value)}`;
}
