/** `--deep`: every kind of call through every role, for a company of its own, which stays, closed and empty. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { routePath } from '../../../functions/shared/routes.ts';
import { memoryTokenStore, MigrationClient } from '../../importer/client/index.ts';
import { type Check, check, must } from './checks.ts';
import type { Deployment } from './deployment.ts';

export interface Operator {
  /** Invokes the intake. @throws Error if it fails */
  readonly inform: (facts: readonly object[]) => Promise<readonly FactResult[]>;
  /** The log lines of all functions since then, milliseconds since the epoch, that contain the text. */
  readonly linesSince: (ms: number, text: string) => Promise<readonly string[]>;
}

export interface FactResult {
  readonly status: string;
  readonly erased_at?: string | null;
}

export const COMPANY = 'verify';
const COURSE = 1;
const ADMIN = 1;
const LEARNER = 2;
/** A call that is denied is repeated for so long: a role that was just made may be denied at first. */
const PATIENCE_MS = 60_000;
/** A revert waits half a minute, and an erasure two minutes, behind their fences. */
const LONG_PATIENCE_MS = 600_000;
const POLL_MS = 1_000;
const ATTEMPTS = 5;

const DENIED = /assumed-role\/([^/\s]+)\/[^\s]+ is not authorized to perform: ([\w:]+)/;

/** Role and action of each denial in these lines, once: `…Roleslogin… dynamodb:PutItem`. */
export function denialsIn(lines: readonly string[]): string[] {
  const denials = lines.flatMap((line) => {
    const [, role, action] = DENIED.exec(line) ?? [];
    return role === undefined || action === undefined ? [] : [`${role} ${action}`];
  });
  return [...new Set(denials)].toSorted((a, b) => a.localeCompare(b));
}

async function eventually<Result>(call: () => Promise<Result>, patienceMs = PATIENCE_MS): Promise<Result> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(POLL_MS);
    }
  }
}

