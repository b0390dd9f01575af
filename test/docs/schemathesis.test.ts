/**
 * The published document is valid, and thousands of requests generated from it find no 5xx, no undocumented status and no
 * response against its schema. Costs about two minutes and needs Python 3.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalStack, startLocalStack } from '../../bin/local/stack.ts';
import { OPERATIONS } from '../../lib/openapi/document.ts';
import { pythonTools } from '../kit/python-tools.ts';

const FOLDER = join(import.meta.dirname, 'schemathesis');
const DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json');
/** Longer runs: `SCHEMATHESIS_SECONDS=1800 npm run test:docs`. */
const SECONDS = Number(process.env['SCHEMATHESIS_SECONDS'] ?? 90);
const PATIENCE_MS = (SECONDS + 120) * 1000;

let stack: LocalStack;
let commands: string;
beforeAll(async () => {
  commands = pythonTools('test-docs', join(FOLDER, 'requirements.txt'));
  stack = await startLocalStack();
}, PATIENCE_MS);
afterAll(() => stack?.stop());

async function accessToken(): Promise<string> {
  const response = await fetch(`${stack.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@acme.test', password: 'changeme' }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

interface Ended {
  readonly code: number | string;
  readonly output: string;
}

/** The exit code is 0 only if there are no findings at all. */
async function run(): Promise<Ended> {
  const config = ['--no-color', '--config-file', join(FOLDER, 'schemathesis.toml')];
  const args = [...config, 'run', DOCUMENT, '--url', stack.url, '--max-time', String(SECONDS), '--max-examples', '40'];
  const env = { ...process.env, ACCESS_TOKEN: await accessToken(), PYTHONPATH: FOLDER };
  try {
    const { stdout } = await promisify(execFile)(join(commands, 'schemathesis'), args, {
      env,
      cwd: FOLDER,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number | string; stdout: string };
    return { code, output: stdout };
  }
}

describe('the document', () => {
  it('the document is OpenAPI 3.1 by the schema of OpenAPI', async () => {
    const { stdout } = await promisify(execFile)(join(commands, 'openapi-spec-validator'), [
      '--schema',
      '3.1',
      DOCUMENT,
    ]);
    expect(stdout).toContain('OK');
  });
});

describe('schemathesis', () => {
  it(
    'schemathesis finds no problem in any operation, in all of its phases',
    async () => {
      const { code, output } = await run();
      console.log(output);
      expect(output).toMatch(new RegExp(`^\\s*Tested: ${OPERATIONS.length}$`, 'm'));
      expect(code).toBe(0);
    },
    PATIENCE_MS,
  );
});
