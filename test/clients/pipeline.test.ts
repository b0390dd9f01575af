/** The pipeline of docs/deploy.md, before actionlint. Needs Go, which fetches actionlint once. Costs seconds. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { blocksOf } from '../deploy/rehearsal/support/runbook.ts';
import { has } from './generators.ts';

const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7';

function linted(workflow: string): string {
  const { stdout, stderr, status } = spawnSync('go', ['run', ACTIONLINT, '-no-color', '-oneline', '-'], {
    input: workflow,
    encoding: 'utf8',
  });
  return status === 0 ? '' : stdout + stderr;
}

it.skipIf(!has('go'))('the pipeline of deploy.md is a workflow in which actionlint finds nothing', () => {
  const [workflow = '', ...others] = blocksOf('deploy.md', 'yaml');
  expect(others).toEqual([]);
  expect(linted(workflow)).toBe('');
  expect(linted(workflow.replace('runs-on:', 'run-on:'))).toContain('unexpected key "run-on"');
});
