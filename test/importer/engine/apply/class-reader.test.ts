/** Classes that rows name, with their dates. Costs a second. */
import { createPlatform, importFiles } from '../../command/support/platform.ts';
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fileOf } from '../../command/support/files.ts';

it('a course whose classes are joined from rows with dates is completed on the date of the last class, not today', async () => {
  const CLASSES = [1011, 1012, 1013, 1014];
  const rows = CLASSES.map((id, index) => `ben.castillo@acme.test,${id},2023-04-0${index + 1}`);
  const file = fileOf(`Email,Class,Viewed on\n${rows.join('\n')}\nchiara.romano@acme.test,1011,2023-05-06\n`);
  const mapping = {
    group_by: ['Email'],
    record: {
      external_record_id: 'Email',
      'user.email': 'Email',
      'content.platform_course_id': { constant: 101 },
      'progress.classes': { column: 'Class', date_column: 'Viewed on' },
    },
    kinds: { columns: {}, confirmed: [{ values: {}, outcome: 'in_progress' }] },
  };
  writeFileSync(file.replace('.csv', '.mapping.json'), JSON.stringify(mapping));
  const { endState, preview } = await importFiles(await createPlatform(), [file]);
  expect(endState).toMatchObject({
    'ben.castillo 101': { pct: 100, completed: '2023-04-04' },
    'chiara.romano 101': { pct: 25 },
  });
  expect(preview.dated_today).not.toHaveProperty('completed_at');
});
