/** A large import with planted faults, reconciled against the local stack. 5,000 rows: about half a minute. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalStack, startLocalStack } from '../../../bin/local/stack.ts';
import { ADMIN, exportRow, HEADER, learnersOf, MAPPING, writeDataFile } from '../support/generate.ts';
import { type Desk, runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';

const ROWS = Number(process.env['CLI_ROWS'] ?? 5000);
const FAULTS = 200;
const SHAPE = { rows: ROWS, learners: learnersOf(ROWS), strangerEvery: 0 };

const cwd = temporaryFolder('migration-reconcile');
const desk: Desk = { cwd, config: join(cwd, 'config') };
let stack: LocalStack;
const path = (name: string): string => join(desk.cwd, name);

/** The row that the platform got in place of row i: none, the row of another learner, or another percentage. */
const FAULTS_OF: readonly ((line: string, i: number) => string | undefined)[] = [
  () => undefined,
  (line) => line.replace(/learner-(\d+)@/, (_, n: string) => `learner-${(Number(n) + 1) % SHAPE.learners}@`),
  (line, i) => line.replace(/,\d+ %,/, `,${((i % 101) + 13) % 101} %,`),
];

beforeAll(async () => {
  writeDataFile(path('data.json'), SHAPE.learners);
  writeFileSync(path('mapping.json'), JSON.stringify(MAPPING));
  const lines = Array.from({ length: ROWS }, (_, i) => exportRow(i, SHAPE));
  const every = Math.floor(ROWS / FAULTS);
  const given = lines.flatMap((line, i) =>
    i % every === 7 ? (FAULTS_OF[((i / every) % 3) | 0]?.(line, i) ?? []) : [line],
  );
  writeFileSync(path('history.csv'), [HEADER, ...lines, ''].join('\n'));
  writeFileSync(path('given.csv'), [HEADER, ...given, ''].join('\n'));
  stack = await startLocalStack({ port: 0, data: path('data.json') });
  await runCli(desk, ['login', '--url', stack.url, '--email', ADMIN.email, '--password-stdin'], ADMIN.password);
  const { code, stderr } = await runCli(desk, ['import', 'given.csv', '--mapping', 'mapping.json', '--yes', '--json']);
  if (code !== 0) throw new Error(stderr);
});

afterAll(() => stack.stop());

describe(`${ROWS} rows of which the platform has ${FAULTS} otherwise`, () => {
  it('reconcile finds every fault, and nothing else', async () => {
    const started = performance.now();
    const { code, stdout, peakMb } = await runCli(desk, [
      'reconcile',
      'history.csv',
      '--mapping',
      'mapping.json',
      '--json',
    ]);
    const seconds = (performance.now() - started) / 1000;
    process.stderr.write(`${ROWS} rows: ${seconds.toFixed(1)} s, peak memory ${Math.round(peakMb)} MB\n`);
    const { counts, findings } = JSON.parse(stdout) as {
      counts: Record<string, number>;
      findings: { line: number; state: string }[];
    };
    const every = Math.floor(ROWS / FAULTS);
    const planted = Array.from({ length: FAULTS }, (_, n) => n * every + 7 + 2);
    const wrong = findings.filter(({ state }) => state !== 'higher').map(({ line }) => line);
    expect(wrong).toEqual(planted);
    expect((counts['different'] ?? 0) + (counts['missing'] ?? 0)).toBe(FAULTS);
    expect(code).toBe(1);
  });
});
