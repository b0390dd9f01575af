/** Pages of lists and their opaque, authenticated cursors. Pure; costs milliseconds. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMPANY } from '../kit/api-event.ts';
import { cursorFrom, pageOf, sealCursor } from '../../functions/http/paging.ts';

const acme = { company_id: 'acme', cursor_key: 'A'.repeat(43) };
const other = { company_id: 'other', cursor_key: 'B'.repeat(42) + 'A' };
const damaged = expect.objectContaining({
  problem: expect.objectContaining({ error_code: 'invalid_request', field: 'cursor' }),
});

const openCursor = (company: typeof acme, scope: string, cursor: string) => cursorFrom({ cursor }, company, scope);

function outcomeOf(text: string): unknown {
  try {
    return openCursor(acme, 'courses', text);
  } catch (error) {
    return error;
  }
}

describe('a cursor', () => {
  it('a cursor opens to the position it was sealed with', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (position, scope) => {
        const opened = openCursor(acme, scope, sealCursor(acme, scope, position));
        expect(opened).toEqual(JSON.parse(JSON.stringify(position)));
      }),
    );
  });

  it('a query without a cursor → no position', () => {
    expect(cursorFrom({}, acme, 'courses')).toBeUndefined();
  });

  it('a cursor does not open after any change of one character', () => {
    // The last character carries unused bits, which must not make two texts of one cursor.
    const text = sealCursor(acme, 'courses', { id: 101 });
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. '.split('');
    const changes = Array.from(text, (_, at) =>
      alphabet.map((character) => text.slice(0, at) + character + text.slice(at + 1)),
    );
    const outcomes = changes
      .flat()
      .filter((changed) => changed !== text)
      .map(outcomeOf);
    expect(outcomes).toEqual(outcomes.map(() => damaged));
  });

  it.each([
    ['another list', acme, 'imports'],
    ['another filter', acme, 'courses?status=error'],
    ['another company', other, 'courses'],
    ['another company with the same key', { ...acme, company_id: 'acme2' }, 'courses'],
    ['a company whose name and list together read the same', { ...acme, company_id: 'acmec' }, 'ourses'],
  ])('a cursor does not open for %s', (_, company, scope) => {
    expect(() => openCursor(company, scope, sealCursor(acme, 'courses', 101))).toThrow(damaged);
  });

  it.each(['', 'x', 'null', '😀', 'A'.repeat(43), 'A'.repeat(44), 'A'.repeat(10_000)])(
    'the cursor %j is damaged',
    (text) => {
      expect(() => openCursor(acme, 'courses', text)).toThrow(damaged);
    },
  );

  it.each(['=', '\n', ' '])('a cursor with %j appended is damaged', (tail) => {
    expect(() => openCursor(acme, 'courses', sealCursor(acme, 'courses', 101) + tail)).toThrow(damaged);
  });
});

describe('a page', () => {
  const items = ['a', 'b', 'c', 'd', 'e', 'f'];
  const letters = {
    scope: 'letters',
    limits: { max: 3, fallback: 2 },
    read: async (limit: number, after = '') => items.filter((item) => item > after).slice(0, limit),
    positionOf: (item: string) => item,
  };
  const page = (query: Record<string, string> = {}) =>
    pageOf({ caller: { company: COMPANY } as never, query }, letters);
  const cursorAfter = async (query: Record<string, string>) => (await page(query)).next_cursor ?? '';

  it('a page has as many items as the limit allows, or the default number', async () => {
    expect((await page()).items).toEqual(['a', 'b']);
    expect((await page({ limit: '3' })).items).toEqual(['a', 'b', 'c']);
    await expect(page({ limit: '4' })).rejects.toMatchObject({ problem: { field: 'limit' } });
  });

  it('a page starts after the cursor of the page before it, and the last page has no cursor, even if it is full', async () => {
    const last = await page({ limit: '3', cursor: await cursorAfter({ limit: '3' }) });
    expect(last).toEqual({ items: ['d', 'e', 'f'], next_cursor: null });
  });

  it.each([2.5, 5])('a page of items of %f MiB is cut short at 4 MiB, but has one item at least', async (mebibytes) => {
    const large = ['x', 'y'].map((letter) => letter.repeat(mebibytes * 1024 * 1024));
    const list = { ...letters, read: async () => large };
    const { items: first, next_cursor } = await pageOf({ caller: { company: COMPANY } as never, query: {} }, list);
    expect(first).toEqual(large.slice(0, 1));
    expect(next_cursor).not.toBeNull();
  });

  it('a page is cut short where Lambda would refuse it, which counts each quote twice', async () => {
    const quotes = Array.from({ length: 40 }, (_, at) => ({ at, text: '"'.repeat(50_000) }));
    const list = {
      scope: 'quotes',
      limits: { max: 500, fallback: 500 },
      read: async () => quotes,
      positionOf: () => 1,
    };
    const { items, next_cursor } = await pageOf({ caller: { company: COMPANY } as never, query: {} }, list);
    const carried = JSON.stringify({ body: JSON.stringify({ items, next_cursor }) });
    expect([items.length > 20, items.length < 40, next_cursor === null]).toEqual([true, true, false]);
    expect(carried.length).toBeLessThan(6 * 1024 * 1024);
  });
});
