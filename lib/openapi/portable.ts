/**
 * JSON Schema in words that generators understand, with the same verdict on every request: a single value is an `enum`, a nullable
 * one has two types, numbers are of 64 bits, everything has a bound. Instants of responses have only a format.
 */
import { isObject } from '../../functions/records/json.ts';
import { MAX_BODY_BYTES } from '../../functions/shared/limits.ts';

export type PortableSchema = Readonly<Record<string, unknown>>;

/** Limits by type that no request and no response exceeds. An item of an array takes two bytes at least. */
const WIDEST: Readonly<Record<string, object>> = {
  integer: { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  string: { maxLength: MAX_BODY_BYTES },
  array: { maxItems: MAX_BODY_BYTES / 2 },
};

const FORMATS: Readonly<Record<string, object>> = { integer: { format: 'int64' }, number: { format: 'double' } };

/** The schema in the keywords that all common generators read, with bounds for every type. */
export function portable(schema: object): PortableSchema {
  return RULES.reduce((rewrittenSoFar, rule) => rule(rewrittenSoFar), inEach(schema, rewritten));
}

function inEach(schema: object, rewrite: (keyword: string, value: unknown) => unknown): PortableSchema {
  const parts = Object.entries(schema).map(([keyword, value]) => [keyword, rewrite(keyword, value)] as const);
  return Object.fromEntries(parts);
}

const RULES = [withoutConst, withoutNullBranch, withWholeNumbers, withInstants, withBounds, withoutEmptyList];

function rewritten(keyword: string, value: unknown): unknown {
  if (keyword === 'anyOf') return listOf(value).map((branch) => portable(branch));
  if (!isObject(value)) return value;
  if (keyword === 'items') return portable(value);
  return keyword === 'properties'
    ? inEach(value, (_, member) => (isObject(member) ? portable(member) : member))
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

function withBounds(schema: PortableSchema): PortableSchema {
  const types = new Set([schema['type']].flat());
  const format = [...types].map((type) => FORMATS[String(type)]).find((found) => found !== undefined) ?? {};
  if (schema['enum'] !== undefined) return { ...schema, ...format };
  const widest = Object.fromEntries([...types].flatMap((type) => Object.entries(WIDEST[String(type)] ?? {})));
  return { ...schema, ...widest, ...schema, ...format };
}

function withoutEmptyList({ required, ...schema }: PortableSchema): PortableSchema {
  return Array.isArray(required) && required.length > 0 ? { ...schema, required } : schema;
}
