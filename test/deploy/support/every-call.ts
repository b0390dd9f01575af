/** Brings every function to make every call that it can make, races and recoveries included. */
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { LocalStack } from '../../../bin/local/stack.ts';
import { scryptPasswords } from '../../../functions/auth/passwords.ts';
import { documentClient } from '../../../functions/dynamodb/client.ts';
import { runPartition, userKey } from '../../../functions/dynamodb/table.ts';
import { secureRandom } from '../../../functions/runtime/system.ts';
import { authenticateClient } from './authenticate-client.ts';
import { chunkMessagesOf, cloneImport, deliveryOf, functionOf } from './clone-import.ts';
import { informIntake, loadMore } from './inform-platform.ts';
import { draft } from './plan-runs.ts';
import { erasePerson } from './erase-person.ts';
import { codeOf, PUBLIC_CLIENT_ID, type IdentityProvider } from '../../kit/identity-provider.ts';
import type { CallRecorder } from './call-recorder.ts';
import { examplePaths } from '../../security/matrix/ask.ts';
import { noticedRun } from '../../notices/run.ts';
import { finished, type Send, sender, tokensOf } from '../../kit/http-client.ts';

const BASE = '/v1/migrations/acme';
const ADMIN = { id: 1, email: 'admin@acme.test', password: 'changeme' };
/** The learner of the sample that the records are about. */
const CHIARA = 3;
const DAY_MS = 86_400_000;
const MOST_ROUNDS = 50;

interface Driven {
  readonly provider: IdentityProvider;
  readonly stack: LocalStack;
  readonly recorder: CallRecorder;
  readonly send: Send;
  readonly client: DynamoDBDocumentClient;
}

export async function makeEveryCall(
  stack: LocalStack,
  recorder: CallRecorder,
  provider: IdentityProvider,
): Promise<void> {
  const driven: Driven = {
    provider,
    stack,
    recorder,
    send: sender(stack.url),
    client: documentClient(stack.operator),
  };
  try {
    const token = await authenticate(driven);
    await refer(driven, token);
    const import_id = await importRecords(driven, token);
    const archived_id = await archive(driven, token);
    await draft({ send: driven.send, token, base: BASE, admin: ADMIN.id, record });
    await raceCommits(driven, token);
    await deliverTwice(driven, import_id);
    await cancelOpen(driven, token, import_id);
    await revert(driven, token);
    await watch(driven, import_id, archived_id);
    await endSession(driven);
    await informIntake(driven);
    await exportPeople(driven);
    await erasePerson(stack, driven.client, CHIARA);
    await eraseNamed(driven);
    await mailNotice(driven);
    await loadMore(driven);
    await checkDeployment(driven);
  } finally {
    driven.client.destroy();
  }
}

/** Stores a hash from before the cost was raised: the next login hashes the password again. */
async function keepOldHash({ client, stack }: Driven): Promise<void> {
  const password_hash = await scryptPasswords(secureRandom, { ln: 4, r: 8, p: 1 }).hash(ADMIN.password);
  await client.send(
    new UpdateCommand({
      TableName: stack.tableName,
      Key: userKey('acme', ADMIN.email),
      UpdateExpression: 'SET password_hash = :hash',
      ExpressionAttributeValues: { ':hash': password_hash },
    }),
  );
}

async function authenticate(driven: Driven): Promise<string> {
  const { send, stack } = driven;
  await keepOldHash(driven);
  // Before a failed login opens the window of the address.
  await signIn(driven);
  // The first failure opens a window, the second is counted in it, and the success clears it.
  for (const password of ['wrong', 'wrong', ADMIN.password]) {
    await send('POST', '/api/v1/auth/login', { body: { email: ADMIN.email, password } });
  }
  const { access, refresh } = await tokensOf(send, ADMIN.email, ADMIN.password);
  await send('POST', '/api/v1/auth/refresh-token', { body: { refreshToken: refresh } });
  await send('GET', '/api/v1/auth/profile', { token: access });
  await authenticateClient(stack, send);
  await send('GET', '/api/v1/auth/.well-known/jwks.json');
  await send('GET', '/api/v1/auth/.well-known/evidence-jwks.json');
  await send('GET', '/v1/openapi.json');
  await send('GET', '/nowhere');
  return access;
}

