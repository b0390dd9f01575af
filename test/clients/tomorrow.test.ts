/**
 * Codes are open lists: clients that three pinned generators make of the document of the last release read the responses of a
 * version that has codes, outcomes, types of events and members which do not exist yet. Needs Java 17, Python 3 and the network;
 * costs a minute.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { lastRelease } from '../../bin/build/openapi.ts';
import { isObject } from '../../functions/records/json.ts';
import { exampleOf } from '../../lib/openapi/document.ts';
import type { RouteName } from '../../functions/shared/routes.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { byOpenApiGenerator, byOpenApiPythonClient, missing, python, run } from './generators.ts';

/** A recorded response, whose codes become these. */
function later(name: RouteName, status: number, codes: Readonly<Record<string, unknown>>): object {
  const text = JSON.stringify(exampleOf(name, status), (member, value: unknown) =>
    member in codes ? codes[member] : isObject(value) ? { ...value, member_of_tomorrow: [1] } : value,
  );
  return JSON.parse(text) as object;
}

const problem = (code: string) => ({ message: 'm', error_code: code, warning_code: code });
const RECORD = {
  external_record_id: 'r-1',
  user: { email: 'ann@acme.test' },
  content: { type: 'course', platform_course_id: 101 },
};
const listed = { index: 0, external_record_id: 'r-1', status: 'success', progress: null };
const codes = { outcome: 'kept', errors: [problem('leap_day')], warnings: [problem('moon_phase')] };
const SENT = {
  records: {
    import_id: 'i',
    status: 'success',
    records: [
      { ...listed, ...codes, record: RECORD },
      { ...listed, ...codes, record: 'no record' },
    ],
    next_cursor: null,
  },
  revert: later('revert-import', 200, { outcome: 'half_reverted' }),
  envelope: { errors: [problem('too_early')], request_id: 'r' },
  event: {
    source: 'course-progress-migration',
    'detail-type': 'Import Postponed',
    detail: { event_id: 'e', stage: 'production', ...later('get-import', 200, {}) },
  },
};
const READ = ['leap_day', 'moon_phase', 'kept', 'r-1', 'no record', 'half_reverted', 'too_early', 'Import Postponed'];

describe.skipIf(missing !== undefined)('a client of the last release reads a code that does not exist yet', () => {
  const sent = join(temporaryFolder('tomorrow'), 'sent.json');
  const program = (name: string) => join(import.meta.dirname, 'tomorrow', name);
  const inPython = (folder: string, name: string): unknown => {
    writeFileSync(sent, JSON.stringify(SENT));
    return JSON.parse(run(folder, join(python(), 'python'), [program(name), sent], { PYTHONPATH: folder }));
  };

  it('made by openapi-python-client', () => {
    expect(inPython(byOpenApiPythonClient(lastRelease()), 'openapi_python_client.py')).toEqual(READ);
  });

  it('made by openapi-generator in Python', async () => {
    expect(inPython(await byOpenApiGenerator('python', [], lastRelease()), 'openapi_generator.py')).toEqual(READ);
  });

  it('made by openapi-generator in TypeScript', async () => {
    const folder = await byOpenApiGenerator('typescript-fetch', [], lastRelease());
    const [entry, outfile] = [join(folder, 'reads.ts'), join(folder, 'reads.mjs')];
    writeFileSync(entry, readFileSync(program('typescript_fetch.ts')));
    buildSync({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' });
    writeFileSync(sent, JSON.stringify(SENT));
    // This generator has no type for what is no object, and reads it as one.
    const read = READ.map((each) => (each === 'no record' ? {} : each));
    expect(JSON.parse(run(resolve(folder), process.execPath, [outfile, sent]))).toEqual(read);
  });
});
