/**
 * A migration that went to the wrong users, and its correction (§4.9). On the shared local stack, in a company of its
 * own. A revert waits for its fence, so this costs about half a minute.
 */
import { expect, it } from 'vitest';
import { adminOf } from '../kit/api.ts';
import { freshId } from '../kit/records.ts';

interface Ended {
  readonly import_id: string;
  readonly status: string;
  readonly records: readonly {
    readonly external_record_id: string;
    readonly outcome: string;
    readonly progress: { readonly user_id: number };
  }[];
}

const RECORDS = 240;
const [ONE, OTHER] = ['learner-1@reruns.test', 'learner-2@reruns.test'];

const records = (ids: string) =>
  Array.from({ length: RECORDS }, (_, at) => ({
    external_record_id: `${ids}-${at}`,
    user: { external_user_id: `${ids}-user-${at % 3}` },
    content: { type: 'course', platform_course_id: 101 + (at % 4) },
    progress: { completion_pct: 1 + (at % 99), started_at: '2024-01-01', last_activity_at: '2024-02-02' },
  }));

it('a run with two users swapped is reverted, corrected and imported again', { timeout: 200_000 }, async () => {
  const admin = await adminOf('reruns');
  const [ids, run_id] = [freshId('swap'), freshId('run')];
  const map = async (emails: readonly string[]) =>
    admin.post('/users/mappings', {
      mappings: emails.map((email, at) => ({ external_user_id: `${ids}-user-${at}`, email })),
    });
  const sent = records(ids);
  const importAll = async (key: string): Promise<Ended[]> => {
    const started: { import_id: string }[] = [];
    for (const part of [sent.slice(0, RECORDS / 2), sent.slice(RECORDS / 2)]) {
      const headers = { 'idempotency-key': `${key}-${part[0]?.external_record_id}` };
      started.push((await admin.post('/progress/imports', { dry_run: false, run_id, records: part }, headers)).body);
    }
    const ended = [];
    for (const { import_id } of started) ended.push((await admin.finished(import_id)).body);
    return ended;
  };
  await map([OTHER, ONE, 'learner-3@reruns.test']);
  const wrong = await importAll(freshId('wrong'));
  expect(wrong.map(({ status }) => status)).toEqual(['success', 'success']);

  await map([ONE, OTHER, 'learner-3@reruns.test']);
  const counts = { imports: 2, total: RECORDS, reverted: RECORDS, nothing_to_revert: 0 };
  const path = `/progress/runs/${run_id}/revert`;
  for (const dry of [await admin.post(path, { dry_run: true }), await admin.get(path)]) {
    expect([dry.status, dry.body]).toMatchObject([200, { status: 'validated', counts }]);
  }
  expect((await admin.post(path, { dry_run: false })).status).toBe(202);
  expect((await admin.post(path, { dry_run: true })).status).toBe(200);
  // The import is accepted at once, and carried out after the revert.
  const right = await importAll(freshId('right'));
  expect(right.map(({ status }) => status)).toEqual(['success', 'success']);
  expect((await admin.get(path)).body).toMatchObject({ status: 'success', counts });

  const outcomes = new Set(right.flatMap((each) => each.records.map(({ outcome }) => outcome)));
  expect([...outcomes]).toEqual(['applied']);
  const first = (await admin.get(`/progress/imports/${wrong[0]?.import_id}`)).body;
  expect(first).toMatchObject({ status: 'success', reverted_at: expect.any(String) });
  const { body: own } = await admin.get(`/progress/imports/${wrong[0]?.import_id}/revert`);
  expect(own).toMatchObject({ status: 'success', run_id, counts: { total: RECORDS / 2, reverted: RECORDS / 2 } });
  for (const at of [0, 1, 2, RECORDS - 1]) {
    const { body } = await admin.get(`/progress/records?external_record_id=${ids}-${at}`);
    const again = right.flatMap((each) => each.records).find((each) => each.external_record_id === `${ids}-${at}`);
    expect(body.contributions).toHaveLength(1);
    expect([body.user_id, body.contributions[0].completion_pct]).toEqual([again?.progress.user_id, 1 + (at % 99)]);
  }
});
