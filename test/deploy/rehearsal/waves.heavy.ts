/**
 * A release in waves, against MiniStack: three companies and their account stack, of which the second company is
 * planted to fail, and a version that rings an alarm. Costs about four minutes.
 *
 * Differences of MiniStack from AWS: it has no budgets, saved queries, tags of metrics and alarms over several metrics
 * (see keepWhatMiniStackKnows), so the account stack is the rest of it.
 */
import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pythonTools } from '../../kit/python-tools.ts';
import { cdk, contextOf, startAws } from './support/cdk.ts';
import { keepWhatMiniStackKnows, type MiniStack } from './support/ministack.ts';
import { AWS_CLI } from './support/runbook.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');
const HOME = { account: '000000000000', region: 'us-east-1' };
const folder = temporaryFolder('waves');
const companies = join(folder, 'companies');
const run = promisify(execFile);
let aws: MiniStack;
/** Called with the command's output while it runs; may use the AWS CLI. */
let onPrinted: ((text: string, cli: (args: string[]) => Promise<unknown>) => void) | undefined;

const write = (company: string, settings: object = {}): void =>
  writeFileSync(
    join(companies, `${company}.production.json`),
    JSON.stringify({ company, stage: 'production', 'web-acl': 'none', 'retention-days': 'none', ...HOME, ...settings }),
  );

async function rollOut(version: string, ...more: string[]): Promise<{ code: number; printed: string }> {
  const app = join(folder, version);
  await cdk(['synth', '--quiet', ...contextOf({ companies, version }), '--output', app], aws.environment);
  for (const file of readdirSync(app).filter((name) => name.endsWith('.template.json')))
    keepWhatMiniStackKnows(join(app, file));
  return waves('--app', app, '--version', version, '--canary', 'acme', '--wave', '1', ...more);
}

async function waves(...args: string[]): Promise<{ code: number; printed: string }> {
  const PATH = `${pythonTools('aws-cli', AWS_CLI)}:${process.env['PATH']}`;
  const env = { ...aws.environment, PATH, CI: 'true', NO_COLOR: '1' };
  const options = { cwd: PROJECT, env, maxBuffer: 32 * 1024 * 1024 };
  const command = ['run', '--silent', 'deploy:waves', '--', '--companies', companies, ...args];
  const running = run('npm', command, options);
  running.child.stderr?.on('data', (text: string) => onPrinted?.(text, (cli) => run('aws', cli, options)));
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, printed: stdout + stderr }),
  );
}

const versionsIn = (printed: string): Record<string, string> =>
  Object.fromEntries(
    [...printed.matchAll(/^(\w+) +production +(\S+) +([A-Z_]+)$/gm)].map(([, company, version, state]) => [
      company,
      `${version} ${state}`,
    ]),
  );

beforeAll(async () => {
  await run('mkdir', [companies]);
  writeFileSync(join(companies, 'account.json'), JSON.stringify({ ...HOME, budget: 100 }));
  write('acme', { alarms: ['on-call@example.com'] });
  write('initech');
  write('globex', { cors: ['https://app.example.com'] });
  aws = await startAws(folder);
});
afterAll(() => aws?.stop());

it('a first version goes to the account and to three companies, wave by wave', async () => {
  const { code, printed } = await rollOut('1.0.0');
  expect([code, printed]).toEqual([0, expect.stringContaining('wave 2 of 2: initech')]);
  expect(versionsIn(printed)).toEqual({
    acme: '1.0.0 CREATE_COMPLETE',
    globex: '1.0.0 CREATE_COMPLETE',
    initech: '1.0.0 CREATE_COMPLETE',
  });
  expect(printed).toMatch(/course-progress-migration-account/);
});

it('a second version halts at the company that fails: the first has it, the third keeps the former one', async () => {
  // A lost setting makes the deployment of globex fail on AWS, not in the synthesis.
  write('globex');
  const { code, printed } = await rollOut('2.0.0');
  expect([code, printed]).toEqual([1, expect.stringContaining('Halted in wave 1 of 2: a stack is not deployed.')]);
  expect(versionsIn(printed)).toEqual({
    acme: '2.0.0 UPDATE_COMPLETE',
    globex: expect.stringMatching(/^1\.0\.0 UPDATE_ROLLBACK_COMPLETE$/),
    initech: '1.0.0 CREATE_COMPLETE',
  });
});

it('the same command resumes once the cause is fixed, and all companies run the new version', async () => {
  write('globex', { cors: ['https://app.example.com'] });
  const { code, printed } = await rollOut('2.0.0');
  expect([code, printed]).toEqual([0, expect.stringContaining('canaries: done by an earlier run.')]);
  const { printed: listed } = await waves('--list');
  for (const versions of [versionsIn(printed), versionsIn(listed)])
    expect(Object.values(versions)).toEqual(Array.from({ length: 3 }, () => '2.0.0 UPDATE_COMPLETE'));
});

it('a third version bakes: an alarm of the canary rings, and the canary gets its former version back', async () => {
  const alarm = 'course-progress-migration-acme-production-ServerErrors';
  let rang: Promise<unknown> | undefined;
  onPrinted = (text, cli) => {
    if (!text.includes('bakes for')) return;
    const state = ['--alarm-name', alarm, '--state-value', 'ALARM', '--state-reason', 'a bad build'];
    rang ??= cli(['cloudwatch', 'set-alarm-state', ...state]);
  };
  // A setting that only this version has must not block the rollback.
  write('acme', { alarms: ['on-call@example.com'], cors: ['https://app.example.com'] });
  const { code, printed } = await rollOut('3.0.0', '--bake', '2m');
  await rang;
  const stack = 'course-progress-migration-acme-production';
  expect([code, printed]).toEqual([1, expect.stringContaining(`rang after 1 min; rolled back: ${stack}.`)]);
  expect(versionsIn(printed)).toEqual({
    acme: '2.0.0 UPDATE_COMPLETE',
    globex: '2.0.0 UPDATE_COMPLETE',
    initech: '2.0.0 UPDATE_COMPLETE',
  });
});

it('a company returns to the version before', async () => {
  const released = await rollOut('3.0.0');
  expect([released.code, released.printed]).toEqual([0, expect.stringContaining('wave 2 of 2: initech')]);
  const { code, printed } = await waves('--back', 'globex', '--app', join(folder, '3.0.0'), '--version', '3.0.0');
  expect([code, printed]).toEqual([0, expect.any(String)]);
  expect(versionsIn(printed)).toEqual({
    acme: '3.0.0 UPDATE_COMPLETE',
    globex: '2.0.0 UPDATE_COMPLETE',
    initech: '3.0.0 UPDATE_COMPLETE',
  });
});
