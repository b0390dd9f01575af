/** A draft whose courses are those of the catalog. Costs under a second. */
import { createPlatform, importFiles } from '../../command/support/platform.ts';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { initMapping } from '../../../../bin/importer/command/commands/init-mapping.ts';
import { fileOf } from '../../command/support/files.ts';
import { recordedOutput } from '../../command/support/output.ts';

const HEADER = 'User Email,Course ID,Course Title,Enrollment Date,Completion Ratio';
const ROWS = [
  'ben.castillo@acme.test,U-1,Information security essentials (online),2023-01-01,1.0',
  'chiara.romano@acme.test,U-1,Information security essentials (online),2023-01-01,0.5',
  'chiara.romano@acme.test,U-2,Sailing for beginners,2023-01-01,0.5',
];

async function drafted(rows: readonly string[]) {
  const platform = await createPlatform();
  const file = fileOf([HEADER, ...rows].join('\n'));
  const output = recordedOutput(true);
  await initMapping(file, {}, output, platform.client);
  const [{ mapping, doubts }] = output.values as [{ mapping: { record: Record<string, unknown> }; doubts: string[] }];
  return { platform, file, mapping, doubts };
}

it('an export is imported with the drafted courses, without registering any id', async () => {
  const { platform, file, mapping, doubts } = await drafted(ROWS.slice(0, 2));
  expect(doubts.join()).not.toContain('map-courses');
  expect(mapping.record).toMatchObject({
    'content.platform_course_id': { column: 'Course ID', values: { 'U-1': 101 } },
  });
  expect(mapping.record['content.external_course_id']).toBeUndefined();
  const { endState, real } = await importFiles(platform, [file]);
  expect(real.summary.rejected).toBe(0);
  expect(endState).toMatchObject({ 'ben.castillo 101': { pct: 100 }, 'chiara.romano 101': { pct: 50 } });
});

it('a course without a certain counterpart is named, and has no id in the draft', async () => {
  const { platform, file, mapping, doubts } = await drafted(ROWS);
  expect(doubts.join('\n')).toContain(
    'Course "U-2" (Sailing for beginners) has no certain counterpart; its 1 rows would be rejected.',
  );
  expect(readFileSync(file.replace('.csv', '.mapping.json'), 'utf8')).not.toContain('U-2');
  expect(JSON.stringify(mapping)).not.toContain('U-2');
  const { real, preview } = await importFiles(platform, [file]);
  expect(real.summary).toMatchObject({ applied: 2, rejected: 1 });
  expect(JSON.stringify(preview)).toContain('U-2');
});

it('columns with the titles of courses are courses: a matrix is imported once its dates are confirmed', async () => {
  const platform = await createPlatform();
  const file = fileOf(
    'Email,Information Security Essentials,Welcome to Acme\nben.castillo@acme.test,2023-01-31,\nchiara.romano@acme.test,2023-02-28,2023-03-31\n',
  );
  const output = recordedOutput(true);
  await initMapping(file, {}, output, platform.client);
  const [{ mapping }] = output.values as [{ mapping: { guesses?: string[] } }];
  expect(mapping.guesses).toEqual([
    expect.stringMatching(/^2 columns like "Information Security Essentials" are read/),
  ]);
  const { endState, real } = await importFiles(platform, [file]);
  expect(real.summary.rejected).toBe(0);
  expect(endState).toMatchObject({
    'ben.castillo 101': { pct: 100, completed: '2023-01-31' },
    'chiara.romano 101': { pct: 100, completed: '2023-02-28' },
    'chiara.romano 103': { pct: 100, completed: '2023-03-31' },
  });
});

it('a course of the same number and without a title is asked about', async () => {
  const platform = await createPlatform();
  const file = fileOf(
    'User Email,Course ID,Completion Ratio\nben.castillo@acme.test,101,1.0\nchiara.romano@acme.test,7,0.5\n',
  );
  const output = recordedOutput(true);
  await initMapping(file, {}, output, platform.client);
  expect(output.values).toMatchObject([
    {
      mapping: {
        guesses: ['Course "101" (1 row) is taken for 101 Information Security Essentials, whose number is the same.'],
        record: { 'content.platform_course_id': { values: { '101': 101 } } },
      },
      doubts: expect.arrayContaining([expect.stringContaining('Course "7" has no certain counterpart')]),
    },
  ]);
});
