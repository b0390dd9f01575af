/** Wide exports, with a column for each class. Costs under a second. */
import { createPlatform, importFiles } from '../../command/support/platform.ts';
import { describe, expect, it } from 'vitest';
import { initMapping } from '../../../../bin/importer/command/commands/init-mapping.ts';
import { fileOf } from '../../command/support/files.ts';
import { recordedOutput } from '../../command/support/output.ts';

const CLASSES = 'Why security matters,Passwords and sign-in,Phishing,Reporting an incident';

async function endOf(rows: readonly string[]) {
  const file = fileOf([`Name,E-mail,${CLASSES}`, ...rows].join('\n'));
  const output = recordedOutput(true);
  await initMapping(file, {}, output);
  const [{ doubts }] = output.values as [{ doubts: string[] }];
  const imported = await importFiles(await createPlatform(), [file], { set: ['content.platform_course_id=101'] });
  return { ...imported, doubts };
}

describe('classColumns', () => {
  it('a column of words for each class is drafted, and the percentage is that of the classes', async () => {
    const { endState, survey, real, doubts } = await endOf([
      'Ben,ben.castillo@acme.test,Completed,Completed,Not completed,',
      'Grace,grace.mensah@acme.test,Completed,Completed,Completed,Completed',
      'Lena,lena.bauer@acme.test,,,,',
    ]);
    expect(endState).toMatchObject({
      'ben.castillo 101': { pct: 50, classes: { 1011: 'today', 1012: 'today' } },
      'grace.mensah 101': { pct: 100 },
    });
    expect([real.summary.rejected, survey.withoutProgress]).toEqual([0, 1]);
    expect(doubts.join('\n')).toContain('4 columns like "Why security matters" are taken for classes of one course');
  });

  it('a column of dates for each class gives the dates too', async () => {
    const rows = ['Ben,ben.castillo@acme.test,2024-01-15,2024-01-17,,', 'Lena,lena.bauer@acme.test,,,,'];
    const { endState } = await endOf(rows);
    expect(endState['ben.castillo 101']).toMatchObject({
      pct: 50,
      started: '2024-01-15',
      last: '2024-01-17',
      classes: { 1011: '2024-01-15', 1012: '2024-01-17' },
    });
  });
});

it.each([
  ['a single column of words', 'E-mail,Newsletter\nben.castillo@acme.test,yes\nlena.bauer@acme.test,no\n'],
  ['dates that everybody has', 'E-mail,Born,Hired\nben.castillo@acme.test,1980-01-02,2019-05-06\n'],
])('%s is no class', async (_, csv) => {
  const file = fileOf(csv);
  const output = recordedOutput(true);
  await initMapping(file, {}, output);
  expect(JSON.stringify(output.values)).not.toContain('progress.classes');
});
