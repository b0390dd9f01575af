/** Expired results, and results of an erased person, over HTTP, on a local stack of its own. Costs ten seconds. */
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documentClient } from '../../functions/dynamodb/client.ts';
import { importKey, planKey } from '../../functions/dynamodb/table.ts';
import { SAMPLE } from '../../lib/sandbox/sample.ts';
import { type Send, finished, sender, tokensOf } from '../kit/http-client.ts';
import { startStackOn } from '../kit/local-stack.ts';

const BASE = '/v1/migrations/acme';
const RECORD = {
  external_record_id: 'kept',
  user: { email: 'chiara.romano@acme.test' },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 10 },
};
let stack: Awaited<ReturnType<typeof startStackOn>>;
let send: Send;
let token: string;

beforeAll(async () => {
  stack = await startStackOn(JSON.parse(readFileSync(SAMPLE, 'utf8')) as object);
  send = sender(stack.url);
  token = (await tokensOf(send, 'admin@acme.test', 'changeme')).access;
}, 60_000);
afterAll(async () => stack?.stop());

const start = async (dry_run: boolean, key: string, run_id?: string) => {
  const headers = { 'idempotency-key': key };
  const body = { dry_run, records: [RECORD], ...(run_id !== undefined && { run_id }) };
  return send('POST', `${BASE}/progress/imports`, { token, body, headers });
};
const get = (path: string, headers = {}) => send('GET', `${BASE}/progress${path}`, { token, headers });
const post = (path: string, body: object) => send('POST', `${BASE}/progress${path}`, { token, body });

/** The import as it is after its days: the date is over, and the database has deleted the plan. */
async function expire(import_id: string): Promise<void> {
  const client = documentClient(stack.operator);
  const TableName = stack.tableName;
  const UpdateExpression = 'SET expires_at = :past';
  const ExpressionAttributeValues = { ':past': '2026-01-01T00:00:00.000Z' };
  const Key = importKey('acme', import_id);
  await client.send(new UpdateCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues }));
  await client.send(new DeleteCommand({ TableName, Key: planKey('acme', import_id, 0) }));
  client.destroy();
}

it('an import with expired results shows that they expired, keeps its counts and its key, and cannot be reverted', async () => {
  const { import_id } = (await start(false, 'expires', 'old run')).body;
  const { headers, body: whole } = await finished(send, BASE, import_id, token);
  await expire(import_id);
  const again = await get(`/imports/${import_id}`, { 'if-none-match': headers.get('etag') ?? '' });
  expect([again.status, again.body]).toEqual([200, { ...whole, report_expired: true, records: [] }]);
  const records = await get(`/imports/${import_id}/records?include=record`);
  expect(records.body).toMatchObject({ report_expired: true, records: [], next_cursor: null });
  const replayed = await start(false, 'expires', 'old run');
  expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
  expect((await post(`/imports/${import_id}/cancel`, {})).body.report_expired).toBe(true);
  const refused = await post(`/imports/${import_id}/revert`, { dry_run: false });
  expect([refused.status, refused.body.errors[0]]).toMatchObject([409, { error_code: 'report_expired' }]);
});

it('the imported progress is the same after the results have expired', async () => {
  const audit = await get('/records?external_record_id=kept');
  expect(audit.body).toMatchObject({ contributions: [{ completion_pct: 10 }] });
  const { import_id } = (await start(false, 'sent-again')).body;
  const { body } = await finished(send, BASE, import_id, token);
  expect(body.records).toMatchObject([{ outcome: 'unchanged' }]);
});

it('the report of a dry run expires, and its key replays the expired report', async () => {
  const { body: whole } = await start(true, 'dry');
  await expire(whole.import_id);
  const replayed = await start(true, 'dry');
  expect([replayed.status, replayed.body]).toEqual([200, { ...whole, report_expired: true, records: [] }]);
});
