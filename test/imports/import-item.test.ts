/** The stored form of the status item. Milliseconds. */
import { describe, expect, it } from 'vitest';
import { itemBytes } from '../../functions/dynamodb/items.ts';
import { packImport, unpackImport } from '../../functions/imports/import-item.ts';
import { importItem, SUMMARY } from '../dynamodb/samples.ts';

const chunks = Array.from({ length: 4 }, (_, i) => ({ first_index: i * 125, size: 125, payload_hash: 'f'.repeat(64) }));
const full = importItem('acme', {
  chunks,
  summaries: { 0: SUMMARY, 1: SUMMARY, 2: SUMMARY, 3: SUMMARY },
  closing_at: '2026-01-03T00:00:00.000Z',
});

describe('import items', () => {
  it('an import item comes back as it was', () => {
    expect(unpackImport(packImport(full))).toEqual(full);
  });

  it('an import of four chunks stays within 2 KB, so that a poll costs half a read unit', () => {
    expect(itemBytes(packImport(full))).toBeLessThanOrEqual(2048);
  });

  it('an import of the most chunks that a body can hold stays within 2 KB if all records succeed', () => {
    const summary = { succeeded: 23, failed: 0, with_warnings: 0, conflict: [], failed_indexes: [] };
    const most = Array.from({ length: 22 }, (_, i) => ({
      first_index: i * 23,
      size: 23,
      payload_hash: 'f'.repeat(32),
    }));
    const summaries = Object.fromEntries(most.map((_, i) => [i, summary]));
    const item = importItem('acme', { chunks: most, summaries });
    expect(itemBytes(packImport(item))).toBeLessThanOrEqual(2048);
    expect(unpackImport(packImport(item))).toEqual(item);
  });

  it('an import is in the index of open imports only while it is due', () => {
    const { due_at: _, ...terminal } = full;
    expect(packImport(terminal)).not.toHaveProperty('open_pk');
    expect(packImport(full)).toMatchObject({ open_pk: 'open', due_at: full.due_at, list_pk: 'acme#imports' });
  });
});
