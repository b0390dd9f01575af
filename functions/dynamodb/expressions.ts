import type { Item } from './client.ts';

/** Gives out placeholders for attribute paths (`current.jti`) and values while an expression is written. */
interface Binder {
  readonly name: (path: string) => string;
  readonly value: (value: unknown) => string;
  readonly absent: (name: string) => string;
  readonly present: (name: string) => string;
}

/** A part of a condition. It is bound when an expression or a statement is written, which have other placeholders. */
export type Condition = (bind: Binder) => string;

/** Of a put or an update it holds also where there is no item; a statement needs one. */
export const isAbsent =
  (path: string): Condition =>
  ({ name, absent }) =>
    absent(name(path));

/** Holds only where the item exists and has the attribute. */
export const isPresent =
  (path: string): Condition =>
  ({ name, present }) =>
    present(name(path));

/** Comparisons do not hold where the attribute is absent: combine them with `isAbsent` if that must pass. */
export const equals = (path: string, value: unknown): Condition => comparison(path, '=', value);
export const differs = (path: string, value: unknown): Condition => comparison(path, '<>', value);
export const isBelow = (path: string, value: number): Condition => comparison(path, '<', value);
export const isAtMost = (path: string, value: number): Condition => comparison(path, '<=', value);
export const isAbove = (path: string, value: number): Condition => comparison(path, '>', value);

/** AND binds closer than OR, and the database refuses redundant parentheses: only a choice needs them. */
export const allOf =
  (...conditions: readonly Condition[]): Condition =>
  (bind) =>
    conditions.map((condition) => condition(bind)).join(' AND ');

/** In parentheses, so that it can be a member of `allOf`. */
export const anyOf =
  (...conditions: readonly Condition[]): Condition =>
  (bind) =>
    `(${conditions.map((condition) => condition(bind)).join(' OR ')})`;

function comparison(path: string, operator: string, value: unknown): Condition {
  return (bind) => `${bind.name(path)} ${operator} ${bind.value(value)}`;
}

/** The changes of an update. It creates an absent item unless `when` forbids it. */
export interface Change {
  readonly set?: Item;
  readonly setIfAbsent?: Item;
  readonly add?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
  readonly when?: Condition;
}

/** The members of a put or a delete that make it conditional; none without `when`. */
export function conditionOf(when: Condition | undefined) {
  if (when === undefined) return {};
  const { bind, bound } = binder();
  return { ConditionExpression: when(bind), ...bound() };
}

/** The members of an update: clauses without terms are left out, because the database refuses empty ones. */
export function expressionsOf({ set = {}, setIfAbsent = {}, add = {}, remove = [], when }: Change) {
  const { bind, bound } = binder();
  const each = (values: Item, term: (name: string, value: string) => string) =>
    Object.entries(values).map(([name, value]) => term(bind.name(name), bind.value(value)));
  const clauses = {
    SET: [
      ...each(set, (name, value) => `${name} = ${value}`),
      ...each(setIfAbsent, (name, value) => `${name} = if_not_exists(${name}, ${value})`),
    ],
    ADD: each(add, (name, value) => `${name} ${value}`),
    REMOVE: remove.map(bind.name),
  };
  const made = Object.entries(clauses).filter(([, terms]) => terms.length > 0);
  const UpdateExpression = made.map(([keyword, terms]) => `${keyword} ${terms.join(', ')}`).join(' ');
  return { UpdateExpression, ...(when && { ConditionExpression: when(bind) }), ...bound() };
}

/** What a statement does to an item that exists. Of attributes it removes one: not every engine of the local stack reads more. */
type StatementChange = { readonly set: Item } | { readonly remove: string } | 'delete';

/** A statement of PartiQL; parameters: what is set, the key, the condition. Every engine reads a single SET. */
export function statementOf(table: string, key: Item, change: StatementChange, when?: Condition) {
  const Parameters: unknown[] = [];
  const bind: Binder = {
    name: (path) => `"${path.replaceAll('.', '"."')}"`,
    value: (value) => {
      Parameters.push(value);
      return '?';
    },
    absent: (name) => `${name} IS MISSING`,
    present: (name) => `${name} IS NOT MISSING`,
  };
  const equations = (values: Item) =>
    Object.entries(values).map(([name, value]) => `${bind.name(name)} = ${bind.value(value)}`);
  const verbOf = () => {
    if (change === 'delete') return `DELETE FROM "${table}"`;
    const made = 'set' in change ? `SET ${equations(change.set).join(', ')}` : `REMOVE ${bind.name(change.remove)}`;
    return `UPDATE "${table}" ${made}`;
  };
  const verb = verbOf();
  const where = [...equations(key), ...(when ? [when(bind)] : [])].join(' AND ');
  return { Statement: `${verb} WHERE ${where}`, Parameters };
}

/** Placeholders for every name and value, so that no attribute name can be taken for a reserved word. */
function binder() {
  const names = new Map<string, string>();
  const values: unknown[] = [];
  const placeholder = (name: string): string => {
    const short = names.get(name) ?? `#n${names.size}`;
    names.set(name, short);
    return short;
  };
  const bind: Binder = {
    name: (path) => path.split('.').map(placeholder).join('.'),
    value: (value) => `:v${values.push(value) - 1}`,
    absent: (name) => `attribute_not_exists(${name})`,
    present: (name) => `attribute_exists(${name})`,
  };
  const bound = () => ({
    ...(names.size > 0 && {
      ExpressionAttributeNames: Object.fromEntries([...names].map(([name, short]) => [short, name])),
    }),
    ...(values.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(values.map((value, i) => [`:v${i}`, value])),
    }),
  });
  return { bind, bound };
}
