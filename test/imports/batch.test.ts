import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { chunksOf, duplicatesIn, preparedChunks } from '../../functions/imports/batch.ts';
import { unpackJson } from '../../functions/dynamodb/encoding.ts';
import { CHUNK_LIMITS } from '../../functions/shared/limits.ts';
import { limitChunks } from '../kit/chunk-limits.ts';

afterEach(() => limitChunks());

const withId = (external_record_id: unknown) => ({ external_record_id });

describe('duplicates', () => {
  it('each later occurrence of an id repeats the first, whatever else is wrong with it', () => {
    expect(duplicatesIn([withId('a'), withId('b'), { ...withId('a'), user: 5 }, withId('a')])).toEqual([2, 3]);
  });

  it('unusable ids are not compared', () => {
    const unusable = [withId(''), withId(5), withId(null), {}, null, 'a', []];
    expect(duplicatesIn([...unusable, ...unusable])).toEqual([]);
  });

  it('ids that differ by case, blanks or normalisation are different ids', () => {
    expect(duplicatesIn(['a', 'A', 'a ', 'é', 'e\u0301'].map(withId))).toEqual([]);
  });

  it('an id named like a member of every object is an id like any other', () => {
    expect(duplicatesIn(['__proto__', 'constructor', '__proto__'].map(withId))).toEqual([2]);
  });
});

describe('chunks', () => {
  it('chunks are cut by count', () => {
    expect(chunksOf([9, 9, 9, 9, 9], { records: 2, bytes: 1000 })).toEqual([
      { first_index: 0, size: 2 },
      { first_index: 2, size: 2 },
      { first_index: 4, size: 1 },
    ]);
  });

  it('chunks are cut by bytes, not characters', () => {
    const tenThousandCharacters = { external_record_id: 'r', content: { external_ref: '😀'.repeat(5_000) } };
    const chunks = preparedChunks(Array.from({ length: 12 }, () => tenThousandCharacters));
    expect(chunks.map(({ chunk }) => chunk.records.length)).toEqual([9, 3]);
  });

  it('a record larger than a chunk has one of its own', () => {
    const chunks = chunksOf([3, 52, 3, 3], { records: 9, bytes: 20 });
    expect(chunks.map(({ size }) => size)).toEqual([1, 1, 2]);
  });

  it('a chunk is stored as the text that its hash is of', () => {
    const records = [
      { external_record_id: 'a', progress: { completion_pct: Number.POSITIVE_INFINITY }, user: '\ud800 é' },
      null,
      { external_record_id: 'a' },
    ];
    const [prepared] = preparedChunks(
      JSON.parse(
        '[{"external_record_id":"a","progress":{"completion_pct":1e400},"user":"\\ud800 é"},null,{"external_record_id":"a"}]',
      ),
    );
    expect(prepared?.chunk).toEqual({ first_index: 0, records, duplicates: [2], oversized: [] });
    expect(unpackJson(prepared?.text)).toEqual(prepared?.chunk);
    expect(prepared?.hash).toMatch(/^[0-9a-f]{32}$/);
  });

  it('a chunk keeps only the id of a record that is too large', () => {
    const tooLarge = { external_record_id: 'big', note: 'x'.repeat(65_536) };
    const [prepared] = preparedChunks([{ external_record_id: 'a' }, tooLarge]);
    expect(prepared?.chunk).toMatchObject({ records: [{}, { external_record_id: 'big' }], oversized: [1] });
    expect(prepared?.text.length).toBeLessThan(1000);
  });

  it('a chunk holds nothing that the interface does not define, except the warning that names it', () => {
    const records = [{ ...withId('a'), ssn: '078-05-1120', user: { email: 'a@acme.test', phone: '555' } }, withId('b')];
    const [prepared] = preparedChunks(records);
    expect(prepared?.chunk.records).toEqual([{ ...withId('a'), user: { email: 'a@acme.test' } }, withId('b')]);
    expect(prepared?.chunk.ignored).toEqual({ 0: expect.objectContaining({ warning_code: 'unknown_field_ignored' }) });
    expect(prepared?.text).not.toMatch(/078|555/);
    expect(unpackJson(prepared?.text)).toEqual(prepared?.chunk);
  });

  it('the bytes of a chunk include its warnings', () => {
    const ignoring = {
      ...withId('a'),
      ['😀'.repeat(64)]: 1,
      ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}${'é'.repeat(63)}`, 1])),
    };
    const chunks = preparedChunks(Array.from({ length: 125 }, () => ignoring));
    expect(Math.max(...chunks.map(({ text }) => Buffer.byteLength(text)))).toBeLessThan(CHUNK_LIMITS.bytes + 1_000);
    expect(chunks.length).toBeGreaterThan(1);
  });

  it('a chunk names the duplicates and the oversized among its records by their position in the import', () => {
    limitChunks(2);
    const big = (id: string) => ({ ...withId(id), note: 'x'.repeat(CHUNK_LIMITS.bytes) });
    const chunks = preparedChunks([
      withId('a'),
      withId('a'),
      big('b'),
      withId('a'),
      withId('c'),
      big('d'),
      withId('c'),
    ]);
    expect(chunks.map(({ chunk: { records: _, ...rest } }) => rest)).toEqual([
      { first_index: 0, duplicates: [1], oversized: [] },
      { first_index: 2, duplicates: [3], oversized: [2] },
      { first_index: 4, duplicates: [], oversized: [5] },
      { first_index: 6, duplicates: [6], oversized: [] },
    ]);
  });

  it.each([
    [12, [2]],
    [11, [1, 1]],
  ])('chunks of %i bytes hold %j records of 4 bytes, each with its comma, within two brackets', (bytes, sizes) => {
    expect(chunksOf([4, 4], { records: 9, bytes }).map(({ size }) => size)).toEqual(sizes);
  });

  it('chunks hold every record once, in order, within their limits', () => {
    const limits = { records: 7, bytes: 60 };
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 40 }), { maxLength: 60 }), (records) => {
        const texts = records.map((record) => JSON.stringify(record));
        const chunks = chunksOf(
          texts.map((text) => Buffer.byteLength(text)),
          limits,
        );
        let next = 0;
        for (const { first_index, size } of chunks) {
          expect(first_index).toBe(next);
          expect(size).toBeLessThanOrEqual(limits.records);
          next += size;
          const bytes = Buffer.byteLength(`[${texts.slice(first_index, next).join()}]`);
          expect(size === 1 || bytes <= limits.bytes).toBe(true);
        }
        expect(next).toBe(records.length);
      }),
    );
  });
});
