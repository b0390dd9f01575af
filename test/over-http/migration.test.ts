/**
 * A migration from its draft to its mail (§4.11), where a second person must approve: on a stack of its own, whose watchdog comes
 * when the test says so. Costs ten seconds; `npm run test:long` has 200 imports, in half a minute.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { LocalStack } from '../../bin/local/stack.ts';
import { inParallel } from '../../functions/runtime/batching.ts';
import * as ENV from '../../functions/runtime/variables.ts';
import { AT_LENGTH } from '../kit/at-length.ts';
import { type Answer, sender, type Send } from '../kit/http-client.ts';
import { startStackOn } from '../kit/local-stack.ts';
import { record } from '../kit/records.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { PASSWORD, testData } from '../kit/test-data.ts';

const DRY_RUNS = AT_LENGTH ? 200 : 20;
const BASE = '/v1/migrations/plans/progress';
const RUN = `${BASE}/runs/training-2026`;

let stack: LocalStack;
let send: Send;
let tokens: { readonly admin: string; readonly second: string };
const dir = temporaryFolder('migration');
const events: { 'detail-type': string; detail: { run_id: string; event_id: string; plan?: object } }[] = [];
/** While it is true, no call of the driver and its chunks reaches the table or the queue. */
let isStill = false;

beforeAll(async () => {
  // No schedule invokes the watchdog.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const onLogLine = (line: string): void => {
    if (line.startsWith('{"source":"course-progress-migration"')) events.push(JSON.parse(line));
  };
  const observe = ({ caller }: { caller: string }): boolean => !(isStill && /ProcessChunk/.test(caller));
  stack = await startStackOn(testData(), { dir, onLogLine, observe });
  for (const each of stack.functions.values())
    each.inform({ [ENV.pageUrl]: `${stack.url}/`, [ENV.approval]: 'second' });
  send = sender(stack.url);
  tokens = { admin: await tokenOf('admin'), second: await tokenOf('second') };
});
afterAll(async () => {
  await stack.stop();
  vi.useRealTimers();
});

async function tokenOf(name: string): Promise<string> {
  const body = { email: `${name}@plans.test`, password: PASSWORD };
  return (await send('POST', '/api/v1/auth/login', { body })).body.access_token;
}

type Who = keyof typeof tokens;
const post = (path: string, body: object, who: Who = 'admin') => send('POST', path, { token: tokens[who], body });
const get = (path: string) => send('GET', path, { token: tokens.admin });
const refusal = ({ status, body }: Answer) => [status, body.errors?.[0].error_code];

/** One minute’s watchdog, to its end. */
async function watch(): Promise<void> {
  const watchdog = [...stack.functions.values()].find(({ spec }) => /Watchdog/.test(spec.name));
  await watchdog?.invoke({ 'detail-type': 'Scheduled Event', detail: {} });
}

const told = (type: string) => events.filter((event) => event['detail-type'] === type);

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString();

/** The subjects and texts of the mails that are kept. */
const mails = (): string[] =>
  readdirSync(join(dir, 'mails')).map((file) => {
    const [head = '', text = ''] = readFileSync(join(dir, 'mails', file), 'utf8').split('\r\n\r\n');
    const to = /^To: .*$/m.exec(head)?.[0];
    const subject = [...head.matchAll(/=\?utf-8\?B\?([^?]+)\?=/g)].map(([, word = '']) => decoded(word)).join('');
    return [to, subject, decoded(text)].join('\n');
  });

it('each dry run becomes an import, after another person said yes, and one mail says so', async () => {
  const { users } = testData();
  const [admin, second] = ['admin', 'second'].map((name) => users.find(({ email }) => email === `${name}@plans.test`));
  const draft = { title: 'Trainings until 2026', document: { kinds: [] }, notify: [admin?.id, second?.id] };
  expect((await send('PUT', RUN, { token: tokens.admin, body: draft })).status).toBe(201);
  const import_ids = await inParallel(Array.from({ length: DRY_RUNS }), 8, async () => {
    const body = { dry_run: true, run_id: 'training-2026', records: [record('plans')] };
    return (await post(`${BASE}/imports`, body)).body.import_id as string;
  });
  const { plan_digest } = (await post(`${RUN}/plan`, { import_ids })).body;

  const alone = { dry_run: false, run_id: 'training-2026', records: [record('plans')] };
  expect(refusal(await post(`${BASE}/imports`, alone))).toEqual([403, 'approval_required']);
  expect(refusal(await post(`${RUN}/plan/apply`, { plan_digest }))).toEqual([403, 'approval_required']);
  expect(refusal(await post(`${RUN}/plan/approve`, { plan_digest }))).toEqual([403, 'approval_by_another']);
  const approved = await post(`${RUN}/plan/approve`, { plan_digest, comment: 'As agreed' }, 'second');
  expect(approved.body).toMatchObject({ status: 'approved', approved_by: second?.id, comment: 'As agreed' });
  expect(approved.body.counts).toMatchObject({ imports: DRY_RUNS, applied: DRY_RUNS });

  await watch();
  await expect.poll(mails).toHaveLength(2);

  isStill = true;
  const begun = await post(`${RUN}/plan/apply`, { plan_digest });
  expect([begun.status, begun.body.status, begun.body.plan.status]).toEqual([202, 'processing', 'applying']);
  for (const dry_run of [true, false])
    expect(refusal(await post(`${RUN}/revert`, { dry_run }))).toEqual([409, 'run_not_terminal']);
  expect(refusal(await post(`${RUN}/evidence`, { reason: 'Migrated' }))).toEqual([409, 'run_not_terminal']);
  expect(refusal(await post(`${RUN}/plan`, { import_ids }))).toEqual([409, 'plan_closed']);
  expect(refusal(await post(`${RUN}/plan/approve`, { plan_digest }, 'second'))).toEqual([409, 'plan_closed']);
  for (const path of [RUN, `${RUN}/plan`])
    expect(refusal(await send('DELETE', path, { token: tokens.admin }))).toEqual([409, 'plan_closed']);
  expect((await get(RUN)).body).toMatchObject({ status: 'processing', counts: { imports: 0 } });
  isStill = false;

  await watch();
  await expect.poll(async () => (await get(RUN)).body.plan.status, { timeout: 120_000, interval: 500 }).toBe('applied');
  expect((await get(RUN)).body).toMatchObject({
    status: 'success',
    counts: { imports: DRY_RUNS, total: DRY_RUNS, succeeded: DRY_RUNS, failed: 0 },
    plan: { applied_by: admin?.id, approved_by: second?.id },
  });
  expect(new Set(told('Import Ended').map(({ detail }) => detail.event_id)).size).toBe(DRY_RUNS);

  for (const _ of ['sends the notice', 'has nothing to send']) await watch();
  await expect.poll(mails).toHaveLength(3);
  expect(told('Run Ended')).toMatchObject([{ detail: { run_id: 'training-2026', plan: { status: 'applied' } } }]);
  const ended = mails().filter((mail) => mail.includes('Imported: Trainings until 2026'));
  expect(ended).toHaveLength(1);
  expect(ended[0]).toContain('To: admin@plans.test, second@plans.test');
  expect(ended[0]).toContain(`${stack.url}/#/run?id=training-2026`);
  expect(mails().join('\n')).not.toContain('learner');
  for (const type of ['Plan Waiting', 'Plan Approved', 'Run Ended'])
    expect([type, told(type).length]).toEqual([type, 1]);
  expect((await post(`${RUN}/evidence`, { reason: 'Migrated' })).status).toBe(200);
});
