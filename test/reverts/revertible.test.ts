/** Which imports can be reverted (§4.9). Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { refusalOf, refusalOfRun } from '../../functions/reverts/revertible.ts';
import { importWithoutRecords } from '../../functions/imports/import-item.ts';
import { AT, importItem } from '../dynamodb/samples.ts';

const NOW = Date.parse(AT) + 31 * 24 * 60 * 60 * 1000;
const past = { expires_at: AT };
const CASES = [
  ['one that has ended', importItem('acme', { status: 'error' }), undefined],
  ['a dry run', importItem('acme', { status: 'validated', dry_run: true }), undefined],
  ['one that is processing', importItem('acme', { status: 'processing' }), 'import_not_terminal'],
  ['one whose results have expired', importItem('acme', { status: 'success', ...past }), 'report_expired'],
] as const;

describe.each(CASES)('refusalOf: %s', (_, item, refusal) => {
  it(`the error code is ${String(refusal)}, alone and in a run`, async () => {
    const services = { clock: { nowMs: () => NOW }, stores: { imports: { readAll: async () => [item] } } } as never;
    expect(refusalOf(item, NOW)?.error_code).toBe(refusal);
    expect((await refusalOfRun([importWithoutRecords(item)], services))?.error_code).toBe(refusal);
  });
});
