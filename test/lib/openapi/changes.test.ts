/** The contract since the last release, and the check itself: planted changes are found, each under its kind. Costs a second. */
import { describe, expect, it } from 'vitest';
import { changesSince, lastRelease } from '../../../bin/contract.ts';
import { changesBetween } from '../../../lib/openapi/changes.ts';
import { openApiDocument } from '../../../lib/openapi/document.ts';

it('nothing that a client of the last release relies on is broken: npm run contract lists what is', () => {
  const broken = changesSince(lastRelease().document).filter(({ kind }) => kind === 'broken');
  expect(broken.map(({ at, what }) => `${at}: ${what}`)).toEqual([]);
});

// oxlint-disable-next-line typescript/no-explicit-any -- planted into by path
type Document = any;
const fresh = (): Document => JSON.parse(JSON.stringify(openApiDocument('0.0.0')));

function changesAfter(plant: (document: Document) => unknown): string[] {
  const document = fresh();
  plant(document);
  return changesBetween(fresh(), document).map(({ kind, at, what }) => `${kind} ${at}: ${what}`);
}

const IMPORTS = '/v1/migrations/{company_id}/progress/imports';
const COURSES = '/v1/migrations/{company_id}/catalog/courses';
const schemas = (document: Document) => document.components.schemas;
const start = (document: Document) => document.paths[IMPORTS].post;
const courses = (document: Document) => document.paths[COURSES].get;
const parameter = (document: Document, name: string) => document.components.parameters[`${name}Parameter`];

it('a document has no change to itself, whatever its texts and examples say', () => {
  expect(
    changesAfter((document) => {
      document.info.description = 'Another.';
      schemas(document).MigrationRecord.description = 'Another.';
      start(document).summary = 'Another.';
    }),
  ).toEqual([]);
});

describe('a change that breaks clients is found:', () => {
  it.each<[string, (document: Document) => unknown, RegExp]>([
    ['an operation is gone', (document) => delete document.paths[COURSES].get, /GET .*courses: the operation is gone/],
    ['a path is gone', (document) => delete document.paths[COURSES], /GET .*courses: the operation is gone/],
    ['an operation id is another', (document) => (courses(document).operationId = 'courses'), /operation id/],
    [
      'an operation asks for credentials',
      (document) => (document.paths['/v1/openapi.json'].get.security = [{ accessToken: [] }]),
      /credentials/,
    ],
    ['a parameter is gone', (document) => courses(document).parameters.pop(), /If-None-Match \(header\) is gone/],
    [
      'a parameter is required',
      (document) => (parameter(document, 'Cursor').required = true),
      /cursor \(query\) is now required/,
    ],
    [
      'a new parameter is required',
      (document) => courses(document).parameters.push({ name: 'q', in: 'query', required: true, schema: {} }),
      /new required parameter q/,
    ],
    [
      'a limit is lower',
      (document) => (parameter(document, 'CourseLimit').schema.maximum = 100),
      /maximum was 500 and is 100/,
    ],
    [
      'a default is another',
      (document) => (parameter(document, 'CourseLimit').schema.default = 10),
      /default is another/,
    ],
    [
      'a filter loses a value',
      (document) => parameter(document, 'ImportStatus').schema.enum.pop(),
      /the value "error" is gone/,
    ],
    ['a body is no longer taken', (document) => delete start(document).requestBody, /no longer takes a body/],
    [
      'a body is now taken',
      (document) => (courses(document).requestBody = start(document).requestBody),
      /now takes a body/,
    ],
    [
      'a member of a request is required',
      (document) => schemas(document).MigrationRecord.required.push('progress'),
      /MigrationRecord.progress: it is now required/,
    ],
    [
      'a member of a request is gone',
      (document) => delete schemas(document).RecordContent.properties.external_ref,
      /RecordContent.external_ref: the member is gone/,
    ],
    [
      'a member of a request may not be null',
      (document) => (schemas(document).RecordUser.properties.email.type = 'string'),
      /RecordUser.email: the type "null" is gone/,
    ],
    [
      'a text of a request may be less long',
      (document) => (schemas(document).RecordUser.properties.email.maxLength = 100),
      /maxLength was 254 and is 100/,
    ],
    [
      'a rule between members is another',
      (document) => delete schemas(document).RecordUser.then,
      /RecordUser: then is another/,
    ],
    [
      'a pattern is another',
      (document) => (schemas(document).RecordProgress.properties.started_at.pattern = '^x'),
      /pattern is another/,
    ],
    [
      'an id has another form',
      (document) => schemas(document).ExternalId.anyOf.pop(),
      /ExternalId: it has other alternatives/,
    ],
    ['a status of a success is gone', (document) => delete start(document).responses[202], /no longer responds 202/],
    [
      'a success has another status',
      (document) => (courses(document).responses[203] = courses(document).responses[200]),
      /may now respond 203/,
    ],
    [
      'a header is gone',
      (document) => delete start(document).responses[202].headers.Location,
      /the header Location is gone/,
    ],
    [
      'a header may be absent',
      (document) => (document.components.headers.Location.required = false),
      /Location may now be absent/,
    ],
    [
      'a member of a response is gone',
      (document) => delete schemas(document).RecordResult.properties.warnings,
      /RecordResult.warnings: the member is gone/,
    ],
    [
      'a member of a response may be absent',
      (document) => schemas(document).RecordResult.required.pop(),
      /may now be absent/,
    ],
    [
      'a member of a response may be null',
      (document) => (schemas(document).ImportCounts.properties.total.type = ['integer', 'null']),
      /ImportCounts.total: the type "null" is new/,
    ],
    [
      'a number of a response is not whole',
      (document) => (schemas(document).ImportCounts.properties.total.format = 'double'),
      /format is another/,
    ],
    [
      'a response has a new code',
      (document) => schemas(document).RecordError.properties.error_code.enum.push('other'),
      /the value "other" is new/,
    ],
    [
      'a response is another resource',
      (document) =>
        (courses(document).responses[200].content['application/json'].schema.$ref = '#/components/schemas/Import'),
      /was a CourseList and is a Import/,
    ],
    [
      'items are of another kind',
      (document) => (schemas(document).CourseList.properties.courses.items = { type: 'string' }),
      /became another/,
    ],
    ['a schema has another name', (document) => delete schemas(document).Jwk, /Jwk: the schema is gone/],
    [
      'an operation is deprecated without its dates',
      (document) => (courses(document).deprecated = true),
      /200 has no Deprecation and Sunset/,
    ],
  ])('%s', (_, plant, expected) => {
    expect(changesAfter(plant)).toContainEqual(expect.stringMatching(new RegExp(`^broken .*${expected.source}`)));
  });
});

