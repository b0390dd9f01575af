/** Runs before their first import (§4.11): what several people decide about them. On the shared local stack; costs seconds. */
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_DOCUMENT_BYTES } from '../../functions/shared/limits.ts';
import { type Admin, adminOf, call } from '../kit/api.ts';
import { freshId, record } from '../kit/records.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('drafts');
});

const pathOf = (run_id: string) => `${admin.base}/progress/runs/${encodeURIComponent(run_id)}`;
const put = (run_id: string, body: unknown, headers: Record<string, string> = {}) =>
  call('PUT', pathOf(run_id), { token: admin.token, body, headers });
const remove = (run_id: string) => call('DELETE', pathOf(run_id), { token: admin.token });
const get = (run_id: string, query = '') => call('GET', pathOf(run_id) + query, { token: admin.token });
const problemOf = ({
  status,
  body,
}: {
  status: number;
  body: { errors: { error_code: string; field?: string }[] };
}) => [status, ...body.errors.map(({ error_code, field }) => `${error_code} ${field ?? ''}`.trim())];

it('a run that nobody imported is a draft, which another person reads where the first one stopped', async () => {
  const run_id = `${freshId('run')} #1`;
  const [{ user_id }] = (await admin.post('/users/resolve', { emails: ['admin@drafts.test'] })).body.users;
  const document = { mapping: { columns: ['E-mail'] }, 'by hand': null };
  const decided = { title: 'Spring 2026', shape: 'moodle-grades', notify: [user_id], language: 'de' };
  const made = await put(run_id, { ...decided, document });
  expect([made.status, made.headers.get('etag')]).toEqual([201, '"1"']);
  const shown = {
    ...decided,
    run_id,
    status: 'draft',
    version: 1,
    plan: null,
    created_by: user_id,
    updated_by: user_id,
  };
  expect(made.body).toMatchObject(shown);
  expect(made.body).not.toHaveProperty('document');
  expect((await get(run_id)).body).toEqual(made.body);
  const whole = await get(run_id, '?include=document');
  expect([whole.body, whole.headers.get('etag')]).toEqual([{ ...made.body, document }, '"1"']);
});

it('of two people who decide at once, the second learns of it with If-Match, and is the last without', async () => {
  const run_id = freshId('run');
  await put(run_id, { title: 'Spring' });
  const both = await Promise.all(['One', 'Two'].map((title) => put(run_id, { title }, { 'if-match': '"1"' })));
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]));
  const refused = both.find(({ status }) => status === 412);
  expect(refused && problemOf(refused)).toEqual([412, 'version_conflict If-Match']);
  const kept = both.find(({ status }) => status === 200)?.body;
  expect((await get(run_id)).body).toEqual(kept);
  expect((await put(run_id, { title: null })).body).toMatchObject({ title: null, version: 3 });
  expect(problemOf(await put(freshId('run'), {}, { 'if-match': '*' }))).toEqual([412, 'version_conflict If-Match']);
});

/** A document of so many bytes as JSON. */
const documentOf = (bytes: number) => ({ text: 'é'.repeat(1_000) + 'x'.repeat(bytes - 2_000 - '{"text":""}'.length) });

it.each([
  ['a document of 256 KiB', () => ({ document: documentOf(MAX_DOCUMENT_BYTES) }), [201]],
  ['one byte more', () => ({ document: documentOf(MAX_DOCUMENT_BYTES + 1) }), [400, 'invalid_request document']],
  ['a document that is no object', () => ({ document: [] }), [400, 'invalid_request document']],
  ['a title of 200 characters', () => ({ title: 'é'.repeat(200) }), [201]],
  ['a title of 201', () => ({ title: 'é'.repeat(201) }), [400, 'invalid_request title']],
  ['no title', () => ({ title: '' }), [400, 'invalid_request title']],
  ['a shape of 65 characters', () => ({ shape: 's'.repeat(65) }), [400, 'invalid_request shape']],
  ['another language', () => ({ language: 'fr' }), [400, 'invalid_request language']],
  ['eleven people', () => ({ notify: Array.from({ length: 11 }, () => 1) }), [400, 'invalid_request notify']],
  ['somebody who is no admin', () => ({ notify: [999_999] }), [400, 'invalid_request notify.0']],
  ['a member that no run has', () => ({ titel: 'x' }), [400, 'invalid_request titel']],
])('%s', async (_, body, expected) => {
  const response = await put(freshId('run'), body());
  expect(response.status === 201 ? [201] : problemOf(response)).toEqual(expected);
});

it('a run is found by its status and its shape', async () => {
  const shape = freshId('shape');
  const [draft, imported, other] = [freshId('draft'), freshId('imported'), freshId('other')];
  for (const run_id of [draft, imported]) await put(run_id, { shape });
  await put(other, { shape: freshId('shape') });
  const { body } = await admin.post('/progress/imports', {
    dry_run: false,
    run_id: imported,
    records: [record('drafts')],
  });
  await admin.finished(body.import_id);
  const found = async (query: string) =>
    (await admin.get(`/progress/runs?${query}`)).body.runs.map(({ run_id }: { run_id: string }) => run_id);
  expect(await found(`shape=${shape}`)).toEqual([imported, draft]);
  expect(await found(`shape=${shape}&status=draft`)).toEqual([draft]);
  expect(await found(`shape=${shape}&status=success`)).toEqual([imported]);
  expect(problemOf(await admin.get('/progress/runs?status=done&shape='))).toEqual([
    400,
    'invalid_request status',
    'invalid_request shape',
  ]);
});

describe('a draft', () => {
  it('is deleted with its document; its dry runs stay', async () => {
    const run_id = freshId('run');
    await put(run_id, { document: { a: 1 } });
    const sent = { dry_run: true, run_id, records: [record('drafts')] };
    const { import_id } = (await admin.post('/progress/imports', sent)).body;
    expect((await remove(run_id)).status).toBe(204);
    expect(problemOf(await get(run_id))).toEqual([404, 'run_not_found']);
    expect(problemOf(await remove(run_id))).toEqual([404, 'run_not_found']);
    expect((await admin.get(`/progress/imports/${import_id}`)).body).toMatchObject({ status: 'validated', run_id });
    await put(run_id, {});
    expect((await get(run_id, '?include=document')).body).toMatchObject({ document: null, version: 1 });
  });

  it('is none once a real import was sent', async () => {
    const run_id = freshId('run');
    await put(run_id, { title: 'Spring' });
    const { body } = await admin.post('/progress/imports', { dry_run: false, run_id, records: [record('drafts')] });
    await admin.finished(body.import_id);
    expect((await get(run_id)).body).toMatchObject({ status: 'success', title: 'Spring', counts: { imports: 1 } });
    expect(problemOf(await remove(run_id))).toEqual([409, 'plan_closed']);
  });
});
