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
const courses = (document: Document) => document.paths[COURSES].get;

type Planted = readonly [what: string, plant: (document: Document) => unknown];

/** One that oasdiff takes for an error, one that it warns of, and those that docs/releases/severity.txt and the conditions of members add. */
const BREAKING: readonly Planted[] = [
  ['an operation is gone', (document) => delete document.paths[COURSES].get],
  ['a parameter is gone', (document) => courses(document).parameters.pop()],
  ['an operation id is another', (document) => (courses(document).operationId = 'courses')],
  [
    'an operation asks for credentials',
    (document) => (document.paths['/v1/openapi.json'].get.security = [{ accessToken: [] }]),
  ],
  ['a success has another status', (document) => (courses(document).responses[203] = courses(document).responses[200])],
  [
    'a schema has another name',
    (document) => {
      schemas(document).Key = schemas(document).Jwk;
      delete schemas(document).Jwk;
      schemas(document).JwkSet.properties.keys.items.$ref = '#/components/schemas/Key';
    },
  ],
  [
    'a closed list has another value',
    (document) => schemas(document).ImportSummary.properties.status.enum.push('paused'),
  ],
  [
    'an open list is closed',
    (document) => {
      const { error_code } = schemas(document).RecordError.properties;
      error_code.enum = error_code.examples;
    },
  ],
  [
    'an open list that may be null is closed',
    (document) => {
      const { outcome } = schemas(document).RecordResult.properties;
      outcome.enum = [...outcome.examples, null];
    },
  ],
  [
    'a code is gone from an open list',
    (document) => schemas(document).RecordWarning.properties.warning_code.examples.pop(),
  ],
  ['an outcome is gone', (document) => schemas(document).RecordResult.properties.outcome.examples.shift()],
  ['a rule between members is another', (document) => delete schemas(document).RecordUser.then],
];

const HARMLESS: readonly Planted[] = [
  ['an operation', (document) => (document.paths['/v1/new'] = { get: { responses: courses(document).responses } })],
  ['a member of a response', (document) => (schemas(document).Course.properties.language = { type: 'string' })],
  [
    'a code of an open list',
    (document) => schemas(document).RecordWarning.properties.warning_code.examples.push('new'),
  ],
  ['an outcome', (document) => schemas(document).RecordResult.properties.outcome.examples.push('new')],
  ['an error', (document) => (courses(document).responses[409] = { description: 'Another.' })],
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
