/** The content of a file of rejected rows. Costs milliseconds. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RecordSet } from '../../../../bin/importer/engine/records/record-set.ts';
import { openRecordFile } from '../../../../bin/importer/command/files/records.ts';
import { rejectedLines } from '../../../../bin/importer/engine/run/rejected-rows.ts';
import { csvLine } from '../../../../bin/importer/engine/source/csv.ts';
import { collected, fileOf } from '../../command/support/files.ts';

describe('rejectedLines', () => {
  it('rejected rows keep their own columns, with the reasons of this run only', async () => {
    const csv = '\u{feff}external_record_id;user.email;error_codes;error_messages\r\nr-1;"a;b";old;old\r\nr-2;c;;\r\n';
    const source = await openRecordFile(fileOf(csv), {});
    const lines = await collected(
      rejectedLines(
        source,
        new RecordSet([source], undefined),
        async () =>
          new Map([
            [
              0,
              {
                errors: [
                  { error_code: 'x', message: 'm; 1' },
                  { error_code: 'x', message: 'm 2' },
                ],
              },
            ],
          ]),
      ),
    );
    expect(lines.map(({ text }) => text).join('')).toBe(
      '\u{feff}external_record_id;user.email;error_codes;error_messages\r\nr-1;"a;b";x;"line 2: m; 1; m 2"\r\n',
    );
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
    const linesOf = async (isSafe: boolean) => {
      const source = await openRecordFile(fileOf(csv), {});
      const errors = [{ error_code: 'x', message: '=HYPERLINK(1)' }];
      const rejections = async () => new Map([[0, { errors }]]);
      return (await collected(rejectedLines(source, new RecordSet([source], undefined), rejections, { isSafe })))[1]
        ?.text;
    };
    expect(await linesOf(false)).toBe(`${cells.join(',')},x,line 2: =HYPERLINK(1)\n`);
    expect(await linesOf(true)).toBe("'=cmd|calc!A1,'+1,'-2+3,'@SUM(A1),x,line 2: =HYPERLINK(1)\n");
  });
});

describe('reasons', () => {
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
    const source = await openRecordFile(file, {});
    const rejection = {
      errors: [{ error_code: 'invalid_date_format', message: 'progress.started_at must be a date.' }],
    };
    const lines = await collected(
      rejectedLines(source, new RecordSet([source], undefined), async () => new Map([[0, rejection]])),
    );
    expect(lines.at(-1)?.text).toBe(
      'r-1,ana@acme.test,31.02.2024,invalid_date_format,"line 2: progress.started_at must be a date (""31.02.2024"" in column ""Done"" is not a date like DD/MM/YYYY)."\n',
    );
  });
});
