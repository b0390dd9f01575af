/**
 * `npm run openapi -- compare` fails for planted changes that break clients, and for no others.
 * Needs Go, which fetches oasdiff once; without Go nothing runs. Costs a second a change.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compared } from '../../bin/build/openapi.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- planted into by path
type Document = any;
const BEFORE = JSON.stringify(openApiDocument('0.0.0'));
const COURSES = '/v1/migrations/{company_id}/catalog/courses';
const schemas = (document: Document) => document.components.schemas;
const start = (document: Document) => document.paths['/v1/migrations/{company_id}/progress/imports'].post;
const courses = (document: Document) => document.paths[COURSES].get;
const parameter = (document: Document, name: string) => document.components.parameters[`${name}Parameter`];
const jsonOf = (response: Document) => response.content['application/json'];

type Planted = readonly [what: string, plant: (document: Document) => unknown];

const BREAKING: readonly Planted[] = [
  ['an operation is gone', (document) => delete document.paths[COURSES].get],
  ['a path is gone', (document) => delete document.paths[COURSES]],
  ['an operation id is another', (document) => (courses(document).operationId = 'courses')],
  [
    'an operation asks for credentials',
    (document) => (document.paths['/v1/openapi.json'].get.security = [{ accessToken: [] }]),
  ],
  ['a parameter is gone', (document) => courses(document).parameters.pop()],
  ['a parameter is required', (document) => (parameter(document, 'Cursor').required = true)],
  [
    'a new parameter is required',
    (document) => courses(document).parameters.push({ name: 'q', in: 'query', required: true, schema: {} }),
  ],
  ['a limit is lower', (document) => (parameter(document, 'CourseLimit').schema.maximum = 100)],
  ['a default is another', (document) => (parameter(document, 'CourseLimit').schema.default = 10)],
  ['a filter loses a value', (document) => parameter(document, 'ImportStatus').schema.enum.pop()],
  ['a body is no longer taken', (document) => delete start(document).requestBody],
  ['a body is now taken', (document) => (courses(document).requestBody = start(document).requestBody)],
  ['a member of a request is required', (document) => schemas(document).MigrationRecord.required.push('progress')],
  ['a member of a request is gone', (document) => delete schemas(document).RecordContent.properties.external_ref],
  [
    'a member of a request may not be null',
    (document) => (schemas(document).RecordUser.properties.email.type = 'string'),
  ],
  [
    'a text of a request may be less long',
    (document) => (schemas(document).RecordUser.properties.email.maxLength = 100),
  ],
  ['a rule between members is another', (document) => delete schemas(document).RecordUser.then],
  ['a pattern is another', (document) => (schemas(document).RecordProgress.properties.started_at.pattern = '^x')],
  ['an id has another form', (document) => schemas(document).ExternalId.anyOf.pop()],
  ['a status of a success is gone', (document) => delete start(document).responses[202]],
  ['a success has another status', (document) => (courses(document).responses[203] = courses(document).responses[200])],
  ['a header is gone', (document) => delete start(document).responses[202].headers.Location],
  ['a header may be absent', (document) => (document.components.headers.Location.required = false)],
  ['a member of a response is gone', (document) => delete schemas(document).RecordResult.properties.warnings],
  ['a member of a response may be absent', (document) => schemas(document).RecordResult.required.pop()],
  [
    'a member of a response may be null',
    (document) => (schemas(document).ImportCounts.properties.total.type = ['integer', 'null']),
  ],
  [
    'a number of a response is not whole',
    (document) => (schemas(document).ImportCounts.properties.total.format = 'double'),
  ],
  ['a response has a new code', (document) => schemas(document).RecordError.properties.error_code.enum.push('other')],
  [
    'a response is another resource',
    (document) => (jsonOf(courses(document).responses[200]).schema.$ref = '#/components/schemas/Import'),
  ],
  [
    'items are of another kind',
    (document) => (schemas(document).CourseList.properties.courses.items = { type: 'string' }),
  ],
  [
    'a schema has another name',
    (document) => {
      schemas(document).Key = schemas(document).Jwk;
      delete schemas(document).Jwk;
      schemas(document).JwkSet.properties.keys.items.$ref = '#/components/schemas/Key';
    },
  ],
];

const HARMLESS: readonly Planted[] = [
  ['texts', (document) => (document.info.description = schemas(document).MigrationRecord.description = 'Another.')],
  ['an operation', (document) => (document.paths['/v1/new'] = { get: { responses: courses(document).responses } })],
  ['a parameter', (document) => courses(document).parameters.push({ name: 'q', in: 'query', schema: {} })],
  ['a member of a request', (document) => (schemas(document).RecordUser.properties.name = { type: 'string' })],
  ['a member of a response', (document) => (schemas(document).Course.properties.language = { type: 'string' })],
  ['a header', (document) => (start(document).responses[202].headers.Link = { schema: { type: 'string' } })],
  ['an error', (document) => (courses(document).responses[409] = { description: 'Another.' })],
  ['a higher limit', (document) => (parameter(document, 'CourseLimit').schema.maximum = 1000)],
  ['a value of a request', (document) => schemas(document).RecordContent.properties.type.enum.push('path')],
  ['a member that is deprecated', (document) => (schemas(document).Course.properties.title.deprecated = true)],
];

describe.skipIf(spawnSync('go', ['version']).error !== undefined)('npm run openapi -- compare', () => {
  const folder = temporaryFolder('contract');
  beforeAll(() => writeFileSync(join(folder, 'before.json'), BEFORE));

  function isBroken(plant: Planted[1]): boolean | undefined {
    const document: Document = JSON.parse(BEFORE);
    plant(document);
    const after = join(folder, 'after.json');
    writeFileSync(after, JSON.stringify(document));
    return compared(join(folder, 'before.json'), after)?.broken;
  }

  it.each(BREAKING)('the contract is broken if %s', (_, plant) => expect(isBroken(plant)).toBe(true));

  it.each(HARMLESS)('the contract is kept if %s is added or changed', (_, plant) =>
    expect(isBroken(plant)).toBe(false),
  );
});
