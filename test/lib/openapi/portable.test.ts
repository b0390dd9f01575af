/**
 * The document in the words of generators: which words these are, and that they change no verdict. Costs a second.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type SchemaName, componentSchemas, jsonSchemas } from '../../../lib/openapi/component-schemas.ts';
import { openApiDocument } from '../../../lib/openapi/document.ts';
import { OPERATIONS } from '../../../lib/openapi/operations.ts';
import { cases } from '../../kit/at-length.ts';
import { Dice } from '../../kit/dice.ts';

type Node = Readonly<Record<string, unknown>>;

const document = JSON.parse(JSON.stringify(openApiDocument('0.0.0'))) as Node;
const schemas = componentSchemas();

function* nodesOf(node: unknown, path = ''): Generator<{ path: string; node: Node }> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield { path, node: node as Node };
  for (const [name, part] of Object.entries(node)) {
    if (name !== 'example' && name !== 'examples') yield* nodesOf(part, `${path}/${name}`);
  }
}

const found = (is: (node: Node) => boolean) =>
  [...nodesOf(document)].filter(({ node }) => is(node)).map(({ path }) => path);
const isOf = (type: string, node: Node) => [node['type']].flat().includes(type);
const branches = ({ anyOf }: Node) => (Array.isArray(anyOf) ? (anyOf as Node[]) : []);

describe('keywords that generators do not support', () => {
  it.each<[string, (node: Node) => boolean]>([
    ['a bare const', (node) => 'const' in node && typeof node['const'] !== 'object'],
    ['properties beside an anyOf', (node) => 'properties' in node && 'anyOf' in node],
    ['a nullable in two branches, but of a reference', (node) => branches(node).some(isNull) && !hasReference(node)],
    ['an enum without its type', (node) => Array.isArray(node['enum']) && node['type'] === undefined],
    ['a number that can only be whole', (node) => node['type'] === 'number' && Array.isArray(node['enum'])],
    ['an integer that is not of 64 bits', (node) => isOf('integer', node) && node['format'] !== 'int64'],
    ['an integer without limits', (node) => isOf('integer', node) && !('enum' in node || 'maximum' in node)],
    ['an instant with a pattern', (node) => node['format'] === 'date-time' && 'pattern' in node],
    ['an empty list of required members', ({ required }) => Array.isArray(required) && required.length === 0],
    ['an object of its own in an array', ({ items }) => (items as Node | undefined)?.['type'] === 'object'],
  ])('no schema of the document has %s', (_, is) => {
    expect(found(is)).toEqual([]);
  });

  const hasNoLimit = (node: Node) =>
    (isOf('string', node) && !('enum' in node || 'maxLength' in node)) ||
    (isOf('array', node) && !('maxItems' in node));
  const LIMITS = new Set(['maxLength', 'maxItems']);

  it('every text and list that a client sends has a limit, and none that it reads', () => {
    const sent = JSON.stringify(openApiDocument('0.0.0').paths).matchAll(/"requestBody".*?schemas\/(\w+)/g);
    const bySchema = new Map(Object.entries(schemas));
    const reached = new Set<string>();
    const reach = (name = ''): void => {
      if (reached.has(name)) return;
      reached.add(name);
      for (const [, next] of JSON.stringify(bySchema.get(name)).matchAll(/schemas\/(\w+)/g)) reach(next);
    };
    for (const [, name] of sent) reach(name);
    const { headers, parameters } = document['components'] as Node;
    const requests = [parameters, ...[...reached].map((name) => bySchema.get(name))];
    const responses = [headers, ...[...bySchema].filter(([name]) => !reached.has(name)).map(([, schema]) => schema)];
    const places = (parts: unknown, is: (node: Node) => boolean) =>
      [...nodesOf(parts)].filter(({ node }) => is(node)).map(({ path }) => path);
    expect(reached.size).toBeGreaterThan(15);
    expect(places(requests, hasNoLimit)).toEqual([]);
    expect(places(responses, (node) => Object.keys(node).some((keyword) => LIMITS.has(keyword)))).toEqual([]);
  });

  const isNull = (branch: Node) => branch['type'] === 'null';
  const hasReference = (node: Node) => branches(node).some((branch) => '$ref' in branch);

  it('no two components have one name, and none has the name that the values of a member would get', () => {
    const { parameters, responses } = document['components'] as Readonly<Record<string, Node>>;
    const members = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Readonly<Record<string, Node>>)
        .filter(([, member]) => 'enum' in member)
        .map(([member]) => pascal(`${name}_${member}`)),
    );
    const names = [...Object.keys(schemas), ...Object.keys(parameters ?? {}), ...Object.keys(responses ?? {})];
    const all = [...names.map(pascal), ...new Set(members)];
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  });

  it('no two operations have one id', () => {
    expect(new Set(OPERATIONS.map(({ name }) => pascal(name))).size).toBe(OPERATIONS.length);
  });
});

const pascal = (name: string) =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([a-z])?/g, (_, letter = '') => letter.toUpperCase());

it('a response may get members in a later version', () => {
  const closed = found((node) => node['additionalProperties'] === false);
  expect(closed.filter((path) => !/\/\w+Request$|\/Credentials$/.test(path))).toEqual([]);
});

/** The schemas of the service: the rule of the two identifiers is in keywords that generators do not support. */
function plainSchemas(): Node {
  const present = (member: string) => ({ required: [member], properties: { [member]: { not: { type: 'null' } } } });
  const { RecordUser, RecordContent, ...others } = jsonSchemas();
  const { if: ifUser, then: thenUser, ...user } = RecordUser;
  const { if: ifContent, then: thenContent, ...content } = RecordContent;
  return {
    ...others,
    RecordUser: { ...user, anyOf: [present('email'), present('external_user_id')] },
    RecordContent: { ...content, anyOf: [present('platform_course_id'), present('external_course_id')] },
  };
}

