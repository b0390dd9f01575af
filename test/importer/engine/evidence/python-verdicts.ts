/** What the second implementation finds: verify_evidence.py, written from docs/interface.md alone. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { SignedRun } from './signed-run.ts';

const VERIFIER = join(import.meta.dirname, 'verify_evidence.py');

type GivenRun = Pick<SignedRun, 'evidence'> & {
  readonly [Name in 'keys' | 'imports' | 'lines']?: SignedRun[Name] | undefined;
};

export const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']).status === 0;

/** One process for all cases. Nothing without Python. */
export function pythonVerdicts(runs: readonly GivenRun[]): string[][] {
  if (!hasPython) return [];
  const input = runs.map(({ evidence, keys, imports, lines }) =>
    JSON.stringify({
      evidence,
      keys: keys ?? null,
      imports: imports ?? null,
      results: lines === undefined ? null : Buffer.from(lines.join('\n')).toString('base64'),
    }),
  );
  return answersTo<string[]>(input);
}

/** The digest of a plan whose list has these results, each with its record. */
export const pythonPlanDigest = (listed: readonly object[]): string | undefined =>
  answersTo<string>([JSON.stringify({ plan: listed.map((each) => JSON.stringify(each)) })])[0];

function answersTo<Answer>(lines: readonly string[]): Answer[] {
  const { stdout, stderr } = spawnSync('python3', [VERIFIER], {
    input: lines.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (stderr !== '') throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
}
