/**
 * `npx node test/kit/files-entered.ts`: the files of `functions` that a call enters, from the event to the last write.
 * Runs under V8's precise coverage, over the table in memory; a file counts if one of its functions ran.
 * With `--json`, one line for files-entered.test.ts. Costs a second.
 */
import { Session } from 'node:inspector/promises';
import { relative, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handler as getImport } from '../../functions/handlers/get-import.ts';
import { handler as login } from '../../functions/handlers/login.ts';
import { handler as startImport } from '../../functions/handlers/start-import.ts';
import type { ApiHandler } from '../../functions/http/chain.ts';
import { ADMIN, COMPANY, type EventParts, invoke, posted } from './api-event.ts';
import { createWorld } from './world.ts';
import { planted } from './planted.ts';

const ROOT = join(import.meta.dirname, '../..');
const PASSWORD = 'correct horse battery staple';
const LEARNER = 'learner@acme.test';

export interface EnteredFiles {
  readonly path: string;
  readonly files: readonly string[];
}

/** A record that uses most of the rules: mapped ids, class views, an assessment and dates. */
const RECORD = {
  external_record_id: 'r-1',
  user: { external_user_id: 'x-2', email: LEARNER },
  content: { type: 'course', external_course_id: 'c-101' },
  progress: {
    completion_pct: 100,
    started_at: '2021-01-01',
    last_activity_at: '2021-02-01T10:00:00Z',
    completed_at: '2021-02-01T10:00:00Z',
    classes: [{ platform_class_id: 1, viewed_at: '2021-01-15' }],
  },
  assessment: { status: 'passed', score_pct: 90, taken_at: '2021-02-01' },
};

async function acme() {
  const world = createWorld();
  const { platform, mappings } = world.stores;
  const { company_id } = COMPANY;
  const updated_at = '2026-01-01T00:00:00.000Z';
  const password_hash = await world.services.passwords.hash(PASSWORD);
  await planted(platform).putCompanies([COMPANY]);
  await planted(platform).putUsers([
    { ...ADMIN, password_hash },
    { ...ADMIN, user_id: 2, email: LEARNER, role: 'customer' },
  ]);
  const classes = [{ platform_class_id: 1, title: 'One' }];
  await planted(platform).putCourses(company_id, [{ platform_course_id: 101, title: 'One', has_exam: true, classes }]);
  await mappings.putUserMappings(company_id, [{ external_user_id: 'x-2', email: LEARNER, user_id: 2, updated_at }]);
  await mappings.putCourseMappings(company_id, [{ external_course_id: 'c-101', platform_course_id: 101, updated_at }]);
  return world;
}

/** Three calls, each on handlers that have not been called before. */
export async function enteredFiles(): Promise<EnteredFiles[]> {
  const coverage = await startCoverage();
  const world = await acme();
  const logIn = login.on(world.services);
  const start = startImport.on(world.services);
  const poll = getImport.on(world.services);
  const path = { company_id: COMPANY.company_id };

  let token = '';
  const loggedIn = await coverage(async () => {
    ({ access_token: token = '' } = await ok(logIn, posted({ email: ADMIN.email, password: PASSWORD })));
  });
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'key-1' };
  let import_id = '';
  const imported = await coverage(async () => {
    const request = posted({ dry_run: false, records: [RECORD] }, headers);
    ({ import_id = '' } = await ok(start, { ...request, path }));
    await world.deliver();
  });
  const polled = await coverage(async () => {
    const { status } = await ok(poll, { headers, path: { ...path, import_id } });
    if (status !== 'success') throw new Error(`the import ended as ${status}`);
  });
  return [
    { path: 'POST import to stored contribution', files: imported },
    { path: 'GET import', files: polled },
    { path: 'login', files: loggedIn },
  ];
}

async function ok(handler: ApiHandler, parts: EventParts): Promise<Record<string, string>> {
  const { status = 0, body } = await invoke(handler, parts);
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as Record<string, string>;
}

/** Runs a call and returns the files of `functions` that it entered, in alphabetical order. */
async function startCoverage(): Promise<(call: () => Promise<void>) => Promise<string[]>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return async (call) => {
    // Taking the counts resets them.
    await session.post('Profiler.takePreciseCoverage');
    await call();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url, functions }) => url.startsWith('file:') && functions.some(isEntered))
      .map(({ url }) => relative(ROOT, fileURLToPath(url)))
      .filter((file) => file.startsWith('functions/'))
      .toSorted();
  };
}

/** A module's own body runs when it is loaded, not when it is entered. */
const isEntered = ({ ranges }: { ranges: { startOffset: number; count: number }[] }): boolean =>
  ranges.some(({ startOffset, count }) => startOffset > 0 && count > 0);

if (process.argv[1] === import.meta.filename) {
  const entered = await enteredFiles();
  if (process.argv.includes('--json')) console.log(JSON.stringify(entered));
  else for (const { path, files } of entered) console.log(`${path}: ${files.length}\n  ${files.join('\n  ')}`);
}
