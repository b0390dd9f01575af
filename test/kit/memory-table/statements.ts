/** The PartiQL statements that the store writes. */
import { conditionOf } from './expressions.ts';
import { type Attributes, DatabaseError, type Key } from './memory-table.ts';

const INSERT = /^INSERT INTO "[^"]+" VALUE \{(.*)\}$/;
const INSERTED_NAME = /'([^']+)': \?/g;
const UPDATE = /^UPDATE "[^"]+" SET (.+) WHERE "pk" = \? AND "sk" = \?(?: AND (.+))?$/;
const REMOVE = /^UPDATE "[^"]+" REMOVE "([^"]+)" WHERE "pk" = \? AND "sk" = \?$/;
const DELETE = /^DELETE FROM "[^"]+" WHERE "pk" = \? AND "sk" = \?(?: AND (.+))?$/;
const NAME_OR_VALUE = /"([^"]+)"(?: IS( NOT)? MISSING)?|\?/g;

interface ReadStatement {
  readonly key: Key;
  /** Returns the item after the statement. @throws DatabaseError that refuses it */
  readonly changed: (stored: Attributes | undefined) => Attributes | undefined;
}

export function readStatement(text: string, parameters: readonly unknown[]): ReadStatement {
  const insert = INSERT.exec(text)?.[1];
  if (insert !== undefined) return readInsert(insert, parameters);
  const [, removed] = REMOVE.exec(text) ?? [];
  if (removed !== undefined) return readRemove(removed, parameters);
  const deletion = DELETE.exec(text);
  if (deletion !== null) return readDelete(deletion[1], parameters);
  const [, assignments, when] = UPDATE.exec(text) ?? [];
  if (assignments === undefined) throw new Error(`the memory engine cannot read: ${text}`);
  return readUpdate(assignments, when, parameters);
}

const refused = () => new DatabaseError('ConditionalCheckFailed', 'The conditional request failed');

function readRemove(name: string, [pk, sk]: readonly unknown[]): ReadStatement {
  const changed = (stored: Attributes | undefined) => {
    if (stored === undefined) throw refused();
    const { [name]: _, ...left } = stored;
    return left;
  };
  return { key: keyOf(pk, sk), changed };
}

/** It succeeds where there is no item. */
function readDelete(condition: string | undefined, [pk, sk, ...values]: readonly unknown[]): ReadStatement {
  const holds = condition === undefined ? () => true : readCondition(condition, values);
  const changed = (stored: Attributes | undefined) => {
    if (stored !== undefined && !holds(stored)) throw refused();
    return undefined;
  };
  return { key: keyOf(pk, sk), changed };
}

function readInsert(attributes: string, parameters: readonly unknown[]): ReadStatement {
  const names = [...attributes.matchAll(INSERTED_NAME)];
  const item: Attributes = Object.fromEntries(names.map(([, name = ''], position) => [name, parameters[position]]));
  const changed = (stored: Attributes | undefined) => {
    if (stored !== undefined) throw new DatabaseError('DuplicateItem', 'DuplicateItem');
    return item;
  };
  return { key: keyOf(item['pk'], item['sk']), changed };
}

function readUpdate(assignments: string, condition: string | undefined, parameters: readonly unknown[]): ReadStatement {
  const names = assignments.split(', ').map((each) => /^"([^"]+)" = \?$/.exec(each)?.[1] ?? '');
  if (names.includes('')) throw new Error(`the memory engine cannot read: SET ${assignments}`);
  const set = Object.fromEntries(names.map((name, position) => [name, parameters[position]]));
  const [pk, sk, ...values] = parameters.slice(names.length);
  const holds = condition === undefined ? () => true : readCondition(condition, values);
  const changed = (stored: Attributes | undefined) => {
    if (stored !== undefined && holds(stored)) return { ...stored, ...set };
    throw refused();
  };
  return { key: keyOf(pk, sk), changed };
}

/** A condition of PartiQL by the expression that says the same. */
function readCondition(condition: string, parameters: readonly unknown[]): (item: Attributes) => boolean {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const expression = condition.replaceAll(NAME_OR_VALUE, (found: string, name?: string, not?: string) => {
    if (name === undefined) return placed(values, ':v', parameters[Object.keys(values).length]);
    const placeholder = placed(names, '#n', name);
    if (!found.endsWith('MISSING')) return placeholder;
    return `${not === undefined ? 'attribute_not_exists' : 'attribute_exists'}(${placeholder})`;
  });
  return (item) => conditionOf(expression)(item, { names, values });
}

function placed<T>(bound: Record<string, T>, prefix: string, value: T): string {
  const placeholder = `${prefix}${Object.keys(bound).length}`;
  bound[placeholder] = value;
  return placeholder;
}

const keyOf = (pk: unknown, sk: unknown): Key => ({ pk: String(pk), sk: String(sk) });
