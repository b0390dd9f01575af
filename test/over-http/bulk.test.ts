/** Each of many records gets exactly one result, in the order sent. On the shared local stack; costs seconds. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Admin, adminOf } from '../kit/api.ts';
import { cases } from '../kit/at-length.ts';
import { detailedRecords } from '../kit/records.ts';

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
