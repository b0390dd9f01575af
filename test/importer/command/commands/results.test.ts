/** The results of earlier imports, over the whole service in memory. Costs a second. */
import { createPlatform } from '../support/platform.ts';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { showResults } from '../../../../bin/importer/command/commands/results.ts';
import { freshFolder } from '../support/files.ts';
import { recordedOutput } from '../support/output.ts';

it('results sums up what the platform has no course or no learner for', async () => {
  const { client } = await createPlatform();
  const record = (id: string, email: string, platform_course_id: number) => ({
    external_record_id: id,
    user: { email },
    content: { type: 'course', platform_course_id },
    progress: { completion_pct: 100, completed_at: '2024-03-01' },
  });
  const { import: started } = await client.startImport({
    dry_run: false,
    records: [
      record('r-1', 'gone@acme.test', 101),
      record('r-2', 'gone@acme.test', 102),
      record('r-3', 'ben.castillo@acme.test', 9999),
      record('r-4', 'ben.castillo@acme.test', 101),
    ],
  });
  const folder = freshFolder();
  const [text, json] = [recordedOutput(), recordedOutput(true)];
  const options = { rejected: join(folder, 'rejected.ndjson') };
  expect(await showResults([started.import_id], options, client, text)).toBe(1);
  expect(text.results.join('\n')).toMatch(
    /no counterpart on the platform: 3 of the rejected rows[\s\S]*1 {2}9999, 2024-03-01 \(course_not_in_catalog\)[\s\S]*2 {2}gone@acme\.test, 2024-03-01 \(user_not_found\)/,
  );
  await showResults([started.import_id], { ...options, rejected: join(folder, 'again.ndjson') }, client, json);
  expect(json.values).toMatchObject([{ unmatched: { rows: 3, learners: [{ name: 'gone@acme.test', rows: 2 }] } }]);
});
