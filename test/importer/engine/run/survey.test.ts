/** The first pass over files, and its lines. Costs milliseconds. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RecordSet } from '../../../../bin/importer/engine/apply/record-set.ts';
import { recordsHash, surveyLines, surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import { fileOf } from '../../command/support/files.ts';
import { setOf as openedSet } from '../../command/support/runs.ts';

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

async function setOf(rows: readonly string[], mapping: object = MAPPING): Promise<RecordSet> {
  const file = fileOf([HEADER, ...rows].join('\n'));
  writeFileSync(file.replace('.csv', '.mapping.json'), JSON.stringify(mapping));
  return openedSet(file);
}

describe('surveyOf', () => {
  it('a survey counts rows, records and the ones that are not sent, and lists the counts', async () => {
    const set = await setOf(['1,a@x.test,10', '2,b@x.test,', '1,c@x.test,20', 'Total,,', '4,d@x.test,100']);
    const survey = await surveyOf(set);
    expect(survey).toMatchObject({
      rows: 3,
      skipped: 1,
      leftOut: { 'not started': 1 },
      records: 1,
      repeats: 1,
      unconfirmed: 1,
    });
    const path = set.sources[0]?.file.path;
    expect(surveyLines(set, survey)).toEqual([
      `${path}: CSV, utf-8, columns separated by ","`,
      '3 rows in 1 batch',
      '1 rows are skipped, as the mapping says.',
      '1 row is left out, as confirmed: not started.',
      '1 row is not sent: of kinds that nobody has confirmed, or without a learner or course.',
      `1 record repeats the external_record_id of an earlier one and will not be imported; the first is on line 4, and repeats line 2 of ${path}.`,
    ]);
  });

  it('two surveys have the same hash only for the same records', async () => {
    const hashOf = async (...rows: string[]) => recordsHash(await surveyOf(await setOf(rows)));
    const hash = await hashOf('1,a@x.test,10');
    expect(await hashOf('1,a@x.test,10', 'Total,,')).toBe(hash);
    expect(await hashOf('1,a@x.test,11')).not.toBe(hash);
  });

  it('files without records are refused', async () => {
    await expect(surveyOf(await setOf(['Total,,']))).rejects.toThrow('contains no rows to import');
  });
});
