/** What is said of the first pass over files. Costs milliseconds. */
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { joinedLines, surveyLines } from '../../../../bin/importer/command/lines/survey.ts';
import { surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import { fileOf } from '../support/files.ts';
import { setOf as openedSet } from '../support/runs.ts';

const HEADER = 'Id,Mail,Done';
const MAPPING = {
  record: { external_record_id: 'Id', 'user.email': 'Mail' },
  kinds: {
    columns: { Done: { read: 'percent' } },
    confirmed: [
      { values: { Done: 'between' }, outcome: 'in_progress', percent: 'Done' },
      { values: { Done: 'none' }, outcome: 'leave_out', reason: 'not started' },
    ],
  },
  skip: [{ column: 'Id', is: ['Total'] }],
};

async function setOf(rows: readonly string[], mapping: object = MAPPING) {
  const file = fileOf([HEADER, ...rows].join('\n'));
  writeFileSync(file.replace('.csv', '.mapping.json'), JSON.stringify(mapping));
  return openedSet(file);
}

it('the rows, the records, and each count of what is not sent', async () => {
  const set = await setOf(['1,a@x.test,10', '2,b@x.test,', '1,c@x.test,20', 'Total,,', '4,d@x.test,100']);
  const survey = await surveyOf(set);
  const path = set.sources[0]?.file.path;
  expect(surveyLines(set, survey)).toEqual([
    `${path}: CSV, utf-8, columns separated by ","`,
    '3 rows in 1 batch',
    '1 row is skipped, as the mapping says.',
    '1 row is left out, as confirmed: not started.',
    '1 row is not sent: of kinds that nobody has confirmed, or without a learner or course.',
    `1 record repeats the external_record_id of an earlier one and will not be imported; the first is on line 4, and repeats line 2 of ${path}.`,
  ]);
});

it('rows that are joined to records', async () => {
  const set = await setOf(['1,a@x.test,10', '1,a@x.test,20', '2,b@x.test,'], { ...MAPPING, group_by: ['Id', 'Mail'] });
  const survey = await surveyOf(set);
  expect(joinedLines(set, survey)).toEqual(['3 rows: 2 joined to 1 records, 0 rejected, 1 left out']);
});

it("a column of a file of the interface's names that is misspelt", async () => {
  const header = 'external_record_id,user.email,content.platform_course_id,progress.completed_on,error_codes';
  const set = await openedSet(fileOf(`${header}\nr1,a@x.test,101,2024-01-02,x\n`));
  const [, second] = surveyLines(set, await surveyOf(set));
  expect(second).toMatch(/: not imported, because the interface has no such name: "progress\.completed_on"$/);
});
