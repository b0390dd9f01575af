/** What reading a file may cost, whatever its format is. Costs under a second. */
import { describe, expect, it } from 'vitest';
import type { Meter } from '../../../../bin/importer/engine/read/budget.ts';
import { openSource } from '../../../../bin/importer/engine/read/open-source.ts';
import { textRow, workbookOf } from '../../command/support/workbook.ts';

const ROWS = Array.from({ length: 2000 }, (_, at) => [`p${at}@acme.test`, 'C-1', 'Completed']);
const TABLE = [['Email', 'Course', 'Status'], ...ROWS];
const ITEMS = ROWS.map(([Email, Course, Status]) => JSON.stringify({ Email, Course, Status }));

const FILES: Readonly<Record<string, () => File>> = {
  CSV: () => new File([TABLE.map((cells) => cells.join()).join('\n')], 'a.csv'),
  JSON: () => new File([`[${ITEMS.join()}]`], 'a.json'),
  NDJSON: () => new File([ITEMS.join('\n')], 'a.ndjson'),
  workbook: () => {
    const rows = TABLE.map((cells, at) => textRow(at + 1, cells)).join('');
    return new File([new Uint8Array(workbookOf({ sheets: { One: rows } }))], 'a.xlsx');
  },
};

/** A clock that only the reader of the rows moves. */
class Hand implements Meter {
  nowMs = 0;
  share = 0;
  readonly ms = (): number => this.nowMs;
  readonly memory = (): number => this.share;
}

/** Reads all rows. @param atRow what the reader does with one. @param between what it does between two pieces */
async function readAll(file: File, meter: Hand, atRow: () => void, between = (): void => {}): Promise<number> {
  const source = await openSource(file, { meter });
  let rows = 0;
  for await (const piece of source.rows()) {
    for (const _ of piece) {
      rows += 1;
      atRow();
    }
    between();
  }
  return rows;
}

describe.each(Object.entries(FILES))('%s', (_, file) => {
  it('work of a second a row is refused by name, with what was allowed', async () => {
    const meter = new Hand();
    const reading = readAll(file(), meter, () => (meter.nowMs += 1000));
    await expect(reading).rejects.toMatchObject({
      said: { code: 'reading_takes_too_long', params: { path: file().name, seconds: expect.any(Number) } },
    });
    expect(meter.nowMs).toBeLessThan(250_000);
  });

  it('work of fifty milliseconds a row is no matter', async () => {
    const meter = new Hand();
    expect(await readAll(file(), meter, () => (meter.nowMs += 50))).toBe(ROWS.length);
  });

  it('an hour of waiting between two pieces is no work', async () => {
    const meter = new Hand();
    const rows = await readAll(
      file(),
      meter,
      () => {},
      () => (meter.nowMs += 3_600_000),
    );
    expect(rows).toBe(ROWS.length);
  });
});

it('a list without a bound is refused by name before the memory ends', async () => {
  const file = new File([TABLE[0]?.join() ?? '', '\n', 'p@acme.test,C-1,Completed\n'.repeat(100_000)], 'a.csv');
  const meter = new Hand();
  const list: string[] = [];
  const reading = readAll(file, meter, () => {
    list.push('a row');
    meter.share = list.length / 50_000;
  });
  await expect(reading).rejects.toMatchObject({
    said: { code: 'reading_takes_too_much_memory', params: { path: 'a.csv' } },
  });
  expect(list.length).toBeLessThan(75_000);
});