describe('a change that clients need not notice is listed:', () => {
  it.each<[string, (document: Document) => unknown, RegExp]>([
    [
      'an operation',
      (document) => (document.paths['/v1/new'] = { get: courses(document) }),
      /^added GET \/v1\/new: a new operation$/,
    ],
    [
      'a parameter',
      (document) => courses(document).parameters.push({ name: 'q', in: 'query', schema: {} }),
      /^added .*: a new parameter q/,
    ],
    [
      'a member of a request',
      (document) => (schemas(document).RecordUser.properties.name = { type: 'string' }),
      /^added RecordUser.name: a new member$/,
    ],
    [
      'a member of a response',
      (document) => (schemas(document).Course.properties.language = { type: 'string' }),
      /^added Course.language: a new member$/,
    ],
    ['a header', (document) => (start(document).responses[202].headers.Link = {}), /^added .* 202: a new header Link$/],
    ['an error', (document) => (courses(document).responses[409] = {}), /^added .*: it may now respond 409$/],
    [
      'a higher limit',
      (document) => (parameter(document, 'CourseLimit').schema.maximum = 1000),
      /^added .*: maximum was 500 and is 1000$/,
    ],
    [
      'a value of a request',
      (document) => schemas(document).RecordContent.properties.type.enum.push('path'),
      /^added RecordContent.type: the value "path" is new$/,
    ],
    [
      'a member that is deprecated',
      (document) => (schemas(document).Course.properties.title.deprecated = true),
      /^deprecated Course.title: the member$/,
    ],
  ])('%s', (_, plant, expected) => {
    expect(changesAfter(plant)).toEqual([expect.stringMatching(expected)]);
  });

  it('an operation that is deprecated, with its dates', () => {
    const changes = changesAfter((document) => {
      courses(document).deprecated = true;
      Object.assign(courses(document).responses[200].headers, { Deprecation: {}, Sunset: {} });
    });
    expect(changes).toContain(`deprecated GET ${COURSES}: the operation`);
    expect(changes.filter((change) => change.startsWith('broken'))).toEqual([]);
  });
});

it('a keyword without a rule is refused, not passed over', () => {
  expect(() => changesAfter((document) => (schemas(document).Course.minProperties = 1))).toThrow('minProperties');
});
