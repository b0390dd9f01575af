/** Each of many records gets exactly one result, in the order sent. On the shared local stack; costs seconds. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf } from '../kit/api.ts';
import { cases } from '../kit/at-length.ts';
import { detailedRecords, record } from '../kit/records.ts';

/** As many as an import may have, at length. */
const MANY = cases(500, 40);

let admin: Admin;
beforeAll(async () => {
  admin = await adminOf('bulk');
});

describe(`ten imports of ${MANY} records`, () => {
  it('ten imports posted at once are all accepted, all end, and list every record in the order sent', async () => {
    const batches = Array.from({ length: 10 }, () => detailedRecords('bulk', MANY));
    const started = await Promise.all(batches.map((records) => admin.startImport(records)));
    expect(started.map(({ status }) => status)).toEqual(Array(10).fill(202));
    const finished = await Promise.all(started.map(({ body }) => admin.finished(body.import_id)));
    for (const [position, { body }] of finished.entries()) {
      expect(body).toMatchObject({
        status: 'success',
        counts: { total: MANY, processed: MANY, succeeded: MANY, failed: 0 },
      });
      expect(body.records.map((result: { external_record_id: string }) => result.external_record_id)).toEqual(
        batches[position]?.map((sent) => sent['external_record_id']),
      );
      expect(body.records.map(({ index }: { index: number }) => index)).toEqual([...Array(MANY).keys()]);
    }
  }, 120_000);
});

describe('polls', () => {
  it('the counts of successive polls never decrease, and no poll shows records until the import has ended', async () => {
    const { body } = await admin.startImport(detailedRecords('bulk', 200, 'poll'));
    let processed = 0;
    for (;;) {
      const { body: seen, headers } = await admin.get(`/progress/imports/${body.import_id}`);
      expect(seen.counts.processed).toBeGreaterThanOrEqual(processed);
      processed = seen.counts.processed;
      if (seen.status !== 'processing') break;
      expect(seen.records).toEqual([]);
      expect(headers.get('retry-after')).not.toBeNull();
    }
    expect(processed).toBe(200);
  });
});

describe('a record', () => {
  it('a record between hostile records is applied', async () => {
    const records = [
      null,
      [],
      'x',
      1e308,
      { __proto__: null, external_record_id: 5 },
      record('bulk', { user: { email: 'learner-1@bulk.test' } }),
    ];
    const { body } = await admin.importAndWait(records);
    expect(body.records.map(({ status }: { status: string }) => status)).toEqual([
      'error',
      'error',
      'error',
      'error',
      'error',
      'success',
    ]);
  });
});
