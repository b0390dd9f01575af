/** The part of DynamoDB's expression language that the store speaks, parsed once a text and evaluated on one item. */
import type { Attributes } from './memory-table.ts';

export interface Bindings {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

type Operand = (item: Attributes, bindings: Bindings) => unknown;
export type Predicate = (item: Attributes, bindings: Bindings) => boolean;
type Path = (bindings: Bindings) => string[];

const TOKEN = /\s*(<>|<=|>=|[(),=<>]|[#:]?[A-Za-z_][A-Za-z0-9_]*(?:\.[#A-Za-z0-9_]+)*|[#:][A-Za-z0-9_]+)/y;

class Tokens {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.trimEnd().length) {
      const match = TOKEN.exec(text);
      if (match === null) throw new Error(`the memory engine cannot read: ${text}`);
      this.#tokens.push(match[1] ?? '');
    }
  }

  peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  take(expected?: string): string {
    const token = this.#tokens[this.#at] ?? '';
    if (expected !== undefined && token.toUpperCase() !== expected)
      throw new Error(`expected ${expected}, met ${token}`);
    this.#at += 1;
    return token;
  }

  skip(wanted: string): boolean {
    if (this.peek()?.toUpperCase() !== wanted) return false;
    this.#at += 1;
    return true;
  }
}

function cached<T>(parse: (text: string) => T): (text: string) => T {
  const parsed = new Map<string, T>();
  return (text) => {
    const known = parsed.get(text);
    if (known !== undefined) return known;
    const fresh = parse(text);
    parsed.set(text, fresh);
    return fresh;
  };
}

export const conditionOf = cached((text): Predicate => {
  const tokens = new Tokens(text);
  const predicate = disjunction(tokens);
  if (tokens.peek() !== undefined) throw new Error(`the memory engine cannot read: ${text}`);
  return predicate;
});

function disjunction(tokens: Tokens): Predicate {
  const terms = [conjunction(tokens)];
  while (tokens.skip('OR')) terms.push(conjunction(tokens));
  return (item, bindings) => terms.some((term) => term(item, bindings));
}

function conjunction(tokens: Tokens): Predicate {
  const terms = [comparison(tokens)];
  while (tokens.skip('AND')) terms.push(comparison(tokens));
  return (item, bindings) => terms.every((term) => term(item, bindings));
}

function comparison(tokens: Tokens): Predicate {
  if (tokens.skip('(')) {
    const inner = disjunction(tokens);
    tokens.take(')');
    return inner;
  }
  if (tokens.skip('ATTRIBUTE_NOT_EXISTS')) return existence(tokens, false);
  if (tokens.skip('ATTRIBUTE_EXISTS')) return existence(tokens, true);
  const left = operand(tokens.take());
  const operator = tokens.take();
  if (operator.toUpperCase() === 'BETWEEN') return range(left, tokens);
  const compare = comparator(operator);
  const right = operand(tokens.take());
  return (item, bindings) => compare(left(item, bindings), right(item, bindings));
}

function range(value: Operand, tokens: Tokens): Predicate {
  const from = operand(tokens.take());
  tokens.take('AND');
  const to = operand(tokens.take());
  const inOrder = comparator('<=');
  return (item, bindings) =>
    inOrder(from(item, bindings), value(item, bindings)) && inOrder(value(item, bindings), to(item, bindings));
}

function existence(tokens: Tokens, wanted: boolean): Predicate {
  tokens.take('(');
  const path = pathOf(tokens.take());
  tokens.take(')');
  return (item, bindings) => (valueAt(item, path(bindings)) !== undefined) === wanted;
}

function operand(token: string): Operand {
  if (token.startsWith(':')) return (_, { values }) => values[token];
  const path = pathOf(token);
  return (item, bindings) => valueAt(item, path(bindings));
}

function pathOf(token: string): Path {
  const steps = token.split('.');
  return ({ names }) => steps.map((step) => (step.startsWith('#') ? (names[step] ?? step) : step));
}

function valueAt(item: Attributes, path: readonly string[]): unknown {
  let value: unknown = item;
  for (const step of path) value = (value as Attributes | undefined)?.[step];
  return value;
}

function comparator(operator: string): (a: unknown, b: unknown) => boolean {
  if (operator === '=') return equal;
  if (operator === '<>') return (a, b) => !equal(a, b);
  const holds: Record<string, (order: number) => boolean> = {
    '<': (order) => order < 0,
    '<=': (order) => order <= 0,
    '>': (order) => order > 0,
    '>=': (order) => order >= 0,
  };
  const check = holds[operator];
  if (check === undefined) throw new Error(`the memory engine does not know ${operator}`);
  return (a, b) => a !== undefined && typeof a === typeof b && check(order(a, b));
}

export function order(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [one, other] = [String(a), String(b)];
  // As bytes of UTF-8, which order like code units where there is no surrogate.
  if (SURROGATE.test(one) || SURROGATE.test(other)) return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : Number(one > other);
}
const SURROGATE = /[\uD800-\uDFFF]/;

function equal(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null) return a === b;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The attributes after an update; the item is not changed in place. */
export type Update = (item: Attributes, bindings: Bindings) => Attributes;

type Clause = (before: Attributes, after: Record<string, unknown>, bindings: Bindings) => void;

export const updateOf = cached((text): Update => {
  const tokens = new Tokens(text);
  const clauses: Clause[] = [];
  while (tokens.peek() !== undefined) {
    const keyword = tokens.take().toUpperCase();
    do clauses.push(clause(keyword, tokens));
    while (tokens.skip(','));
  }
  return (before, bindings) => {
    const after = { ...before };
    for (const change of clauses) change(before, after, bindings);
    return after;
  };
});

function clause(keyword: string, tokens: Tokens): Clause {
  const path = pathOf(tokens.take());
  const nameIn = (bindings: Bindings) => path(bindings)[0] ?? '';
  if (keyword === 'REMOVE') {
    return (_, after, bindings) => {
      delete after[nameIn(bindings)];
    };
  }
  if (keyword === 'ADD') {
    const amount = operand(tokens.take());
    return (before, after, bindings) => {
      const name = nameIn(bindings);
      after[name] = ((before[name] as number | undefined) ?? 0) + Number(amount(before, bindings));
    };
  }
  if (keyword !== 'SET') throw new Error(`the memory engine does not know ${keyword}`);
  tokens.take('=');
  const value = assigned(tokens);
  return (before, after, bindings) => {
    after[nameIn(bindings)] = value(before, bindings);
  };
}

function assigned(tokens: Tokens): Operand {
  if (!tokens.skip('IF_NOT_EXISTS')) return operand(tokens.take());
  tokens.take('(');
  const present = operand(tokens.take());
  tokens.take(',');
  const otherwise = operand(tokens.take());
  tokens.take(')');
  return (item, bindings) => {
    const current = present(item, bindings);
    return current === undefined ? otherwise(item, bindings) : current;
  };
}