/** The checks, in their order: each relies on those before. The last ones clean up, and name what was denied. */
export function deepChecks(deployment: Deployment, operator: Operator): Check[] {
  const startedMs = Date.now();
  const run = randomUUID().slice(0, 8);
  const emailOf = (name: string) => `${name}-${run}@verify.invalid`;
  const credentials = { email: emailOf('admin'), password: randomUUID() };
  const { baseUrl } = deployment;
  const tokens = memoryTokenStore();
  const client = new MigrationClient({ baseUrl, company_id: COMPANY, tokens, retry: { patienceMs: PATIENCE_MS } });
  let latest = Date.now();
  const fact = (kind: string, members: object) => ({ kind, version: (latest += 1), company_id: COMPANY, ...members });
  const company = (migrations_enabled: boolean) => fact('company', { name: 'Verify', migrations_enabled });
  const user = (id: number, name: string, role: string, members: object = {}) =>
    fact('user', { id, email: emailOf(name), name, role, avatar: '', license: 'active', ...members });
  const course = (members: object) => fact('course', { platform_course_id: COURSE, ...members });
  const inform = (...facts: object[]) =>
    eventually(async () => {
      const results = await operator.inform(facts);
      const statuses = results.map(({ status }) => status);
      // A repeated message finds what the first one applied.
      must(!statuses.includes('rejected'), `The facts are ${statuses.join(', ')}.`);
      return results;
    });
  const record = (name: string) => ({
    external_record_id: `${run} ${name}`,
    user: { external_user_id: `${run}-learner` },
    content: { type: 'course', external_course_id: `${run}-course` },
    progress: { completion_pct: 40 },
  });
  const start = (name: string, run_id?: string, dry_run = false) =>
    client.startImport(
      { dry_run, ...(run_id === undefined ? {} : { run_id }), records: [record(name)] },
      `verify-${run}-${name}`,
    );
  const ended = async (import_id: string) => {
    const { status, counts } = await client.waitForImport(import_id);
    must(status === 'success', `It ended ${status}: ${JSON.stringify(counts)}.`);
    return `${counts.succeeded} applied`;
  };
  /** Calls that are repeated may take longer than an import: then the next one is cancelled. */
  const cancelOpen = async (run_id: string) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { import: open } = await start(`c${attempt}`, run_id);
      const { cancelled_at } = await client.cancelImport(open.import_id);
      if (cancelled_at !== null) return;
    }
    throw new Error(`Each of ${ATTEMPTS} imports ended before it was cancelled.`);
  };
  const erase = async (id: number, emails: readonly string[]) => {
    const erasure = fact('user', { id, erase: true, emails });
    await inform(erasure);
    await eventually(async () => {
      const [result] = await operator.inform([erasure]);
      must(typeof result?.erased_at === 'string', 'The erasure is not done.');
    }, LONG_PATIENCE_MS);
  };
  return [
    check('The intake makes a company, its people, a course and progress.', async () => {
      const progress = { email: emailOf('learner'), platform_course_id: COURSE, completion_pct: 10 };
      await inform(
        company(true),
        user(ADMIN, 'admin', 'admin', { password: credentials.password }),
        user(LEARNER, 'learner', 'customer'),
        course({ title: 'Verify', has_exam: false, classes: [] }),
        fact('progress', progress),
      );
      return `company ${COMPANY}`;
    }),
    check('The admin logs in, after a wrong password, and refreshes.', async () => {
      const wrong = { ...credentials, password: 'wrong' };
      await deployment.send('POST', routePath('login', {}), { body: wrong });
      await eventually(() => client.session.login(credentials));
      const { refresh_token: refreshToken } = (await tokens.read()) ?? {};
      const { status } = await eventually(async () => {
        const reply = await deployment.send('POST', routePath('refresh-token', {}), { body: { refreshToken } });
        must(reply.status < 500, `The status is ${reply.status}.`);
        return reply;
      });
      must(status === 201, `A refresh returns ${status}.`);
      return (await client.profile()).role;
    }),
    check('Users and courses are resolved, registered and listed.', async () => {
      await client.resolveUsers([emailOf('learner')]);
      await client.registerUserMappings([{ external_user_id: `${run}-learner`, email: emailOf('learner') }]);
      await client.registerCourseMappings([{ external_course_id: `${run}-course`, platform_course_id: COURSE }]);
      const [users, courses, catalog] = [
        await client.listUserMappings(),
        await client.listCourseMappings(),
        await client.listCourses(),
      ];
      return `${users.mappings.length} users, ${courses.mappings.length} courses, ${catalog.courses.length} in the catalog`;
    }),
    check('A dry run, an import and its replay.', async () => {
      await start('dry', undefined, true);
      const [first, second] = [await start('a', run), await start('a', run)];
      must(second.replayed, 'The second call made another import.');
      return ended(first.import.import_id);
    }),
    check('Imports are listed by status and run, with records, runs and an audit.', async () => {
      const { imports } = await client.listImports({ run_id: run });
      await client.listImports({ status: 'success' });
      await client.listImports();
      await client.listRecords(imports[0]?.import_id ?? '', {});
      await Promise.all([client.listRuns(), client.waitForRun(run)]);
      const { contributions } = await client.getRecord(record('a').external_record_id);
      return `${imports.length} import, ${contributions.length} contribution`;
    }),
    check('A run is drafted and planned, and both are taken back.', async () => {
      const planned = `${run}-planned`;
      await client.saveRun(planned, { title: 'Verify' });
      const { import: dryRun } = await start('planned', planned, true);
      const { plan_digest } = await client.planRun(planned, [dryRun.import_id]);
      await client.withdrawPlan(planned);
      await client.deleteRun(planned);
      return `plan ${plan_digest.slice(0, 8)}`;
    }),
    check('A run is reverted; imports that wait for it are cancelled.', async () => {
      await client.revertRun(run, { dry_run: true });
      await client.revertRun(run, { dry_run: false });
      const cancelled = `${run}-cancelled`;
      await start('b', cancelled);
      await cancelOpen(cancelled);
      await client.cancelRun(cancelled);
      const { counts } = await client.waitForRunRevert(run);
      must(counts.reverted === 1, `${counts.reverted} records are reverted, not 1.`);
      return 'reverted and cancelled';
    }),
    check('An import is reverted.', async () => {
      const { import: started } = await start('d');
      await ended(started.import_id);
      await client.revertImport(started.import_id, { dry_run: true });
      await client.revertImport(started.import_id, { dry_run: false });
      const { status, counts } = await eventually(async () => {
        const revert = await client.getRevert(started.import_id);
        must(revert.status !== 'processing', 'The revert is not done.');
        return revert;
      }, LONG_PATIENCE_MS);
      must(counts.reverted === 1, `It ended ${status}, with ${counts.reverted} records reverted, not 1.`);
      return status;
    }),
    check('A person is erased.', async () => {
      await erase(LEARNER, []);
      return 'the learner of this check';
    }),
    check('The admin logs out, and everything of this check is taken back.', async () => {
      await eventually(() => client.session.logout());
      await erase(ADMIN, []);
      await inform(course({ deleted: true }), company(false));
      return `company ${COMPANY} is closed`;
    }),
    check('No role was denied an action.', async () => {
      const denials = denialsIn(await operator.linesSince(startedMs, 'is not authorized to perform'));
      must(denials.length === 0, `Denied: ${denials.join('; ')}.`);
      return 'in the logs of all functions';
    }),
  ];
}
