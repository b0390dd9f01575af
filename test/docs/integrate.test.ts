/** The lines of docs/integrate.md, run by a shell exactly as written, against a service of their own. Costs seconds. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalStack, startLocalStack } from '../../bin/local/stack.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/integrate.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines = '']) => lines);

let stack: LocalStack;
let responses: { status?: string; errors?: unknown; counts?: Record<string, number>; records?: unknown[] }[];

beforeAll(async () => {
  stack = await startLocalStack();
  // Puts each response on a line of its own, because curl ends no line.
  const script = `curl() { command curl "$@"; echo; }\n${BLOCKS.join('')}`;
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], {
    env: { ...process.env, BASE: stack.url },
  });
  responses = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as never);
});
afterAll(() => stack?.stop());

describe('docs/integrate.md', () => {
  it('every command gets a response without an error', () => {
    expect(responses).toHaveLength(8);
    expect(responses.filter((response) => response.errors !== undefined)).toEqual([]);
  });

  it('the commands find one of two users, register two ids and validate one record', () => {
    const [, resolved, users, courses, dryRun] = responses;
    expect(resolved?.counts).toMatchObject({ active: 1, not_found: 1 });
    expect([users?.counts, courses?.counts]).toEqual(Array(2).fill(expect.objectContaining({ created: 1, failed: 0 })));
    expect([dryRun?.status, dryRun?.counts?.['succeeded']]).toEqual(['validated', 1]);
  });

  it('the commands import the record without a rejected one', () => {
    const [finished, rejected] = responses.slice(-3);
    expect(finished?.status).toBe('success');
    expect(rejected?.records).toEqual([]);
  });

  it('the last command validates a revert of the import', () => {
    expect(responses.at(-1)).toMatchObject({ status: 'validated', counts: { total: 1, reverted: 1 } });
  });
});