/** Refused twice, so that the second failure is counted in a window; then bound, and known. */
async function signIn({ send, provider: { accounts, issuer } }: Driven): Promise<void> {
  const client = { client_id: PUBLIC_CLIENT_ID };
  await send('GET', '/api/v1/auth/sign-in');
  for (const email of ['nobody@acme.test', 'nobody@acme.test', ADMIN.email, ADMIN.email]) {
    accounts.set('ada', { email, email_verified: true });
    await send('POST', '/api/v1/auth/sign-in', { body: await codeOf(issuer, 'ada', client) });
  }
}

async function refer({ send }: Driven, token: string): Promise<void> {
  const post = (path: string, body: unknown) => send('POST', BASE + path, { token, body });
  await post('/users/resolve', { emails: [ADMIN.email] });
  const users = { mappings: [{ external_user_id: 'u-1', email: 'chiara.romano@acme.test' }] };
  const courses = { mappings: [{ external_course_id: 'c-1', platform_course_id: 101 }] };
  await post('/users/mappings', users);
  await post('/catalog/mappings', courses);
  for (const path of ['/users/mappings/gone', '/catalog/mappings/gone']) await send('DELETE', BASE + path, { token });
}

const record = (external_record_id: string, completion_pct: number, platform_course_id = 101) => ({
  external_record_id,
  user: { external_user_id: 'u-1', email: 'chiara.romano@acme.test' },
  content: { type: 'course', ...(platform_course_id === 101 && { external_course_id: 'c-1' }), platform_course_id },
  progress: { completion_pct, started_at: '2021-01-01', last_activity_at: '2021-02-01' },
});

/** Nearly 60 KB, none of them of the course. */
const MANY_CLASSES = Array.from({ length: 1800 }, (_, at) => ({ platform_class_id: 1_000_000 + at }));

/** A new item; another contribution; two at once; other content; an id that another pair has; a large report. */
async function importRecords({ send }: Driven, token: string): Promise<string> {
  const start = (dry_run: boolean, records: unknown[], replace = false) =>
    send('POST', `${BASE}/progress/imports`, { token, body: { dry_run, records, replace } });
  await start(true, [record('r-1', 10)]);
  const ids: string[] = [];
  for (const records of [
    [record('r-1', 10)],
    [record('r-2', 20)],
    [record('r-3', 20), record('r-4', 30)],
    [record('r-1', 30)],
    Array.from({ length: 20 }, (_, i) => ({
      ...record(`l-${i}`, 10),
      progress: { completion_pct: 10, classes: MANY_CLASSES },
    })),
    [record('r-1', 10, 102)],
  ]) {
    const { import_id } = (await start(false, records, ids.length === 0)).body;
    await finished(send, BASE, import_id, token);
    ids.push(import_id);
  }
  const [first = ''] = ids;
  const conflict = ids.at(-1);
  for (const path of [
    `/${first}/records?include=record`,
    `/${ids.at(-2)}`,
    `/${conflict}`,
    `/${conflict}/records`,
    '',
  ]) {
    await send('GET', `${BASE}/progress/imports${path}`, { token });
  }
  for (const { path } of examplePaths({ import_id: first, external_record_id: 'r-1' }, 'acme'))
    await send('GET', path, { token });
  for (const name of ['email=learner-1@acme.test', 'user_id=10', 'external_user_id=1'])
    await send('GET', `${BASE}/progress/learners?${name}`, { token });
  return first;
}

/** A record of someone unknown, whose id another one has; found by person and by run. */
async function archive({ send }: Driven, token: string): Promise<string> {
  const records = [{ ...record('r-1', 10), user: { email: 'gone@acme.test' } }];
  const body = { dry_run: false, archive: true, run_id: 'leavers', records };
  const { import_id } = (await send('POST', `${BASE}/progress/imports`, { token, body })).body;
  await finished(send, BASE, import_id, token);
  for (const query of ['email=gone@acme.test', 'run_id=leavers'])
    await send('GET', `${BASE}/progress/archive?${query}`, { token });
  await send('GET', `${BASE}/progress/learners?email=gone@acme.test`, { token });
  return import_id;
}

