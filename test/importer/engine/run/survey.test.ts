/** The first pass over files. Costs milliseconds. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RecordSet } from '../../../../bin/importer/engine/apply/record-set.ts';
import { recordsHash, surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
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
  it('a survey counts rows, records and the ones that are not sent', async () => {
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
  });

  it('two surveys have the same hash only for the same records', async () => {
    const hashOf = async (...rows: string[]) => recordsHash(await surveyOf(await setOf(rows)));
    const hash = await hashOf('1,a@x.test,10');
    expect(await hashOf('1,a@x.test,10', 'Total,,')).toBe(hash);
    expect(await hashOf('1,a@x.test,11')).not.toBe(hash);
  });

  it('files without records are refused', async () => {
    await expect(surveyOf(await setOf(['Total,,']))).rejects.toThrow('set_without_rows');
  });
});
