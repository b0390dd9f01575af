/** What a client notices between two versions of a schema. What a request may hold must not shrink; what a response may hold must not grow. */
import { isDeepStrictEqual } from 'node:util';

/** Part of a document. */
export type Node = Readonly<Record<string, unknown>>;

export interface Change {
  readonly kind: 'added' | 'deprecated' | 'broken';
  /** The operation or schema, and the member in it. */
  readonly at: string;
  readonly what: string;
}

export type Direction = 'request' | 'response';

export interface Context {
  readonly at: string;
  readonly direction: Direction;
  readonly documents: readonly [Node, Node];
  /** References that were compared, so that a schema that holds itself ends. */
  readonly seen: Set<string>;
}

type Pair = readonly [before: Node, after: Node];

const SILENT = new Set(['description', 'example', 'examples', 'title']);
/** Keywords that have a rule below. */
const COMPARED = new Set(['$ref', 'type', 'enum', 'properties', 'required', 'items', 'anyOf', 'deprecated']);
/** A bound, and whether a larger value allows more. */
const BOUNDS: Readonly<Record<string, 1 | -1>> = {
  maximum: 1,
  maxLength: 1,
  maxItems: 1,
  minimum: -1,
  minLength: -1,
  minItems: -1,
};
/** Any change of these is taken for a breaking one. */
const EXACT = ['format', 'pattern', 'default', 'if', 'then', 'not', 'additionalProperties'];
const KNOWN = new Set([...SILENT, ...COMPARED, ...Object.keys(BOUNDS), ...EXACT]);

/** The object at these names; empty where there is none. */
export function nodeAt(node: Node, ...names: readonly string[]): Node {
  return names.reduce((part, name) => (part[name] ?? {}) as Node, node);
}

/** The component that a reference names, or the thing itself. */
export function resolved(document: Node, thing: Node): Node {
  const ref = thing['$ref'];
  return typeof ref === 'string' ? nodeAt(document, ...ref.slice('#/'.length).split('/')) : thing;
}

/** @throws Error on a keyword that has no rule here. */
export function compareSchemas([before, after]: Pair, context: Context): Change[] {
  const refs = [before['$ref'], after['$ref']].map(String);
  if ('$ref' in before && '$ref' in after) {
    if (refs[0] !== refs[1]) return [broken(context, `it was a ${nameOf(refs[0])} and is a ${nameOf(refs[1])}`)];
    const key = `${context.direction} ${refs[0]}`;
    if (context.seen.has(key)) return [];
    context.seen.add(key);
    const [old, now] = context.documents;
    const at = nameOf(refs[0]);
    return compareSchemas([resolved(old, before), resolved(now, after)], { ...context, at });
  }
  if ('$ref' in before || '$ref' in after) return [broken(context, 'a schema of its own became another')];
  for (const keyword of [...Object.keys(before), ...Object.keys(after)]) {
    if (!KNOWN.has(keyword)) throw new Error(`No rule compares the keyword ${keyword} (${context.at}).`);
  }
  return RULES.flatMap((rule) => rule([before, after], context));
}

const shown = (value: unknown): string => JSON.stringify(value) ?? 'none';
const nameOf = (ref = ''): string => ref.split('/').at(-1) ?? ref;
const broken = ({ at }: Context, what: string): Change => ({ kind: 'broken', at, what });
const added = ({ at }: Context, what: string): Change => ({ kind: 'added', at, what });
const inside = (context: Context, name: string): Context => ({ ...context, at: `${context.at}.${name}` });

const RULES = [deprecations, types, values, bounds, exact, members, items, branches];

function deprecations([before, after]: Pair, { at }: Context): Change[] {
  const isNew = after['deprecated'] === true && before['deprecated'] !== true;
  return isNew ? [{ kind: 'deprecated', at, what: 'the member' }] : [];
}

/** More is allowed, or less: which of them breaks clients depends on who sends it. */
function widened(context: Context, what: string): Change {
  return (context.direction === 'request' ? added : broken)(context, what);
}

function narrowed(context: Context, what: string): Change[] {
  return context.direction === 'request' ? [broken(context, what)] : [];
}

function types([before, after]: Pair, context: Context): Change[] {
  return sets([before['type'], after['type']], context, 'the type');
}

/** A schema without this keyword allows any. */
function sets([before, after]: readonly [unknown, unknown], context: Context, what: string): Change[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return narrowed(context, `${what} is now limited`);
  if (after === undefined) return [widened(context, `${what} is no longer limited`)];
  const [old, now] = [[before].flat(), [after].flat()];
  return [
    ...old
      .filter((value) => !now.includes(value))
      .flatMap((value) => narrowed(context, `${what} ${shown(value)} is gone`)),
    ...now.filter((value) => !old.includes(value)).map((value) => widened(context, `${what} ${shown(value)} is new`)),
  ];
}

function values([before, after]: Pair, context: Context): Change[] {
  return sets([before['enum'], after['enum']], context, 'the value');
}

function bounds([before, after]: Pair, context: Context): Change[] {
  return Object.entries(BOUNDS).flatMap(([keyword, sign]) => {
    const none = sign * Number.POSITIVE_INFINITY;
    const [old, now] = [before, after].map((schema) => sign * Number(schema[keyword] ?? none)) as [number, number];
    if (now === old) return [];
    const what = `${keyword} was ${shown(before[keyword])} and is ${shown(after[keyword])}`;
    return now > old ? [widened(context, what)] : narrowed(context, what);
  });
}

function exact([before, after]: Pair, context: Context): Change[] {
  return EXACT.filter((keyword) => !isDeepStrictEqual(before[keyword], after[keyword])).map((keyword) =>
    broken(context, `${keyword} is another`),
  );
}

function members([before, after]: Pair, context: Context): Change[] {
  const [old, now] = [nodeAt(before, 'properties'), nodeAt(after, 'properties')];
  const [was, is] = [before, after].map((schema) => new Set((schema['required'] ?? []) as string[])) as [
    Set<string>,
    Set<string>,
  ];
  return [
    ...Object.keys(old)
      .filter((name) => !Object.hasOwn(now, name))
      .map((name) => broken(inside(context, name), 'the member is gone')),
    ...Object.entries(now).flatMap(([name, schema]) => {
      const at = inside(context, name);
      const isRequired = is.has(name);
      if (!Object.hasOwn(old, name))
        return isRequired && at.direction === 'request'
          ? [broken(at, 'a new required member')]
          : [added(at, 'a new member')];
      return [
        ...(isRequired && !was.has(name) ? narrowed(at, 'it is now required') : []),
        ...(was.has(name) && !isRequired ? [widened(at, 'it may now be absent')] : []),
        ...compareSchemas([old[name] as Node, schema as Node], at),
      ];
    }),
  ];
}

function items([before, after]: Pair, context: Context): Change[] {
  const pair = [before['items'], after['items']];
  if (pair.every((schema) => schema === undefined)) return [];
  if (pair.includes(undefined)) return [broken(context, 'the items have a schema in one of the documents only')];
  return compareSchemas(pair as unknown as Pair, inside(context, '[]'));
}

function branches([before, after]: Pair, context: Context): Change[] {
  const [old, now] = [before, after].map((schema) => (schema['anyOf'] ?? []) as readonly Node[]) as [Node[], Node[]];
  if (old.length !== now.length) return [broken(context, 'it has other alternatives')];
  return old.flatMap((schema, at) => compareSchemas([schema, now[at] as Node], context));
}
