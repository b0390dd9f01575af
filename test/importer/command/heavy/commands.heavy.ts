/** Every command against the local stack, as scripts and new users call it. Costs about two minutes, one of them a revert. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as ENV from '../../../../functions/runtime/variables.ts';
import type { LocalStack } from '../../../../bin/local/stack.ts';
import { adminsData, SECOND_ADMIN } from '../support/platform.ts';
import { type CountingProxy, startCountingProxy } from '../support/counting-proxy.ts';
import { type Desk, type Finished, runCli, startCli } from '../support/run-cli.ts';
import { startLocalStack } from '../../../kit/local-stack.ts';
import { temporaryFolder } from '../../../kit/temporary-folder.ts';

const DOCS = resolve(import.meta.dirname, '../../../../docs');

let stack: LocalStack;
let service: CountingProxy;
const cwd = temporaryFolder('migration-commands');
const desk: Desk = { cwd, config: join(cwd, 'config') };

beforeAll(async () => {
  stack = await startLocalStack({ port: 0 });
  service = await startCountingProxy(stack.url);
  await logIn('changeme');
});

afterAll(async () => {
  service.stop();
  await stack.stop();
});

const cli = (...args: string[]): Promise<Finished> => runCli(desk, args);
const path = (name: string): string => join(desk.cwd, name);
const example = (name: string): string => join(DOCS, 'mapping-examples', name);

function logIn(password: string, where: Desk = desk, ...more: string[]): Promise<Finished> {
  const login = ['login', '--url', service.url, '--email', 'admin@acme.test', '--password-stdin', ...more];
  return runCli(where, login, `${password}\n`);
}

async function imported(...args: string[]) {
  const { code, stdout, stderr } = await cli('import', ...args, '--yes', '--json');
  if (stdout === '') throw new Error(stderr);
  return { code, ...JSON.parse(stdout) };
}

describe('login', () => {
  it('login with a wrong password ends with 3 and keeps nothing', async () => {
    const elsewhere = { cwd: desk.cwd, config: path('elsewhere') };
    const { code, stderr } = await logIn('wrong', elsewhere);
    expect(code).toBe(3);
    expect(stderr).toContain('unauthorized');
    const { code: without, stderr: said } = await runCli(elsewhere, ['courses']);
    expect([without, said]).toEqual([
      3,
      'You are not logged in. Run "npx --no-install course-progress-migration login", then the same command again.\n',
    ]);
  });
});

describe('courses', () => {
  it('courses shows a table, or JSON', async () => {
    expect((await cli('courses')).stdout).toMatch(/101 {2}Information Security Essentials +yes +4/);
    const { courses } = JSON.parse((await cli('courses', '--json', '--search', 'data PROTECTION')).stdout);
    expect(courses.map((course: { platform_course_id: number }) => course.platform_course_id)).toEqual([102]);
  });
});

describe('usage', () => {
  it.each([
    ['no such command', ['frobnicate']],
    ['no file', ['import']],
    ['a file that is not there', ['import', 'nothing.csv', '--yes']],
    ['no run to stop', ['runs', '--cancel']],
    ['nothing', []],
    ['a bad number', ['import', 'history.csv', '--parallel', 'many']],
    ['a run that does not exist', ['runs', 'nothing']],
  ])('%s ends with 2 and one clear message', async (_, args) => {
    const { code, stderr, stdout } = await cli(...args);
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/ {4}at /);
    expect(stdout).toBe('');
  });

  it('a service that cannot be reached ends with 3, before an account is asked for', async () => {
    const { code, stderr } = await runCli({ ...desk, config: path('nowhere') }, [
      'login',
      '--url',
      'http://127.0.0.1:1',
    ]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('cannot be reached')]);
  });

  it('an error is JSON too, if --json asks for it', async () => {
    const { code, stdout } = await cli('import', '--bogus', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([2, { error: expect.stringContaining('--bogus'), exit_code: 2 }]);
  });
});

describe('documented examples', () => {
  it('canvas is imported once its ids are registered', async () => {
    const asked = await cli('people', example('canvas-users.csv'), '--register');
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('user.external_user_id from column "external_user_id"');
    const { stdout } = await cli('people', example('canvas-users.csv'), '--register', '--yes');
    expect(stdout).toContain('3 created, 0 updated, 0 unchanged, 0 rejected.');
    expect((await cli('courses', example('canvas-courses.csv'), '--register', '--yes')).code).toBe(0);
    expect(await imported(example('canvas.csv'))).toMatchObject({ code: 0, rows: 5, applied: 2, skipped: 3 });
  });
});

describe('rejected rows', () => {
  beforeAll(async () => {
    copyFileSync(example('academy.csv'), path('history.csv'));
    await cli('courses', example('academy-courses.csv'), '--register', '--yes');
    await cli('init-mapping', 'history.csv', '--match-courses', '--accept-suggestions');
  });

  it('an import with rejected rows stops after the dry run if there is no terminal', async () => {
    const { code, stderr, stdout } = await cli('import', 'history.csv');
    expect(code).toBe(2);
    expect(stderr).toContain('Nothing imported');
    expect(stdout).toContain('2  would be rejected');
  });

  it('rejected rows are written as they were with the reasons; corrected and imported again, exactly these are applied', async () => {
    const first = await imported('history.csv');
    expect(first).toMatchObject({ code: 1, rows: 6, applied: 4, rejected: 2, rejected_file: 'history.rejected.csv' });
    expect(first.rejected_by_reason).toEqual({ user_not_found: 1, unconfirmed_kind: 1 });
    const rejected = readFileSync(path('history.rejected.csv'), 'utf8');
    expect(rejected.split('\n').map((line) => line.split(';').slice(0, 7).join(';'))).toEqual([
      'E-mail;Course;Progress;Started;Last access;Exam;error_codes',
      'elif.yilmaz@acme.tset;SEC-1;40 %;23/01/2024;25/01/2024;Failed;user_not_found',
      'farid.haddad@acme.test;DATA-2;120 %;19/02/2024;28/02/2024;Passed;unconfirmed_kind',
      '',
    ]);
    writeFileSync(path('history.rejected.csv'), rejected.replace('.tset', '.test').replace('120 %', '100 %'));
    const second = await imported('history.rejected.csv');
    expect(second).toMatchObject({ code: 0, rows: 2, applied: 2, rejected: 0, rejected_file: null });
  });

  it('rejected rows of an earlier run are not taken for those of one without any', async () => {
    copyFileSync(path('history.csv'), path('clean.csv'));
    copyFileSync(path('history.mapping.json'), path('clean.mapping.json'));
    expect((await cli('import', 'clean.csv', '--dry-run')).stderr).not.toContain('earlier run');
    const [header = '', first = ''] = readFileSync(path('clean.csv'), 'utf8').split('\n');
    writeFileSync(path('clean.csv'), `${header}\n${first}\n`);
    expect((await cli('import', 'clean.csv', '--dry-run')).stderr).toContain(
      'clean.rejected.csv was left by an earlier run. This run rejected no rows.',
    );
  });

  it('a finished import is sent again, also to replace it', async () => {
    const sent = [await imported('history.csv'), await imported('history.csv', '--replace')];
    expect(sent).toMatchObject([
      { applied: 0, unchanged: 4, dry_runs_sent: 1, dry_runs_resumed: 0 },
      { applied: 0, unchanged: 4, dry_runs_sent: 1, dry_runs_resumed: 0 },
    ]);
  });
});

describe('runs', () => {
  beforeAll(() => {
    const header = 'external_record_id,user.email,content.platform_course_id,progress.completion_pct';
    for (const name of ['signed', 'wrong']) {
      const rows = Array.from({ length: 20 }, (_, i) => `${name}-${i},grace.mensah@acme.test,104,${i * 5}`);
      writeFileSync(path(`${name}.csv`), [header, ...rows].join('\n'));
    }
  });

  it('a run is named after its file, listed with its imports, and reported', async () => {
    await cli('import', 'wrong.csv', '--dry-run');
    const { stdout, stderr } = await cli('import', 'wrong.csv', '--yes', '--json');
    expect(stderr).toMatch(/Showing the dry run of \d+ s ago: it was of the same records, and rejected none/);
    const first = JSON.parse(stdout);
    expect(first).toMatchObject({ applied: 20, run_id: expect.stringMatching(/^wrong-[0-9a-f]{8}$/) });
    const { runs } = JSON.parse((await cli('runs', '--json')).stdout);
    expect(runs[0]).toMatchObject({ run_id: first.run_id, counts: { imports: 1, total: 20 } });
    expect((await cli('runs', first.run_id)).stdout).toContain(first.imports[0]);
  });

  it('an import with a reason ends with evidence, which the command verifies without a session', async () => {
    const { run_id, evidence_file } = await imported('signed.csv', '--evidence', 'The old system ends');
    const { stdout } = await cli('evidence', run_id, '--reason', 'again', '--records', '--json');
    const second = JSON.parse(stdout);
    const stranger = { cwd, config: join(cwd, 'nobody') };
    const verified = async (...files: string[]) => {
      const ended = await runCli(stranger, ['verify-evidence', ...files, '--url', service.url, '--json']);
      return { code: ended.code, ...JSON.parse(ended.stdout) };
    };
    const statement = { files: [{ name: 'signed.csv' }], second_dry_run: { would_change: 0, of: 20 } };
    expect(await verified(evidence_file)).toMatchObject({ code: 0, holds: true, evidence: { run_id, statement } });
    expect(await verified(second.evidence_file, second.records_file)).toMatchObject({ code: 0, holds: true });
    expect((await cli('import', 'signed.csv', '--yes', '--evidence')).code).toBe(2);
  });

  it('a run is taken back, also if the command is interrupted, and then is imported again', async () => {
    const { runs } = JSON.parse((await cli('runs', '--json')).stdout) as { runs: { run_id: string }[] };
    const run_id = runs.find((run) => run.run_id.startsWith('wrong-'))?.run_id ?? '';
    expect((await cli('runs', run_id, '--revert')).code).toBe(2);
    const planned = JSON.parse((await cli('runs', run_id, '--revert', '--dry-run', '--json')).stdout);
    expect(planned).toMatchObject({ dry_run: true, counts: { total: 20, reverted: 20 } });
    const running = startCli(desk, ['runs', run_id, '--revert', '--yes', '--json']);
    while (!running.stderr().includes('a minute or more') && running.process.exitCode === null) await pause(20);
    running.process.kill('SIGINT');
    const interrupted = await running.finished;
    expect(interrupted.code).toBe(130);
    expect(JSON.parse(interrupted.stdout)).toMatchObject({ exit_code: 130 });
    const resumed = await cli('runs', run_id, '--revert', '--json');
    expect(resumed.stderr).toContain('is being reverted already');
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'success', counts: planned.counts });
    expect((await cli('runs', run_id)).stdout).toMatch(/20 +20 +0 +\d{4}-/);
    expect(await imported('wrong.csv')).toMatchObject({ code: 0, applied: 20 });
  });
});

/** A real export of the corpus; its courses have the titles of the sample's catalog. */
const exportOf = (path: string): string =>
  readFileSync(resolve(import.meta.dirname, '../exports', path), 'utf8')
    .replaceAll(',Security,', ',Information Security Essentials,')
    .replaceAll(',Welcome,', ',Welcome to Acme,');

