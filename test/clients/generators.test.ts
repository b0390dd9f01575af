/**
 * Clients that pinned generators make from the document compile, and in Python and Ruby a record keeps every member and every
 * digit. Needs Java 17, Python 3 and the network; a language without a compiler on this machine is left out. Costs minutes.
 */
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { byOapiCodegen, byOpenApiGenerator, byOpenApiPythonClient, has, missing, python, run } from './generators.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

const sent = (external_record_id: string, external_user_id: number | string) => ({
  external_record_id,
  user: { external_user_id },
  content: { type: 'course', platform_course_id: 9_007_199_254_740_991 },
  progress: { classes: [{ platform_class_id: 9_007_199_254_740_990 }] },
});
const REQUEST = { dry_run: true, records: [sent('a', 9101), sent('b', '9101')] };

/** Debian's; the client wants a later one, which only NuGet has. */
const JSON_LIBRARY = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json';

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
  it('a Python client by openapi-generator sends a record as written', async () => {
    expect(printed('openapi_generator.py', await byOpenApiGenerator('python'))).toEqual(REQUEST);
  });

  it('a Python client by openapi-python-client sends a record as written', () => {
    expect(printed('openapi_python_client.py', byOpenApiPythonClient())).toEqual(REQUEST);
  });

  it.skipIf(!has('ruby'))('a Ruby client sends a record as written', async () => {
    const folder = await byOpenApiGenerator('ruby', '--additional-properties', 'gemName=course_progress');
    const program = join(import.meta.dirname, 'records/openapi_generator.rb');
    expect(JSON.parse(run(folder, 'ruby', ['-I', 'lib', program]))).toEqual(REQUEST);
  });

  it.skipIf(!has('mcs'))(
    'a C# client compiles, except one member that is newer than the JSON library here',
    async () => {
      const properties = 'targetFramework=net47,nullableReferenceTypes=false,supportsRetry=false';
      const folder = await byOpenApiGenerator(
        'csharp',
        '--library',
        'httpclient',
        '--additional-properties',
        properties,
      );
      const libraries = ['System.Net.Http', 'System.Runtime.Serialization', 'System.ComponentModel.DataAnnotations'];
      const references = [...libraries, 'System.Web', JSON_LIBRARY].map((name) => `-r:${name}.dll`);
      const script = `mcs -langversion:latest -target:library -out:client.dll ${references.join(' ')} $(find src -path '*.Test' -prune -o -name '*.cs' -print) 2>&1 || true`;
      const errors = run(folder, 'sh', ['-c', script]).match(/error CS.*/g) ?? [];
      expect(
        errors.filter((line) => !/ContractResolver' does not contain a definition for `NamingStrategy'/.test(line)),
      ).toEqual([]);
    },
  );

  it.skipIf(!has('mvn'))('a Java client compiles', async () => {
    const folder = await byOpenApiGenerator('java', '--library', 'native');
    expect(run(folder, 'mvn', ['-q', '-DskipTests', 'compile'])).not.toContain('ERROR');
  });

  it.skipIf(!has('go'))('a Go client compiles', async () => {
    expect(run(await byOpenApiGenerator('go'), 'go', ['build', './...'])).toBe('');
  });

  it.skipIf(!has('go'))('a Go client by oapi-codegen compiles', () => {
    const folder = byOapiCodegen();
    run(folder, 'go', ['mod', 'tidy']);
    expect(run(folder, 'go', ['build', './...'])).toBe('');
  });

  it('a TypeScript client compiles', async () => {
    const folder = await byOpenApiGenerator('typescript-fetch');
    const strict = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
    const resolution = ['--moduleResolution', 'bundler', '--lib', 'es2022,dom', '--ignoreConfig'];
    expect(run(folder, join(PROJECT, 'node_modules/.bin/tsc'), [...strict, ...resolution, 'index.ts'])).toBe('');
  });
});
