/**
 * The commands of docs/deploy.md, as printed, on a clean copy with an empty cache of npm and the Node of a package of
 * its own, up to the first that needs an account of AWS. Needs the network; a minute.
 */
import { exec } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { canInstall, environmentOf } from './nodes.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(PROJECT, 'docs/deploy.md'), 'utf8');

/** The first commands of the page. */
const [, printed = ''] = /```sh\n(.*?)```/s.exec(PAGE) ?? [];
const COMMANDS = printed.trimEnd().split('\n');

/** What a pipeline runs before it has credentials. */
const [, pipeline = ''] = /```yaml\n(name: Release\n.*?)uses: aws-actions/s.exec(PAGE) ?? [];
const STEPS = [...pipeline.matchAll(/- run: (.+)/g)].map(([, step = '']) => step);

const NOT_COPIED = /^(?:node_modules|\.git|\.build|\.sandbox|dist|cdk\.out|coverage)$/;

/** `diff` has synthesized the stack when it asks for the account. */
const ASKS_FOR_ACCOUNT = /^ended with 1: [^]*Unable to resolve AWS account to use/;
const FAILED = /^ended with /;

it('the page installs, compares and deploys, and its pipeline installs and synthesizes', () => {
  expect(COMMANDS.map((command) => command.split(' ').slice(0, 3).join(' '))).toEqual([
    'npm ci',
    'npx cdk diff',
    'npx cdk deploy',
  ]);
  expect(STEPS).toEqual(['npm ci', expect.stringMatching(/^npx cdk synth /)]);
});

describe.skipIf(!canInstall())('a deployment as printed', () => {
  const folder = temporaryFolder('deployment');

  it.concurrent.each([
    ['22.23.3', '10.9.9'],
    ['24.21.0', '11.21.2'],
  ])('works on Node %s with npm %s up to what needs an account', async (node, npm) => {
    const clone = join(folder, node, 'clone');
    cpSync(PROJECT, clone, { recursive: true, filter: (path) => !NOT_COPIED.test(relative(PROJECT, path)) });
    const own = Object.entries(environmentOf(node, npm)).filter(([name]) => !name.startsWith('AWS_'));
    const env: NodeJS.ProcessEnv = {
      ...Object.fromEntries(own),
      npm_config_cache: join(folder, node, 'cache'),
      AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
      AWS_CONFIG_FILE: join(folder, 'none'),
      AWS_EC2_METADATA_DISABLED: 'true',
      GITHUB_REF_NAME: 'v1.0.0',
    };
    /** The output of a command, or how it failed. */
    const run = (command: string): Promise<string> =>
      promisify(exec)(command, { cwd: clone, env }).then(
        ({ stdout }) => stdout,
        ({ code, stderr }: { code: number; stderr: string }) => `ended with ${code}: ${stderr}`,
      );

    const [install = '', diff = ''] = COMMANDS;
    expect(await run(install)).not.toMatch(FAILED);
    // npm brought no other Node, which its commands would run with.
    expect(await run('npx node --version')).toBe(`v${node}\n`);
    for (const step of STEPS.slice(1)) expect(await run(step)).not.toMatch(FAILED);
    expect(await run(diff)).toMatch(ASKS_FOR_ACCOUNT);
  });
});
