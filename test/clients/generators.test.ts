/**
 * Clients that pinned generators make from the document compile; in Python a record keeps every member and digit.
 * Needs Java 17, Python 3 and the network; a language without a compiler here is left out. Costs minutes.
 */
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { byOpenApiGenerator, byOpenApiPythonClient, has, missing, python, run } from './generators.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

const sent = (external_record_id: string, external_user_id: number | string) => ({
  external_record_id,
  user: { external_user_id },
  content: { type: 'course', platform_course_id: 9_007_199_254_740_991 },
  progress: { classes: [{ platform_class_id: 9_007_199_254_740_990 }] },
});
const REQUEST = { dry_run: true, records: [sent('a', 9101), sent('b', '9101')] };

/** The output of a program of records/ with the client in this folder, without null members, which count as absent. */
function printed(program: string, folder: string): unknown {
  const file = join(import.meta.dirname, 'records', program);
  const text = run(folder, join(python(), 'python'), [file], { PYTHONPATH: folder });
  return withoutNulls(JSON.parse(text));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

describe.skipIf(missing !== undefined)('generated clients', () => {
  it('a Python client by openapi-python-client sends a record as written', () => {
    expect(printed('openapi_python_client.py', byOpenApiPythonClient())).toEqual(REQUEST);
  });

  it.skipIf(!has('mvn'))('a Java client compiles', async () => {
    const folder = await byOpenApiGenerator('java', ['--library', 'native']);
    expect(run(folder, 'mvn', ['-q', '-DskipTests', 'compile'])).not.toContain('ERROR');
  });

  it('a TypeScript client compiles', async () => {
    const folder = await byOpenApiGenerator('typescript-fetch');
    const strict = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
    const resolution = ['--moduleResolution', 'bundler', '--lib', 'es2022,dom', '--ignoreConfig'];
    expect(run(folder, join(PROJECT, 'node_modules/.bin/tsc'), [...strict, ...resolution, 'index.ts'])).toBe('');
  });
});
