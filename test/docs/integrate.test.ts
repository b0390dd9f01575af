/** The lines of docs/integrate.md, run by a shell exactly as written, against a service of their own. Costs seconds. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { startLocalStack } from '../../bin/local/stack.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/integrate.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines = '']) => lines);

type Answer = { status?: string; errors?: unknown; counts?: Record<string, number>; records?: unknown[] };

it('every line of docs/integrate.md gets a response without an error, up to a plan and a dry run of a revert', async () => {
  const stack = await startLocalStack();
  onTestFinished(() => stack.stop());
  // Puts each response on a line of its own, because curl ends no line.
  const script = `curl() { command curl "$@"; echo; }\n${BLOCKS.join('')}`;
  const env = { ...process.env, BASE: stack.url };
  const cwd = mkdtempSync(join(tmpdir(), 'integrate-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], { env, cwd });
  const responses = stdout.split('\n').flatMap((line): Answer[] => (line === '' ? [] : [JSON.parse(line)]));
  expect(responses).toHaveLength(14);
  expect(responses.filter(({ errors }) => errors !== undefined)).toEqual([]);
  const [, resolved, users, courses, dryRun, finished, rejected, planned, approved, applied, run, ...others] =
    responses;
  const [registered, listed, revert] = others;
  expect(resolved?.counts).toMatchObject({ active: 1, not_found: 1 });
  expect([users?.counts, courses?.counts]).toEqual(Array(2).fill(expect.objectContaining({ created: 1, failed: 0 })));
  expect(dryRun).toMatchObject({ status: 'validated', counts: { succeeded: 1 } });
  expect([finished?.status, rejected?.records]).toEqual(['success', []]);
  expect([planned?.records, approved?.status]).toMatchObject([[{ status: 'success' }], 'approved']);
  expect([applied?.status, run]).toMatchObject(['processing', { status: 'success', counts: { imports: 1 } }]);
  expect([registered, listed]).toMatchObject([
    { results: [{ status: 'applied' }] },
    { imports: [{ status: 'success' }] },
  ]);
  expect(revert).toMatchObject({ status: 'validated', counts: { total: 1, reverted: 1 } });
});
