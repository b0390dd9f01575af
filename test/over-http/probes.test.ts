/**
 * Mistakes in every operation and in records: each error has its status and code, names the field, quotes what was sent
 * and says the rule or the way out. On the shared local stack; costs seconds.
 */
import { beforeAll, expect, it } from 'vitest';
import { type Admin, adminOf, call } from '../kit/api.ts';
import { freshId, record } from '../kit/records.ts';
import { probesOf, RECORDS, recordOf } from './probes.ts';

let admin: Admin;
const known = { import_id: '', run_id: freshId('run') };
beforeAll(async () => {
  admin = await adminOf('requests');
  const body = { dry_run: false, run_id: known.run_id, records: [record('requests')] };
  known.import_id = (await admin.post('/progress/imports', body)).body.import_id;
  await admin.finished(known.import_id);
});

interface Told {
  readonly error_code: string;
  readonly field?: string;
  readonly message: string;
}

it('each mistaken request is told by its status, field, value and rule', async () => {
  const poor: unknown[] = [];
  for (const { method, path, sending, status, field, says } of probesOf(known)) {
    const { body, headers, ...answer } = await call(method, path, { token: admin.token, ...sending });
    const errors: Told[] = body?.errors ?? [];
    const told = errors.find((each) => each.field === field && says.every((text) => each.message.includes(text)));
    const isWhole = told !== undefined && (status !== 405 || headers.get('allow') !== null);
    if (answer.status !== status || !isWhole) poor.push([method, path.slice(0, 120), answer.status, errors, says]);
  }
  expect(poor).toEqual([]);
});

it('each mistake in a record is told by its code, field, value and rule', async () => {
  const { body } = await admin.dryRun(RECORDS.map(([change], at) => recordOf(change, at)));
  const poor = RECORDS.filter(([, error, ...says], at) => {
    const { errors, warnings } = body.records[at];
    const told = errors.find((each: Told) => `${each.error_code} ${each.field}` === error);
    const texts: string = [told, ...warnings].map((each?: Told) => each?.message).join(' ');
    return told === undefined || !says.every((text) => texts.includes(text));
  });
  expect(poor).toEqual([]);
});

it('a key that was used with another payload is told with the import that holds it, and when', async () => {
  const headers = { 'idempotency-key': freshId('key') };
  const { body } = await admin.dryRun([record('requests')], headers);
  const { status, body: refused } = await admin.dryRun([record('requests')], headers);
  expect([status, refused.errors[0].error_code]).toEqual([422, 'idempotency_key_reused']);
  for (const text of [body.import_id, body.created_at]) expect(refused.errors[0].message).toContain(text);
});

it('a member with its default is the same payload as none', async () => {
  const payload = { dry_run: true, records: [record('requests')] };
  const sent = [payload, { ...payload, replace: false }, { run_id: null, ...payload }, { ...payload, replace: true }];
  const headers = { 'idempotency-key': freshId('key') };
  const answers = [];
  for (const body of sent) answers.push(await admin.post('/progress/imports', body, headers));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 422]);
  expect(new Set(answers.slice(0, 3).map(({ body }) => body.import_id)).size).toBe(1);
});