/** The lines that docs/cli.md has for the export of a known system, with this file, as words behind the program. */
function commandsFor(file: string): string[][] {
  const page = readFileSync(join(DOCS, 'cli.md'), 'utf8');
  const block = /^```sh known-system\n([\s\S]*?)^```/m.exec(page)?.[1] ?? '';
  const lines = block.trim().replaceAll('activity.csv', file).split('\n');
  return lines.map((line) => line.replace('npx --no-install course-progress-migration ', '').split(' '));
}

describe('new users', () => {
  it.each([
    ['udemy', [], 'udemy/activity.csv', { rows: 3, applied: 2, skipped: 1, rejected: 0 }],
    [
      'learndash',
      ['--time-zone', 'Europe/Madrid'],
      'learndash/courses.csv',
      { rows: 3, applied: 2, skipped: 1, rejected: 0 },
    ],
    // The enrolment of "Removed" has ended, so its row is left out.
    ['cornerstone', [], 'cornerstone/transcript-short.csv', { rows: 3, skipped: 1, rejected: 0 }],
  ])('a new user of %s imports an export with two commands', async (system, zone, file, counts) => {
    const [find = [], send = [], ...more] = commandsFor(`${system}.csv`);
    expect([find[0], send[0], more]).toEqual(['init-mapping', 'import', []]);
    writeFileSync(path(`${system}.csv`), exportOf(file));
    const found = await cli(...find, ...zone);
    expect([found.code, found.stdout]).toEqual([0, expect.stringContaining('Written to')]);
    expect(await imported(...send.slice(1))).toMatchObject({ code: counts.rejected, ...counts });
  });
});

