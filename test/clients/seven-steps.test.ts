/**
 * The seven steps of docs/integrate.md, and the revert of their import, in Python with a generated client, against the
 * local service. Costs a minute.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalStack } from '../../bin/local/stack.ts';
import { RECORD_ERRORS } from '../../functions/shared/codes.ts';
import { SAMPLE } from '../../lib/sandbox/sample.ts';
import { startStackOn } from '../kit/local-stack.ts';
import { byOpenApiGenerator, missing, python } from './generators.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;

let stack: LocalStack;
beforeAll(async () => {
  if (missing !== undefined) return;
  const sample = JSON.parse(readFileSync(SAMPLE, 'utf8')) as { readonly courses: readonly object[] };
  const classes = [{ platform_class_id: LARGEST - 1, title: 'The last class' }];
  const course = {
    company_id: 'acme',
    platform_course_id: LARGEST,
    title: 'The last course',
    has_exam: false,
    classes,
  };
  stack = await startStackOn({ ...sample, courses: [...sample.courses, course] });
});
afterAll(() => stack?.stop());

/** The last output of a program, started with the address and the idempotency key of its import. */
async function printed(language: string, command: string, ...args: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(command, [...args, stack.url, language], { timeout: 300_000 });
  return JSON.parse(stdout);
}

function withProgram(folder: string, name: string): string {
  const file = join(folder, name);
  copyFileSync(join(import.meta.dirname, 'seven-steps', name), file);
  return file;
}

/** Every error of a record, except those of a cancelled or failed import. */
const REJECTED = Object.keys(RECORD_ERRORS).filter(
  (code) => !['import_cancelled', 'plan_changed', 'processing_failed'].includes(code),
);
const EXPECTED = {
  courses: [101, 102, 103, 104, 105, LARGEST],
  resolved: ['active', 'inactive', 'not_found'],
  mapped: ['9101', String(LARGEST)],
  dry_run: 'validated',
  errors: [
    ['invalid_record', ['invalid_record']],
    ['duplicate_external_record_id', []],
    ...REJECTED.slice(1).map((code) => [code, [code]]),
  ],
  status: 'success',
  applied: [
    [101, 66.67],
    [102, 50],
    [LARGEST, 100],
  ],
  sent: [9101, '9101', LARGEST],
  class_id: LARGEST - 1,
  rejected: REJECTED,
  plan: ['validated', ['reverted', 'reverted', 'reverted']],
  reverted: ['success', ['reverted', 'reverted', 'reverted']],
};

describe.skipIf(missing !== undefined)(
  'the seven steps and a revert, with every error of a record and every digit of an id',
  () => {
    it('a Python client completes them', async () => {
      const folder = await byOpenApiGenerator('python');
      const program = withProgram(folder, 'seven_steps.py');
      expect(await printed('python', join(python(), 'python'), program)).toEqual(EXPECTED);
    });
  },
);
