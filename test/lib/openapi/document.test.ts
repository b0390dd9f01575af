/** The OpenAPI document: current, complete, consistent in itself and with the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { renderedDocument } from '../../../bin/build/openapi.ts';
import { SCHEMAS } from '../../../lib/openapi/component-schemas.ts';
import { exampleOf, openApiDocument } from '../../../lib/openapi/document.ts';
import { OPERATIONS } from '../../../lib/openapi/operations.ts';
import type { Sample } from '../../../lib/openapi/operation.ts';
import { REQUEST_ERRORS } from '../../../lib/openapi/request-errors.ts';
import { schemaViolations } from '../../kit/documented.ts';

const document = openApiDocument('0.0.0');
/** Every documented body with its schema; the document itself, which only has to be some object, aside. */
const bodies = OPERATIONS.flatMap(({ name, request, success }) => {
  const sent = request === undefined ? [] : examplesOf(request).map((example) => ({ ...request, example }));
  const returned = success.flatMap((each) =>
    'schema' in each ? [{ ...each, example: exampleOf(name, each.status) }] : [],
  );
  return [...sent, ...returned].flatMap(({ schema, example }) =>
    schema === 'object' ? [] : [{ name, schema, example }],
  );
});

function examplesOf(request: Sample): unknown[] {
  return 'example' in request ? [request.example] : Object.values(request.examples).map(({ value }) => value);
}

describe('the document', () => {
  it('the document is the one that is served: run bin/build/openapi.ts after a change', () => {
    expect(readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8')).toBe(renderedDocument());
  });

  it('every reference of the document leads to a component', () => {
    const refs = new Set([...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, ref = '']) => ref));
    const find = (ref: string) =>
      ref.split('/').reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], document);
    expect([...refs].filter((ref) => find(ref) === undefined)).toEqual([]);
  });

  it('every parameter of a path is declared', () => {
    for (const { path, parameters = [] } of OPERATIONS) {
      expect(path.includes('{import_id}')).toBe(parameters.includes('ImportId'));
    }
  });

  it('a deprecated operation states since when, and until when it is served (RFC 9745, RFC 8594)', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const silent = operations.filter(
      (operation) =>
        'deprecated' in operation &&
        !Object.values(operation.responses).every((response) =>
          /"Deprecation".*"Sunset"/.test(JSON.stringify(response)),
        ),
    );
    expect(silent).toEqual([]);
  });

  it('the document is the same when it is read as JSON', () => {
    expect(JSON.parse(renderedDocument())).toEqual({
      ...document,
      info: { ...document.info, version: expect.any(String) },
    });
  });
});

it.each([
  ['RecordUser', { email: 'a@b.c' }, true],
  ['RecordUser', { external_user_id: 9101, email: null }, true],
  ['RecordUser', {}, false],
  ['RecordUser', { email: null }, false],
  ['RecordUser', { external_user_id: 1.5 }, false],
  ['RecordContent', { type: 'course', external_course_id: 'SEC-1' }, true],
  ['RecordContent', { type: 'course' }, false],
] as const)('the request schema %s, value %j → valid: %s', (name, value, valid) => {
  expect(schemaViolations(name, value).length === 0).toBe(valid);
});

describe('examples', () => {
  it.each(bodies)('the examples of $name validate as $schema', ({ schema, example }) => {
    expect(v.safeParse(SCHEMAS[schema], example).issues).toBeUndefined();
  });

  it.each(bodies)('the examples of $name validate as the published schema', ({ schema, example }) => {
    expect(schemaViolations(schema, example)).toEqual([]);
  });

  it('the examples of every error validate', () => {
    const examples = Object.values(document.components.responses).flatMap(({ content }) =>
      Object.values(content['application/json'].examples),
    );
    expect(examples.length).toBeGreaterThanOrEqual(Object.keys(REQUEST_ERRORS).length - 1);
    for (const { value } of examples) expect(v.safeParse(SCHEMAS.ErrorEnvelope, value).issues).toBeUndefined();
  });
});