it('a profile has a session of its own', async () => {
  const home = { cwd, config: path('profiles') };
  await logIn('changeme', home);
  expect((await logIn('changeme', home, '--profile', 'staging')).code).toBe(0);
  const codeOf = async (...args: string[]) => (await runCli(home, args)).code;
  expect(await codeOf('logout')).toBe(0);
  expect(await codeOf('courses', '--profile', 'staging')).toBe(0);
  expect(await codeOf('courses')).toBe(3);
});

describe('a deployment that asks for a second person', () => {
  const home = { cwd, config: path('second') };
  let own: LocalStack;

  beforeAll(async () => {
    writeFileSync(path('admins.json'), adminsData());
    own = await startLocalStack({ port: 0, data: path('admins.json') });
    for (const each of own.functions.values()) each.inform({ [ENV.approval]: 'second' });
    for (const [email, profile] of [
      ['admin@acme.test', []],
      [SECOND_ADMIN, ['--profile', 'second']],
    ] as const)
      await runCli(home, ['login', '--url', own.url, '--email', email, '--password-stdin', ...profile], 'changeme');
  });

  afterAll(() => own.stop());

  it('import ends with 4 and writes nothing; another administrator approves the plan, and it is applied', async () => {
    const header = 'external_record_id,user.email,content.platform_course_id,progress.completion_pct';
    writeFileSync(path('approved.csv'), [header, 'a-1,hana.suzuki@acme.test,102,40'].join('\n'));
    const by = (...args: string[]) => runCli(home, args);
    const asked = await by('import', 'approved.csv', '--yes', '--json');
    const { run_id, plan, approval } = JSON.parse(asked.stdout);
    expect([asked.code, plan.status, approval.page]).toEqual([4, 'waiting', `${own.url}/#/run?id=${run_id}`]);
    expect((await by('runs', run_id)).stdout).toContain('It has no import yet.');
    const approve = ['runs', run_id, '--approve', plan.plan_digest, '--yes'];
    expect((await by(...approve)).code).toBe(2);
    expect((await by(...approve, '--profile', 'second')).code).toBe(0);
    const { code, stdout } = await by('import', 'approved.csv', '--yes', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ run_id, applied: 1, dry_runs_sent: 0 })]);
  });
});

describe('responses', () => {
  it('every response that these commands received was as documented', () => {
    expect(service.findings).toEqual([]);
  });
});
