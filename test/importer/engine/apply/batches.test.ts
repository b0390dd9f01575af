/** Where a batch ends by its bytes; `run/keys.test.ts` has the batches of records, repeats and rows without ids. Costs a second. */
import { expect, it } from 'vitest';
import { batchesOf } from '../../../../bin/importer/engine/apply/batches.ts';
import { RecordIdSet } from '../../../../bin/importer/engine/ground/record-ids.ts';
import { collected } from '../../command/support/files.ts';

const record = (id: string, more = '') => ({ external_record_id: id, more });
const ofBytes = (id: string, bytes: number) => record(id, 'x'.repeat(bytes - JSON.stringify(record(id)).length));

async function* entriesOf(records: readonly object[]) {
  yield records.map((each, line) => ({ record: each, row: { line } }));
}

const HALF = 1.75 * 1024 * 1024;

it.each([
  ['two that fit', [ofBytes('a', HALF - 2), ofBytes('b', HALF)], [2]],
  ['two of a byte more', [ofBytes('a', HALF), ofBytes('b', HALF)], [1, 1]],
  ['one that is larger than a batch', [record('a'), ofBytes('b', 4 * HALF), record('c')], [1, 1, 1]],
  ['two of many bytes a character', ['a', 'b'].map((id) => record(id, 'é'.repeat(HALF / 2))), [1, 1]],
])('a batch ends below 3.5 MiB of UTF-8: %s', async (_, records, sizes) => {
  const batches = batchesOf(entriesOf(records), { file: '', position: 0, ids: new RecordIdSet() });
  expect((await collected(batches)).map((batch) => batch.records.length)).toEqual(sizes);
});