/** Values of `date-time` as the service writes them. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const judgeOf = (components: object) => {
  const formats = { int64: true, double: true, 'date-time': INSTANT, password: true } as const;
  const ajv = new Ajv2020({ strict: false, formats });
  ajv.addSchema({ components: { schemas: components } }, 'd');
  return (name: SchemaName, body: unknown) => ajv.getSchema(`d#/components/schemas/${name}`)?.(body) === true;
};

const ODD = [
  null,
  '',
  'x',
  0,
  -1,
  1.5,
  100,
  101,
  9101,
  '9101',
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  Number.POSITIVE_INFINITY,
  true,
  [],
  {},
  [{}],
  '😀'.repeat(128),
  'x'.repeat(129),
  'x'.repeat(1025),
  'course',
  'passed',
  'learning_path',
  '2024-03-01',
  '2024-02-30T25:00Z',
  'a@b.c',
];

/** A valid body in which members are left out, added or replaced at random. */
function disturbed(value: unknown, dice: Dice): unknown {
  if (dice.oneIn(25)) return ODD[dice.below(ODD.length)];
  if (Array.isArray(value)) return value.flatMap((item) => (dice.oneIn(20) ? [] : [disturbed(item, dice)]));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(() => !dice.oneIn(6));
  return Object.fromEntries(members.map(([name, member]) => [name, disturbed(member, dice)]));
}

const RECORD = {
  external_record_id: 'r-1',
  user: { email: 'ben@acme.test', external_user_id: 9101 },
  content: { type: 'course', platform_course_id: 101, external_course_id: 'SEC-1', external_ref: 'ref' },
  progress: {
    completion_pct: 66.67,
    started_at: '2024-02-26',
    last_activity_at: '2024-03-01T09:30:00Z',
    completed_at: null,
    classes: [{ platform_class_id: 1021, viewed_at: '2024-02-26T10:00:00Z' }, { platform_class_id: 1022 }],
  },
  assessment: { status: 'passed', score_pct: 92.5, taken_at: '2023-11-20T14:00:00Z' },
};
const BODIES = {
  ImportRequest: { dry_run: true, records: [RECORD] },
  MigrationRecord: RECORD,
  RecordUser: RECORD.user,
  RecordContent: RECORD.content,
  Credentials: { email: 'a@b.c', password: 'x' },
  RefreshRequest: { refreshToken: 'x' },
  ResolveRequest: { emails: ['a@b.c', 'd@e.f'] },
  UserMappingRequest: { mappings: [{ external_user_id: 9101, email: 'a@b.c' }] },
  CourseMappingRequest: { mappings: [{ external_course_id: 'SEC-1', platform_course_id: 101 }] },
};

describe('request schemas', () => {
  const plain = judgeOf(plainSchemas());
  const published = judgeOf(schemas);
  const each = cases(120_000, 20_000) / Object.keys(BODIES).length;

  it.each(Object.entries(BODIES))(
    'the portable schema has the same verdict as the plain one on each body for %s',
    (name, body) => {
      const dice = new Dice(name.length);
      const bodies = Array.from({ length: each }, () => disturbed(body, dice));
      const valid = bodies.filter((sent) => plain(name as SchemaName, sent));
      expect(bodies.filter((sent) => published(name as SchemaName, sent))).toEqual(valid);
      expect(Math.min(valid.length, each - valid.length)).toBeGreaterThan(each / 50);
    },
  );
});
