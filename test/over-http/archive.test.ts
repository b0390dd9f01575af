/** The archive over HTTP, from an import to the day when it can be imported (§4.12). On the shared local stack; costs ten seconds. */
import { beforeAll, expect, inject, it } from 'vitest';
import { type Admin, type Answer, adminOf } from '../kit/api.ts';
import { freshId, record } from '../kit/records.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('archive');
});

const COMPLETED = { completion_pct: 100, completed_at: '2019-05-06T07:08:09.000Z' };
const of = (email: string, more: object = {}) => record('archive', { user: { email }, progress: COMPLETED, ...more });

async function archive(run_id: string, records: readonly unknown[]): Promise<Answer> {
  const { body } = await admin.post('/progress/imports', { dry_run: false, archive: true, run_id, records });
  return admin.finished(body.import_id);
}

const list = async (query: string) => (await admin.get(`/progress/archive?${query}`)).body.archived;
const idsOf = (entries: readonly { external_record_id: string }[]) =>
  entries.map(({ external_record_id }) => external_record_id);

async function tell(fact: object): Promise<void> {
  const body = JSON.stringify({ facts: [{ company_id: 'archive', version: Date.now(), ...fact }] });
  const headers = { 'content-type': 'application/json' };
  expect(await (await fetch(inject('intake'), { method: 'POST', headers, body })).json()).toMatchObject({
    results: [{ status: 'applied' }],
  });
}

it('an import keeps what nobody or no course answers to, and says so everywhere', async () => {
  const run_id = freshId('kept');
  const gone = of('gone@archive.test');
  const retired = record('archive', { content: { type: 'course', external_course_id: 'old-1' } });
  const wrong = of('gone@archive.test', { progress: { completion_pct: 101 } });
  const { body } = await archive(run_id, [record('archive'), gone, retired, wrong]);
  expect(body).toMatchObject({ status: 'partial_success', counts: { total: 4, succeeded: 1, failed: 3, archived: 2 } });
  expect(body.records.map((each: { archived?: true }) => each.archived)).toEqual([undefined, true, true, undefined]);
  expect((await admin.get(`/progress/runs/${run_id}`)).body.counts).toMatchObject({ failed: 3, archived: 2 });
  const kept = await list(`run_id=${run_id}&include=record`);
  expect(kept).toMatchObject([
    { import_id: body.import_id, index: 1, run_id, archived_at: body.created_at, record: gone },
    { index: 2, errors: [{ error_code: 'external_course_id_not_mapped' }], record: retired },
  ]);
  expect(kept[0].errors).toEqual(body.records[1].errors);
  expect(idsOf(await list(`run_id=${run_id}&course=old-1`))).toEqual(idsOf([kept[1]]));
  expect(idsOf(await list('email=%3CGONE%40archive.test%3E'))).toEqual(idsOf([kept[0]]));
  expect((await list(`run_id=${run_id}`))[0]).not.toHaveProperty('record');
  const { status, body: transcript } = await admin.get('/progress/learners?email=gone@archive.test');
  const unknown = { user_id: null, email: null, license: null, courses: [], next_cursor: null };
  expect([status, transcript]).toEqual([200, { ...unknown, archived: [kept[0]] }]);
  expect((await admin.get('/progress/learners?email=nobody@archive.test')).status).toBe(404);
});

it('a query that no record can meet is refused', async () => {
  const query = async (text: string) => {
    const { status, body } = await admin.get(`/progress/archive?${text}`);
    return [status, body.errors?.[0]?.field];
  };
  expect(await query('email=a%40b&external_user_id=7')).toEqual([400, 'external_user_id']);
  expect(await query('email=nobody')).toEqual([400, 'email']);
  expect(await query('error_code=invalid_record')).toEqual([400, 'error_code']);
  expect(await query('include=everything')).toEqual([400, 'include']);
  expect(await query('limit=501')).toEqual([400, 'limit']);
  expect(await query('user=7')).toEqual([400, 'user']);
});

it('pages go on where they ended, and a cursor is bound to its filters', async () => {
  const run_id = freshId('pages');
  const records = Array.from({ length: 5 }, () => of(`${freshId('page')}@archive.test`));
  await archive(run_id, records);
  const pages = await admin.pages(`/progress/archive?run_id=${run_id}&limit=2`);
  expect(pages.map(({ archived }) => archived.length)).toEqual([2, 2, 1]);
  expect(idsOf(pages.flatMap(({ archived }) => archived))).toEqual(idsOf(records as never));
  const { status } = await admin.get(`/progress/archive?limit=2&cursor=${pages[0].next_cursor}`);
  expect(status).toBe(400);
});

it('once the platform knows person and course, it is imported by a plan of its run, with its own dates', async () => {
  const run_id = freshId('alive');
  const email = `${freshId('back')}@archive.test`;
  const alone = `${freshId('still-gone')}@archive.test`;
  const course = freshId('course');
  const back = of(email, { content: { type: 'course', external_course_id: course } });
  const { body: first } = await archive(run_id, [back, of(alone)]);
  expect(first.counts).toMatchObject({ failed: 2, archived: 2 });

  await tell({ kind: 'user', id: 95_001, email, name: 'Back', role: 'customer', avatar: '', license: 'active' });
  const mappings = [{ external_course_id: course, platform_course_id: 102 }];
  expect((await admin.post('/catalog/mappings', { mappings })).body.counts.created).toBe(1);

  const kept = await list(`run_id=${run_id}&include=record`);
  const records = kept.map((each: { record: unknown }) => each.record);
  const { body: looked } = await admin.post('/progress/imports', { dry_run: true, run_id, records });
  const alive = records.filter((_: unknown, at: number) => looked.records[at].status === 'success');
  expect(alive).toEqual([back]);
  const { body: dryRun } = await admin.post('/progress/imports', { dry_run: true, run_id, records: alive });
  const { body: plan } = await admin.post(`/progress/runs/${run_id}/plan`, { import_ids: [dryRun.import_id] });
  expect(plan.counts).toMatchObject({ applied: 1, failed: 0, archived: 0 });
  const path = `/progress/runs/${run_id}`;
  expect((await admin.post(`${path}/plan/apply`, { plan_digest: plan.plan_digest })).status).toBe(202);
  let run = (await admin.get(path)).body;
  while (run.status === 'processing') {
    await new Promise((resolve) => setTimeout(resolve, 300));
    run = (await admin.get(path)).body;
  }
  expect(run.counts).toMatchObject({ imports: 2, succeeded: 1, archived: 2 });

  const audit = (await admin.get(`/progress/records?external_record_id=${String(back['external_record_id'])}`)).body;
  expect(audit.effective).toMatchObject(COMPLETED);
  expect(audit.contributions).toMatchObject([{ completed_at: COMPLETED.completed_at }]);
  expect(idsOf(await list(`run_id=${run_id}`))).toEqual(idsOf(kept).slice(1));
  expect(await list(`email=${email}`)).toEqual([]);

  const [{ import_id }] = audit.contributions;
  expect((await admin.post(`/progress/imports/${import_id}/revert`, { dry_run: false })).status).toBe(202);
  let revert = (await admin.get(`/progress/imports/${import_id}/revert`)).body;
  while (revert.status === 'processing') {
    await new Promise((resolve) => setTimeout(resolve, 500));
    revert = (await admin.get(`/progress/imports/${import_id}/revert`)).body;
  }
  expect(idsOf(await list(`email=${email}`))).toEqual([back['external_record_id']]);
});