/** Reverts an import that another one relies on, and its run. */
async function revert({ send, stack }: Driven, token: string): Promise<void> {
  const post = (path: string, body: unknown) => send('POST', `${BASE}/progress${path}`, { token, body });
  const get = (path: string) => send('GET', `${BASE}/progress${path}`, { token });
  const started: string[] = [];
  for (const run_id of [null, 'relying', 'reverted']) {
    const records = [record('r-20', 10), ...(run_id === 'reverted' ? [record('r-21', 20)] : [])];
    const { import_id } = (await post('/imports', { dry_run: false, run_id, records })).body;
    await finished(send, BASE, import_id, token);
    started.push(import_id);
  }
  await get('/runs/relying/evidence');
  await post('/runs/relying/evidence', { reason: 'Done' });
  for (const path of [`/imports/${started[0]}/revert`, '/runs/reverted/revert']) {
    await get(path);
    // The first request covers the second.
    for (const dry_run of [true, false, false]) await post(path, { dry_run });
    // The watchdog sends it again; imports that are accepted meanwhile wait.
    await functionOf(stack, 'Watchdog').attempt({ detail: { open: 'all' } });
    await post('/imports', { dry_run: false, records: [record('r-22', 30)] });
    while ((await get(path)).body.status === 'processing') await new Promise((resolve) => setTimeout(resolve, 500));
    await post(path, { dry_run: false });
  }
}

/** Callers with one key meet each other's import, before and after its commit; a losing dry run drops its report. */
async function raceCommits({ send, recorder }: Driven, token: string): Promise<void> {
  const loserReads = (calls: CallRecorder['calls']) =>
    calls.some(
      ({ caller, action, leadingKeys: [key = ''] }) =>
        caller.includes('StartImport') && action === 'dynamodb:GetItem' && key.includes('#import#'),
    );
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const headers = { 'idempotency-key': `race-${round}` };
    const body = { dry_run: round % 2 === 1, records: [record('r-9', 10)] };
    await Promise.all(
      Array.from({ length: 4 }, () => send('POST', `${BASE}/progress/imports`, { token, body, headers })),
    );
    if (loserReads(recorder.calls)) return;
  }
  throw new Error('no caller lost a race');
}

/**
 * One chunk twice in one batch: one of the two finds the plan, the summary and the end already stored. Then a plan
 * whose ids are already bound.
 */
async function deliverTwice(driven: Driven, import_id: string): Promise<void> {
  const clone = cloning(driven, import_id);
  for (const withPlan of [false, true]) {
    const item = await clone(withPlan ? 'planned' : 'twice', {}, withPlan);
    const [message] = chunkMessagesOf(item);
    await functionOf(driven.stack, 'ProcessChunk').attempt(deliveryOf([message, message]));
  }
}

/** A run with an ended import, an open one and one that has not started; each is read and cancelled. */
async function cancelOpen(driven: Driven, token: string, import_id: string): Promise<void> {
  const { send } = driven;
  const body = { dry_run: false, run_id: 'every', records: [record('r-20', 10)] };
  const started = await send('POST', `${BASE}/progress/imports`, { token, body });
  await finished(send, BASE, started.body.import_id, token);
  const clone = cloning(driven, import_id);
  const run_pk = runPartition({ company_id: 'acme', run_id: 'every' });
  const ofRun = { run_id: 'every', run_pk };
  const open = async (name: string) => {
    const items = [await clone(`${name}new`, ofRun), await clone(`${name}started`, ofRun, true)];
    return items.map((item) => String(item['import_id']));
  };
  // Enough that a reader stores their sum.
  const created_at = '2026-01-01T00:00:00.000Z';
  for (let at = 100; at < 200; at += 1) {
    const list_sk = `${created_at}#${`s${at}${import_id}`.slice(0, import_id.length)}`;
    await clone(`s${at}`, { ...ofRun, list_sk, created_at, status: 'success', completed_at: created_at });
  }
  await open('run');
  for (const path of [
    '/imports',
    '/imports?status=error',
    '/imports?run_id=every',
    '/runs',
    '/runs/every',
    '/runs/every/records',
  ]) {
    await send('GET', `${BASE}/progress${path}`, { token });
  }
  await send('POST', `${BASE}/progress/runs/every/cancel`, { token });
  for (const id of await open('one')) await send('POST', `${BASE}/progress/imports/${id}/cancel`, { token });
}

