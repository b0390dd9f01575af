/**
 * The number of files of `functions` that a reader opens to follow a call, from the event to the last write: those of
 * which a function ran, by V8's precise coverage, over the table in memory. Costs a second.
 */
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { handler as getImport } from '../../functions/handlers/get-import.ts';
import { handler as login } from '../../functions/handlers/login.ts';
import { handler as startImport } from '../../functions/handlers/start-import.ts';
import type { ApiHandler } from '../../functions/http/chain.ts';
import { ADMIN, COMPANY, type EventParts, invoke, posted } from './api-event.ts';
import { PASSWORD } from './auth-services.ts';
import { planted } from './planted.ts';
import { createWorld } from './world.ts';

const FUNCTIONS = join(import.meta.dirname, '../../functions');
const LEARNER = 'learner@acme.test';
const { company_id } = COMPANY;

/** A record that uses most of the rules: mapped ids, class views, an assessment and dates. */
const RECORD = {
  external_record_id: 'r-1',
  user: { external_user_id: 'x-2', email: LEARNER },
  content: { type: 'course', external_course_id: 'c-101' },
  progress: { completion_pct: 100, started_at: '2021-01-01', classes: [{ platform_class_id: 1 }] },
  assessment: { status: 'passed', score_pct: 90, taken_at: '2021-02-01' },
};

async function acme() {
  const world = createWorld();
  const { platform, mappings } = world.stores;
  const updated_at = '2026-01-01T00:00:00.000Z';
  const password_hash = await world.services.passwords.hash(PASSWORD);
  const classes = [{ platform_class_id: 1, title: 'One' }];
  await planted(platform).putCompanies([COMPANY]);
  const learner = { ...ADMIN, user_id: 2, email: LEARNER, role: 'customer' } as const;
  await planted(platform).putUsers([{ ...ADMIN, password_hash }, learner]);
  await planted(platform).putCourses(company_id, [{ platform_course_id: 101, title: 'One', has_exam: true, classes }]);
  await mappings.putUserMappings(company_id, [{ external_user_id: 'x-2', email: LEARNER, user_id: 2, updated_at }]);
  await mappings.putCourseMappings(company_id, [{ external_course_id: 'c-101', platform_course_id: 101, updated_at }]);
  return world;
}

async function ok(handler: ApiHandler, parts: EventParts): Promise<Record<string, string>> {
  const { status = 0, body } = await invoke(handler, parts);
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as Record<string, string>;
}

/** A module's own body runs when it is loaded, not when it is entered. */
const isEntered = ({ ranges }: { ranges: { startOffset: number; count: number }[] }): boolean =>
  ranges.some(({ startOffset, count }) => startOffset > 0 && count > 0);

it('a call enters few files: 66 an import, until its contribution is stored, 24 a poll, 29 a login', async () => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  /** Taking the counts resets them. */
  const enteredBy = async (call: () => Promise<unknown>) => {
    await session.post('Profiler.takePreciseCoverage');
    await call();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const entered = result.filter(({ url, functions }) => url.startsWith('file:') && functions.some(isEntered));
    return entered.map(({ url }) => relative(FUNCTIONS, fileURLToPath(url))).filter((file) => !file.startsWith('.'));
  };
  const world = await acme();
  const { services } = world;
  const [logIn, start, poll] = [login.on(services), startImport.on(services), getImport.on(services)];
  let headers: Record<string, string> = {};
  let import_id = '';
  const loggedIn = await enteredBy(async () => {
    const { access_token } = await ok(logIn, posted({ email: ADMIN.email, password: PASSWORD }));
    headers = { authorization: `Bearer ${access_token}`, 'idempotency-key': 'key-1' };
  });
  const imported = await enteredBy(async () => {
    const sent = { ...posted({ dry_run: false, records: [RECORD] }, headers), path: { company_id } };
    ({ import_id = '' } = await ok(start, sent));
    await world.deliver();
  });
  const polled = await enteredBy(async () => {
    const { status } = await ok(poll, { headers, path: { company_id, import_id } });
    expect(status).toBe('success');
  });
  session.disconnect();
  for (const [files, most] of [
    [imported, 66],
    [polled, 24],
    [loggedIn, 29],
  ] as const) {
    expect(files).not.toEqual([]);
    expect(files.slice(most)).toEqual([]);
  }
});
