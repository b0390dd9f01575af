/**
 * CI runs each script of package.json: a script that it did not run would break unnoticed. A release runs each suite
 * whole. Costs milliseconds.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import packageFile from '../../package.json' with { type: 'json' };
import { RUNS } from '../whole/runs.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(PROJECT, file), 'utf8');
const scripts: Readonly<Record<string, string>> = packageFile.scripts;

/** Scripts that a suite of `.ci/run` starts, such as those that need a running service. */
const WITHIN: Readonly<Record<string, { readonly suite: string; readonly file: string }>> = {
  build: { suite: 'test:cli', file: 'test/importer/command/heavy/package.heavy.ts' },
  'deploy:waves': { suite: 'test:deploy', file: 'test/deploy/rehearsal/waves.heavy.ts' },
  restore: { suite: 'test:deploy', file: 'test/deploy/rehearsal/operations.heavy.ts' },
};

/** For a person, before a release: it runs CI, too. */
const FOR_A_RELEASE = 'check:whole';

/** For a person, what CI runs part by part, beside other suites. */
const IN_PARTS = 'check';

/** Names of the scripts that a line of a shell runs. */
const ranBy = (line: string): string[] =>
  [...line.matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g)].map(([, script, own]) => script ?? String(own));

/** Each script that `.ci/run` runs, directly or by another script, and its line. */
const ran = new Map<string, string>();
function note(script: string, line: string): void {
  if (ran.has(script)) return;
  ran.set(script, line);
  for (const next of ranBy(scripts[script] ?? '')) note(next, `${line}, which runs ${script}`);
}
for (const line of read('.ci/run').split('\n'))
  if (!/^\s*(?:#|step )/.test(line)) for (const script of ranBy(line)) note(script, line.trim());
for (const [script, { suite, file }] of Object.entries(WITHIN))
  if (ran.has(suite) && read(file).includes(`'run', '--silent', '${script}'`)) note(script, file);

it.each(Object.keys(scripts).filter((script) => script !== FOR_A_RELEASE))('CI runs the script %s', (script) => {
  const parts = script === IN_PARTS ? ranBy(scripts[script] ?? '') : [script];
  expect(parts.length).toBeGreaterThan(0);
  for (const part of parts) expect(ran.get(part), `no line of .ci/run runs "${part}"`).toBeDefined();
});

it.each(Object.keys(scripts).filter((script) => script.startsWith('test:')))(
  'a release runs %s, and contribute.md says how often CI does',
  (script) => {
    expect(RUNS.flatMap(({ command }) => ranBy(command))).toContain(script);
    const [, often = ''] = read('docs/contribute.md').split('### How often each runs');
    expect(often).toContain(`\`${script}\``);
  },
);

it('every script that runs Node, and the CDK app, start with the Node of the project, whatever npm installed it', () => {
  const started = Object.values({ ...scripts, app: cdk.app });
  expect(started.filter((line) => /(?<![\w./-])(?:node|vitest) (?!(?:--\S+ )*bin\/run\.mjs )/.test(line))).toEqual([]);
});

describe('named scripts', () => {
  const naming = ['.ci/run', 'README.md', 'docs/contribute.md', 'docs/operate.md', 'docs/deploy.md', 'docs/upgrade.md'];
  it.each([...naming, 'package.json'])('every script that %s names exists', (file) => {
    expect(ranBy(read(file)).filter((script) => scripts[script] === undefined)).toEqual([]);
  });
});
