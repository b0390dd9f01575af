/**
 * What a client notices between two OpenAPI documents: what is added, deprecated and broken. It knows the keywords that our
 * document uses, and throws on any other: a keyword that it does not compare could hide a breaking change.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Change, type Direction, type Node, compareSchemas, nodeAt, resolved } from './schema-changes.ts';

export type { Change } from './schema-changes.ts';

type Documents = readonly [before: Node, after: Node];

/** Everything that changed from one document to the next, each once. */
export function changesBetween(before: object, after: object): Change[] {
  const documents = [before, after] as unknown as Documents;
  const [old, now] = documents.map(operationsOf) as [Map<string, Node>, Map<string, Node>];
  const schemas = documents.map((document) => Object.keys(nodeAt(document, 'components', 'schemas')));
  const changes = [
    ...missing(old, now).map((name) => broken(name, 'the operation is gone')),
    ...missing(now, old).map((name) => added(name, 'a new operation')),
    ...(schemas[0] ?? [])
      .filter((name) => schemas[1]?.includes(name) !== true)
      .map((name) => broken(name, 'the schema is gone; generated clients have a type of this name')),
    ...[...now].flatMap(([name, operation]) => {
      const earlier = old.get(name);
      return earlier === undefined ? [] : compareOperations(name, [earlier, operation], documents);
    }),
  ];
  return [...new Map(changes.map((change) => [`${change.kind} ${change.at} ${change.what}`, change])).values()];
}

const broken = (at: string, what: string): Change => ({ kind: 'broken', at, what });
const added = (at: string, what: string): Change => ({ kind: 'added', at, what });
const missing = (from: ReadonlyMap<string, unknown>, within: ReadonlyMap<string, unknown>) =>
  [...from.keys()].filter((name) => !within.has(name));

/** By method and path. */
function operationsOf(document: Node): Map<string, Node> {
  return new Map(
    Object.entries(nodeAt(document, 'paths')).flatMap(([path, item]) =>
      Object.entries(item as Node).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as Node]),
    ),
  );
}

function compareOperations(name: string, [before, after]: Documents, documents: Documents): Change[] {
  const fixed = [
    ['operationId', 'the operation id is another; generated clients have a method of this name'],
    ['security', 'it asks for other credentials'],
  ] as const;
  return [
    ...fixed.flatMap(([member, what]) =>
      isDeepStrictEqual(before[member], after[member]) ? [] : [broken(name, what)],
    ),
    ...deprecations(name, [before, after], documents),
    ...compareParameters(name, [before, after], documents),
    ...compareBodies(name, [before['requestBody'], after['requestBody']], documents),
    ...compareResponses(name, [before, after], documents),
  ];
}

const OF_DEPRECATED = ['Deprecation', 'Sunset'];

/** An operation that is deprecated says since when and until when, in each response that succeeds (RFC 9745, RFC 8594). */
function deprecations(name: string, [before, after]: Documents, [, document]: Documents): Change[] {
  if (after['deprecated'] !== true) return [];
  const silent = Object.entries(nodeAt(after, 'responses'))
    .filter(([status]) => isSuccess(status))
    .filter(([, response]) => {
      const headers = Object.keys(nodeAt(resolved(document, response as Node), 'headers'));
      return !OF_DEPRECATED.every((header) => headers.includes(header));
    });
  return [
    ...(before['deprecated'] === true ? [] : [{ kind: 'deprecated', at: name, what: 'the operation' } as const]),
    ...silent.map(([status]) => broken(name, `deprecated, and its ${status} has no Deprecation and Sunset`)),
  ];
}

function compareParameters(name: string, operations: Documents, documents: Documents): Change[] {
  const [old, now] = operations.map((operation, which) => parametersOf(operation, documents[which] as Node)) as [
    Map<string, Node>,
    Map<string, Node>,
  ];
  return [
    ...missing(old, now).map((parameter) => broken(name, `the parameter ${parameter} is gone`)),
    ...[...now].flatMap(([parameter, after]) => {
      const before = old.get(parameter);
      const isRequired = after['required'] === true;
      if (before === undefined)
        return [(isRequired ? broken : added)(name, `a new ${isRequired ? 'required ' : ''}parameter ${parameter}`)];
      const tightened = isRequired && before['required'] !== true;
      return [
        ...(tightened ? [broken(name, `the parameter ${parameter} is now required`)] : []),
        ...schemasOf(`${name} ${parameter}`, [before['schema'], after['schema']], 'request', documents),
      ];
    }),
  ];
}

function parametersOf(operation: Node, document: Node): Map<string, Node> {
  const parameters = (operation['parameters'] ?? []) as readonly Node[];
  return new Map(
    parameters
      .map((parameter) => resolved(document, parameter))
      .map((parameter) => [`${String(parameter['name'])} (${String(parameter['in'])})`, parameter]),
  );
}

function compareBodies(name: string, [before, after]: readonly [unknown, unknown], documents: Documents): Change[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [broken(name, 'it now takes a body')];
  if (after === undefined) return [broken(name, 'it no longer takes a body')];
  return schemasOf(name, [jsonOf(before as Node), jsonOf(after as Node)], 'request', documents);
}

const jsonOf = (holder: Node): unknown => nodeAt(holder, 'content', 'application/json')['schema'];

const isSuccess = (status: string): boolean => status.startsWith('2');

function compareResponses(name: string, operations: Documents, documents: Documents): Change[] {
  const [old, now] = operations.map((operation) => new Map(Object.entries(nodeAt(operation, 'responses')))) as [
    Map<string, Node>,
    Map<string, Node>,
  ];
  return [
    ...missing(old, now)
      .filter(isSuccess)
      .map((status) => broken(name, `it no longer responds ${status}`)),
    ...missing(now, old).map((status) => (isSuccess(status) ? broken : added)(name, `it may now respond ${status}`)),
    ...[...now].flatMap(([status, response]) => {
      const earlier = old.get(status);
      if (earlier === undefined) return [];
      const pair = [resolved(documents[0], earlier), resolved(documents[1], response)] as const;
      return compareResponse(`${name} ${status}`, pair, documents);
    }),
  ];
}

function compareResponse(at: string, [before, after]: Documents, documents: Documents): Change[] {
  const [old, now] = [before, after].map((response, which) => headersOf(response, documents[which] as Node)) as [
    Map<string, Node>,
    Map<string, Node>,
  ];
  return [
    ...missing(old, now).map((header) => broken(at, `the header ${header} is gone`)),
    ...missing(now, old).map((header) => added(at, `a new header ${header}`)),
    ...[...old].flatMap(([header, earlier]) =>
      earlier['required'] === true && now.has(header) && now.get(header)?.['required'] !== true
        ? [broken(at, `the header ${header} may now be absent`)]
        : [],
    ),
    ...schemasOf(at, [jsonOf(before), jsonOf(after)], 'response', documents),
  ];
}

function headersOf(response: Node, document: Node): Map<string, Node> {
  const headers = Object.entries(nodeAt(response, 'headers')) as [string, Node][];
  return new Map(headers.map(([name, header]) => [name, resolved(document, header)]));
}

function schemasOf(
  at: string,
  [before, after]: readonly [unknown, unknown],
  direction: Direction,
  documents: Documents,
): Change[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined || after === undefined) return [broken(at, 'it has a body in one of the documents only')];
  return compareSchemas([before as Node, after as Node], { at, direction, documents, seen: new Set() });
}
