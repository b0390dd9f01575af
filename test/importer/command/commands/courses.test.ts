/** The table that courses writes and registers. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../../bin/importer/engine/match/match.ts';
import { courseLine, HEADERS, registerCourses } from '../../../../bin/importer/command/commands/courses.ts';
import { tableText } from '../../../../bin/importer/engine/match/match-table.ts';
import { openSourceFile } from '../../../../bin/importer/command/files/records.ts';
import { listedRows } from '../../../../bin/importer/engine/match/listed-rows.ts';
import { collected, fileOf } from '../support/files.ts';
import { contextOf, recordedOutput } from '../support/output.ts';

describe('courses', () => {
  const catalog = new Catalog([
    { platform_course_id: 1, title: 'Fire Safety' },
    { platform_course_id: 2, title: 'Fire Safety at Night' },
    { platform_course_id: 3, title: '=Ladders' },
  ]);
  const text = tableText(
    HEADERS,
    [
      { id: 'C1', title: 'Fire safety', rows: 3 },
      { id: 'C2', title: 'Fire Safety, Day and Night', rows: 2 },
      { id: 'C3', title: '=ladders', rows: 1 },
    ].map((each) => courseLine({ ...each, ...catalog.match(each) })),
  );

  it('the table is registered, and has an id only for a course with one counterpart', async () => {
    const source = await openSourceFile(fileOf(text, 'courses.csv'));
    const wanted = [
      { field: 'content.external_course_id' as const, column: undefined, option: '' },
      { field: 'content.platform_course_id' as const, column: undefined, option: '' },
    ];
    expect((await collected(listedRows(source, wanted))).map(({ texts }) => texts)).toEqual([
      ['C2', undefined],
      ['C1', '1'],
      ['C3', '3'],
    ]);
  });

  it('the table runs nothing in a spreadsheet', () => {
    expect(text).toContain("C3,'=ladders,1,3,'=Ladders,same title");
  });
});

it('a table that gives an id two counterparts is refused, with both lines', async () => {
  const table = fileOf('external_course_id,platform_course_id\nX,101\nY,102\nX,103\n');
  await expect(registerCourses(table, {}, contextOf(recordedOutput()))).rejects.toThrow(
    /Nothing was registered\.\n {2}line 2 gives "X" "101", line 4 gives it "103"/,
  );
});
