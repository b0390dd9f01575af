/**
 * JSON Schema in words that generators understand, with the same verdict on every request: a single value is an `enum`, a nullable
 * one has two types, numbers are of 64 bits, everything in a request has a bound. Instants of responses have only a format.
 */
import { isObject } from '../../functions/records/json.ts';
import { MAX_BODY_BYTES } from '../../functions/shared/limits.ts';

export type PortableSchema = Readonly<Record<string, unknown>>;

const WHOLE = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** Limits by type that no request exceeds. An item of an array takes two bytes at least. */
const WIDEST: Readonly<Record<string, object>> = {
  integer: WHOLE,
  string: { maxLength: MAX_BODY_BYTES },
  array: { maxItems: MAX_BODY_BYTES / 2 },
};

const FORMATS: Readonly<Record<string, object>> = { integer: { format: 'int64' }, number: { format: 'double' } };

/** A schema of a request. */
export const portable = (schema: object): PortableSchema => rewritten(schema, WIDEST);

/** Texts and lists of a response have no bound: a client would refuse the longer one of a later version. */
export const portableResponse = (schema: object): PortableSchema => rewritten(schema, { integer: WHOLE });

type Bounds = typeof WIDEST;

function rewritten(schema: object, widest: Bounds): PortableSchema {
  const parts = inEach(schema, (keyword, value) => rewrittenPart(keyword, value, widest));
  const words = RULES.reduce((rewrittenSoFar, rule) => rule(rewrittenSoFar), parts);
  return withoutEmptyList(withBounds(words, widest));
}

function inEach(schema: object, rewrite: (keyword: string, value: unknown) => unknown): PortableSchema {
  const parts = Object.entries(schema).map(([keyword, value]) => [keyword, rewrite(keyword, value)] as const);
  return Object.fromEntries(parts);
}

const RULES = [withoutConst, withoutNullBranch, withWholeNumbers, withInstants];

function rewrittenPart(keyword: string, value: unknown, widest: Bounds): unknown {
  if (keyword === 'anyOf') return listOf(value).map((branch) => rewritten(branch, widest));
  if (!isObject(value)) return value;
  if (keyword === 'items') return rewritten(value, widest);
  return keyword === 'properties'
    ? inEach(value, (_, member) => (isObject(member) ? rewritten(member, widest) : member))
    : value;
}

const listOf = (value: unknown): readonly PortableSchema[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Generators have no enumeration of booleans: C# makes one of integers, and does not compile. */
function withoutConst({ const: value, ...schema }: PortableSchema): PortableSchema {
  if (typeof value === 'boolean') return { type: 'boolean', ...schema };
  return value === undefined ? schema : { type: typeof value, enum: [value], ...schema };
}

/** A reference keeps its branch, because it has no type of its own to add `null` to. */
function withoutNullBranch(schema: PortableSchema): PortableSchema {
  const { anyOf, ...others } = schema;
  const [branch, empty, ...more] = listOf(anyOf);
  if (empty?.['type'] !== 'null' || more.length > 0 || typeof branch?.['type'] !== 'string') return schema;
  const { type, enum: values, ...rest } = branch;
  return {
    type: [type, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
    ...rest,
    ...others,
  };
}

function withWholeNumbers(schema: PortableSchema): PortableSchema {
  const values = schema['enum'];
  if (schema['type'] !== 'number' || !Array.isArray(values) || !values.every(Number.isSafeInteger)) return schema;
  return { ...schema, type: 'integer' };
}

/** `date-time` is a type of its own in many languages: C# that compares one with a pattern does not compile. */
function withInstants({ pattern, ...schema }: PortableSchema): PortableSchema {
  return pattern === undefined || schema['format'] === 'date-time' ? schema : { ...schema, pattern };
}

function withBounds(schema: PortableSchema, bounds: Bounds): PortableSchema {
  const types = new Set([schema['type']].flat());
  const format = [...types].map((type) => FORMATS[String(type)]).find((found) => found !== undefined) ?? {};
  if (schema['enum'] !== undefined) return { ...schema, ...format };
  const widest = Object.fromEntries([...types].flatMap((type) => Object.entries(bounds[String(type)] ?? {})));
  return { ...schema, ...widest, ...schema, ...format };
}

function withoutEmptyList({ required, ...schema }: PortableSchema): PortableSchema {
  return Array.isArray(required) && required.length > 0 ? { ...schema, required } : schema;
}
