/** Expired results over HTTP, on the shared local stack, in a company of its own. Costs a second. */
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, inject, it } from 'vitest';
import { documentClient } from '../../functions/dynamodb/client.ts';
import { importKey, planKey } from '../../functions/dynamodb/table.ts';
import { type Admin, adminOf, call } from '../kit/api.ts';
import { freshId, record } from '../kit/records.ts';

const COMPANY = 'retention';
const RECORD = record(COMPANY, { external_record_id: freshId('kept'), progress: { completion_pct: 10 } });
let admin: Admin;
beforeAll(async () => {
  admin = await adminOf(COMPANY);
});

const start = async (dry_run: boolean, key: string, run_id?: string) =>
  admin.post(
    '/progress/imports',
    { dry_run, records: [RECORD], ...(run_id !== undefined && { run_id }) },
    { 'idempotency-key': key },
  );

/** The import as it is after its days: the date is over, and the database has deleted the plan. */
async function expire(import_id: string): Promise<void> {
  const { settings, table: TableName } = inject('database');
  const client = documentClient(settings);
  const UpdateExpression = 'SET expires_at = :past';
  const ExpressionAttributeValues = { ':past': '2026-01-01T00:00:00.000Z' };
  const Key = importKey(COMPANY, import_id);
  await client.send(new UpdateCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues }));
  await client.send(new DeleteCommand({ TableName, Key: planKey(COMPANY, import_id, 0) }));
  client.destroy();
}

it('an import with expired results shows that they expired, keeps its counts and its key, and cannot be reverted', async () => {
  const { import_id } = (await start(false, 'expires', 'old run')).body;
  const { headers, body: whole } = await admin.finished(import_id);
  await expire(import_id);
  const again = await call('GET', `${admin.base}/progress/imports/${import_id}`, {
    token: admin.token,
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  expect([again.status, again.body]).toEqual([200, { ...whole, report_expired: true, records: [] }]);
  const records = await admin.get(`/progress/imports/${import_id}/records?include=record`);
  expect(records.body).toMatchObject({ report_expired: true, records: [], next_cursor: null });
  const replayed = await start(false, 'expires', 'old run');
  expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
  expect((await admin.post(`/progress/imports/${import_id}/cancel`, {})).body.report_expired).toBe(true);
  const refused = await admin.post(`/progress/imports/${import_id}/revert`, { dry_run: false });
  expect([refused.status, refused.body.errors[0]]).toMatchObject([409, { error_code: 'report_expired' }]);
});

it('the imported progress is the same after the results have expired', async () => {
  const audit = await admin.get(`/progress/records?external_record_id=${String(RECORD['external_record_id'])}`);
  expect(audit.body).toMatchObject({ contributions: [{ completion_pct: 10 }] });
  const { import_id } = (await start(false, 'sent-again')).body;
  const { body } = await admin.finished(import_id);
  expect(body.records).toMatchObject([{ outcome: 'unchanged' }]);
});

it('the report of a dry run expires, and its key replays the expired report', async () => {
  const { body: whole } = await start(true, 'dry');
  await expire(whole.import_id);
  const replayed = await start(true, 'dry');
  expect([replayed.status, replayed.body]).toEqual([200, { ...whole, report_expired: true, records: [] }]);
  const refused = await admin.post(`/progress/imports/${whole.import_id}/revert`, { dry_run: true });
  const [error] = refused.body.errors;
  expect([refused.status, error.error_code]).toEqual([409, 'report_expired']);
  expect(error.message).toContain('imported nothing');
});
