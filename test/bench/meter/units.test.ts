/** AWS's rules for read and write units, by example. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { failedWriteUnits, indexUnits, readUnits, writeUnits } from './units.ts';
import type { StoredItem } from './attribute-bytes.ts';

/** An item of exactly this many bytes. */
const sized = (bytes: number): StoredItem => ({ a: { S: 'x'.repeat(bytes - 1) } });
const INDEX = { partitionKey: 'open', sortKey: 'due', holds: ['shown'] };
const indexed = (due: string): StoredItem => ({ open: { S: 'open' }, due: { S: due } });

describe('write units', () => {
  it.each([
    [undefined, sized(1), 1],
    [undefined, sized(1024), 1],
    [undefined, sized(1025), 2],
    [sized(2049), sized(1), 3],
    [sized(2049), undefined, 3],
    [undefined, undefined, 1],
  ])('a write costs its larger side in whole kilobytes (%#)', (before, after, units) => {
    expect(writeUnits(before, after)).toBe(units);
  });

  it('a write whose condition fails costs the existing item, or one unit', () => {
    expect([undefined, sized(1500)].map(failedWriteUnits)).toEqual([1, 2]);
  });

  it('an index entry costs one unit if it is put, changed or removed, two if it moves, none if it stays', () => {
    const units = (before?: StoredItem, after?: StoredItem) => indexUnits(before, after, [INDEX]);
    expect(units(undefined, indexed('1'))).toBe(1);
    expect(units(indexed('1'), { open: { S: 'open' } })).toBe(1);
    expect(units(indexed('1'), indexed('2'))).toBe(2);
    expect(units(indexed('1'), { ...indexed('1'), more: { S: 'more' } })).toBe(0);
    expect(units(indexed('1'), { ...indexed('1'), shown: { S: 'now' } })).toBe(1);
    expect(units(sized(10), { ...sized(10), shown: { S: 'now' } })).toBe(0);
    expect(units(undefined, sized(10))).toBe(0);
  });
});

describe('read units', () => {
  it.each([
    [0, 1],
    [4096, 1],
    [4097, 2],
  ])('a strong read of %i bytes costs %i units, an eventual read half of it', (bytes, units) => {
    expect([readUnits(bytes, true), readUnits(bytes, false)]).toEqual([units, units / 2]);
  });
});
