/** The content of a file of rejected rows. Costs milliseconds. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { saidInWords } from '../../../../bin/importer/command/advice.ts';
import { rejectedLines } from '../../../../bin/importer/engine/run/rejected-rows.ts';
import { csvLine } from '../../../../bin/importer/engine/read/csv.ts';
import { collected, fileOf } from '../../command/support/files.ts';
import { setOf } from '../../command/support/runs.ts';

async function linesOf(file: string, errors: readonly object[], isSafe = false): Promise<string[]> {
  const set = await setOf(file);
  const [source] = set.sources;
  if (source === undefined) return [];
  const lines = rejectedLines(source, set, async () => new Map([[0, { errors: errors as never }]]), {
    say: saidInWords,
    isSafe,
  });
  return collected(lines);
}

describe('rejectedLines', () => {
  it('rejected rows keep their own columns, with the reasons of this run only', async () => {
    const csv = '\u{feff}external_record_id;user.email;error_codes;error_messages\r\nr-1;"a;b";old;old\r\nr-2;c;;\r\n';
    const errors = ['m; 1', 'm 2'].map((message) => ({ error_code: 'x', message }));
    expect((await linesOf(fileOf(csv), errors)).join('')).toBe(
      '\u{feff}external_record_id;user.email;error_codes;error_messages\r\nr-1;"a;b";x;"line 2: m; 1; m 2"\r\n',
    );
  });

  it('a rejected item of JSON is a line of its own, with the reasons', async () => {
    const items = [{ external_record_id: 'r-1' }, { external_record_id: 'r-2' }];
    const lines = await linesOf(fileOf(JSON.stringify(items), 'a.json'), [{ error_code: 'x', message: 'm' }]);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { external_record_id: 'r-1', error_codes: 'x', error_messages: 'line 1: m' },
    ]);
  });

  it.each([[['a', 'b,c', 'd"e', ' f', 'g\nh', ''], 'a,"b,c","d""e"," f","g\nh",']])(
    'a row of %j is quoted only where it must be',
    (cells, line) => {
      expect(csvLine(cells, ',')).toBe(line);
    },
  );

  it('rejected rows have no formula that the command adds, and with --safe-for-spreadsheets none at all', async () => {
    const cells = ['=cmd|calc!A1', '+1', '-2+3', '@SUM(A1)'];
    const columns = 'external_record_id,user.email,external_ref,content.external_course_id';
    const csv = `${columns}\n${cells.join(',')}\n`;
    const errors = [{ error_code: 'x', message: '=HYPERLINK(1)' }];
    const second = async (isSafe: boolean) => (await linesOf(fileOf(csv), errors, isSafe))[1];
    expect(await second(false)).toBe(`${cells.join(',')},x,line 2: =HYPERLINK(1)\n`);
    expect(await second(true)).toBe("'=cmd|calc!A1,'+1,'-2+3,'@SUM(A1),x,line 2: =HYPERLINK(1)\n");
  });
});

it('a rejected row shows which value of which column does not fit, and which would', async () => {
  const file = fileOf('Id,Mail,Done\nr-1,ana@acme.test,31.02.2024\n');
  const mapping = {
    record: {
      external_record_id: 'Id',
      'user.email': 'Mail',
      'progress.started_at': { column: 'Done', dates: 'DD/MM/YYYY' },
    },
    kinds: { columns: {}, confirmed: [{ values: {}, outcome: 'in_progress' }] },
  };
  writeFileSync(file.replace('.csv', '.mapping.json'), JSON.stringify(mapping));
  const errors = [{ error_code: 'invalid_date_format', message: 'progress.started_at must be a date.' }];
  expect((await linesOf(file, errors)).at(-1)).toBe(
    'r-1,ana@acme.test,31.02.2024,invalid_date_format,"line 2: progress.started_at must be a date (""31.02.2024"" in column ""Done"" is not a date like DD/MM/YYYY)."\n',
  );
});
