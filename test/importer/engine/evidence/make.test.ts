/** What the statement of evidence says where all of it has no room (§4.10: 16 KiB). In memory; costs milliseconds. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { statementOf } from '../../../../bin/importer/engine/evidence/make.ts';
import { MAX_STATEMENT_BYTES } from '../../../../bin/importer/wire/values.ts';

const COUNTS = { unit: 'records', rows: 8, applied: 5, updated: 1, unchanged: 1, rejected: 1 };
const SUMMARY = { ...COUNTS, rejected_by_reason: { user_not_found: 1 } };

function statement(files: number, kinds: number, reasons: number) {
  const confirmed = Array.from({ length: kinds }, (_, at) => ({
    values: { Status: `status ${at}` },
    outcome: 'completed',
  }));
  const mapping = { kinds: { confirmed } };
  const sources = Array.from({ length: files }, (_, at) => ({
    file: { path: `/exports/${at}.csv`, hash: at.toString(16).padStart(64, '0') },
    mapping,
    mappingPath: '/exports/lms.mapping.json',
  }));
  const leftOut = Object.fromEntries(Array.from({ length: reasons }, (_, at) => [`left out for reason ${at}`, 1]));
  const run = { set: { sources, isGrouped: false }, survey: { skipped: 0, leftOut } };
  return statementOf(run as never, SUMMARY as never, () => 'hash') as Record<
    'files' | 'mappings' | 'left_out',
    unknown
  >;
}

it('a statement has each file and kind while there is room; then their numbers, and the SHA-256 of the list of files', () => {
  const sums = Array.from({ length: 300 }, (_, at) => `${at.toString(16).padStart(64, '0')}  ${at}.csv\n`).join('');
  const list = { count: 300, sha256_of_list: createHash('sha256').update(sums).digest('hex') };
  const [whole, ofKinds, ofFiles, ofReasons] = [
    statement(2, 3, 1),
    statement(2, 400, 1),
    statement(300, 400, 1),
    statement(300, 400, 800),
  ];
  expect(whole).toMatchObject({ files: [{ name: '0.csv' }, { name: '1.csv' }], mappings: [{ kinds: [{}, {}, {}] }] });
  expect(ofKinds).toMatchObject({
    files: [{}, {}],
    mappings: [{ name: 'lms.mapping.json', sha256: 'hash', kinds: 400 }],
  });
  expect(ofFiles).toMatchObject({ files: list, mappings: [{ kinds: 400 }], left_out: { 'left out for reason 0': 1 } });
  expect(ofReasons).toEqual({ files: list, counts: { ...COUNTS, rows: 808, skipped: 800 } });
  for (const each of [whole, ofKinds, ofFiles, ofReasons])
    expect(Buffer.byteLength(JSON.stringify(each))).toBeLessThanOrEqual(MAX_STATEMENT_BYTES);
});