/** Imports that stopped at every stage: never processed, old, closing (one with a plan that archives), complete but not ended. */
async function watch(driven: Driven, import_id: string, archived_id: string): Promise<void> {
  const clone = cloning(driven, import_id);
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
  const due = { open_pk: 'open', due_at: ago(1000) };
  await clone('unsent', due);
  await clone('old', { ...due, created_at: ago(DAY_MS + 1000), resends: 4 });
  const closing = { ...due, created_at: ago(DAY_MS + 600_000), closing_at: ago(599_000) };
  await clone('closing', closing);
  await clone('half', closing, true);
  await cloning(driven, archived_id)('kept', closing, true);
  const done = JSON.stringify({ succeeded: 1, failed: 0, with_warnings: 0, conflict: [], failed_indexes: [] });
  await clone('complete', { ...due, 'summary#0': done, replace: true });
  await functionOf(driven.stack, 'Watchdog').attempt({ detail: {} });
}

/** A first deployment, which stores its settings. */
async function checkDeployment({ stack }: Driven): Promise<void> {
  const ResourceProperties = {
    SigningKey: '1',
    Writes: '1',
    Reads: ['1'],
    Names: [],
    Forget: [],
    File: 'companies/acme.sandbox.json',
  };
  await functionOf(stack, 'SettingsChecker').attempt({ RequestType: 'Create', ResourceProperties });
}

async function mailNotice({ stack }: Driven): Promise<void> {
  const detail = { ...noticedRun, notify: [ADMIN.id] };
  await functionOf(stack, 'NoticesSend').attempt({ 'detail-type': 'Run Ended', detail });
}

/** A learner with records, and an admin with sessions: every page, of which a busy machine makes more. */
async function exportPeople({ stack }: Driven): Promise<void> {
  for (const id of [CHIARA, ADMIN.id]) {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const fact = { kind: 'user', company_id: 'acme', id, export: true, ...(cursor !== undefined && { cursor }) };
      const { results } = (await functionOf(stack, 'Intake').attempt({ facts: [fact] })) as { results: Exported[] };
      const [result] = results;
      if (result?.status !== 'exported') throw new Error(JSON.stringify(results));
      cursor = result.cursor;
    }
  }
}

interface Exported {
  readonly status: string;
  readonly cursor: string | null;
}

/** Someone without an account, of whom the archive keeps a record. Nothing waits for the end. */
async function eraseNamed({ stack }: Driven): Promise<void> {
  const facts = [{ kind: 'person', company_id: 'acme', names: ['gone@acme.test'], erase: true }];
  const { results } = (await functionOf(stack, 'Intake').attempt({ facts })) as { results: { status: string }[] };
  if (results[0]?.status !== 'applied') throw new Error(JSON.stringify(results));
}

/** A refresh token that is used again after the grace period ends its session. */
async function endSession({ send, client, stack }: Driven): Promise<void> {
  const { refresh } = await tokensOf(send, ADMIN.email, ADMIN.password);
  const refreshAgain = () => send('POST', '/api/v1/auth/refresh-token', { body: { refreshToken: refresh } });
  await refreshAgain();
  const { sid } = JSON.parse(Buffer.from(refresh.split('.')[1] ?? '', 'base64url').toString('utf8'));
  await client.send(
    new UpdateCommand({
      TableName: stack.tableName,
      Key: { pk: `session#${sid}`, sk: 'session' },
      UpdateExpression: 'SET spent[0].spent_at_ms = :long_ago',
      ExpressionAttributeValues: { ':long_ago': 0 },
    }),
  );
  const { status } = await refreshAgain();
  if (status !== 401) throw new Error(`a spent token was answered ${status}`);
  const { access } = await tokensOf(send, ADMIN.email, ADMIN.password);
  await send('POST', '/api/v1/auth/logout', { token: access });
}

const cloning =
  ({ client, stack }: Driven, import_id: string) =>
  (name: string, members: Record<string, unknown>, withPlan = false) =>
    cloneImport(client, stack.tableName, import_id, { name, members, withPlan });
