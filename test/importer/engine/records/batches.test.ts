/** The ends of batches, and the records that are in no batch. Costs a second. */
import { describe, expect, it } from 'vitest';
import { type Batch, batchesOf, type Repeat } from '../../../../bin/importer/engine/records/batches.ts';
import { RecordIdSet } from '../../../../bin/importer/engine/records/record-ids.ts';
import { collected } from '../../command/support/files.ts';

async function* entriesOf(records: readonly unknown[]) {
  yield records.map((record, line) => ({ record, row: { line } }));
}

const cut = (records: readonly unknown[], onRepeat?: (repeat: Repeat) => void): Promise<Batch[]> =>
  collected(
    batchesOf(entriesOf(records), {
      file: 'history.csv',
      position: 3,
      ids: new RecordIdSet(),
      ...(onRepeat !== undefined && { onRepeat }),
    }),
  );

const record = (id: number | string, more = '') => ({ external_record_id: `r-${id}`, more });
const sizes = (batches: readonly Batch[]) => batches.map(({ records, repeats }) => [records.length, repeats.length]);
const ofBytes = (id: string, bytes: number) => record(id, 'x'.repeat(bytes - JSON.stringify(record(id)).length));

describe('batchesOf', () => {
  it('a batch has at most 500 records, and its position among all files and in its own', async () => {
    const batches = await cut(Array.from({ length: 1001 }, (_, i) => record(i)));
    expect(sizes(batches)).toEqual([
      [500, 0],
      [500, 0],
      [1, 0],
    ]);
    expect(batches.map(({ position, index }) => [position, index])).toEqual([
      [3, 0],
      [4, 1],
      [5, 2],
    ]);
  });

  it('a batch ends below 3.5 MiB of UTF-8; a larger record has a batch of its own', async () => {
    const half = 1.75 * 1024 * 1024;
    expect(sizes(await cut([ofBytes('a', half - 2), ofBytes('b', half)]))).toEqual([[2, 0]]);
    expect(sizes(await cut([ofBytes('a', half), ofBytes('b', half)]))).toHaveLength(2);
    expect(sizes(await cut([record('a'), ofBytes('b', 4 * half), record('c')]))).toHaveLength(3);
    expect(sizes(await cut([record('a', 'é'.repeat(half / 2)), record('b', 'é'.repeat(half / 2))]))).toHaveLength(2);
  });

  it('a batch of a file has the repeats of its place; more than 500 repeats make another batch', async () => {
    const batches = await cut([record(1), ...Array.from({ length: 600 }, () => record(1)), record(2)]);
    expect(sizes(batches)).toEqual([
      [1, 500],
      [1, 100],
    ]);
    expect(batches[0]?.repeats[0]).toMatchObject({ id: 'r-1', first: { file: 'history.csv', line: 0 } });
  });

  it('a batch of a call has no repeats: they are reported before it is cut', async () => {
    const lines: number[] = [];
    const repeated = [record(1), ...Array.from({ length: 600 }, () => record(1)), record(2)];
    expect(sizes(await cut(repeated, ({ entry }) => void lines.push(entry.row.line)))).toEqual([[2, 0]]);
    expect(lines).toEqual(Array.from({ length: 600 }, (_, i) => i + 1));
  });

  it('a batch has the records without a usable id, so that the service rejects them', async () => {
    expect(sizes(await cut([{}, {}, null, 'text', { external_record_id: '' }]))).toEqual([[5, 0]]);
  });
});
