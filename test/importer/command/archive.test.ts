/** The archive of a run at the terminal, over the whole service in memory. Costs two seconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { showArchive } from '../../../bin/importer/command/archive.ts';
import { recordedOutput } from './support/output.ts';
import { createPlatform, type Platform } from './support/platform.ts';
import { ofCourse, ofLeaver, recordOf } from './support/runs.ts';

const RUN = 'spring';
let platform: Platform;

beforeEach(async () => {
  platform = await createPlatform();
});

async function archive(...records: readonly object[]): Promise<void> {
  // The list is in the order of time.
  platform.world.clock.now += 1000;
  await platform.client.startImport({ dry_run: false, archive: true, run_id: RUN, records });
}

async function shown(json = false) {
  const output = recordedOutput(json);
  expect(await showArchive(platform.client, RUN, output)).toBe(0);
  return output;
}

describe('--archive', () => {
  it('lists what the run keeps, with counts by cause', async () => {
    await archive(recordOf('here'), ofLeaver('gone'), ofCourse('retired'));
    const { results } = await shown();
    expect(results.slice(0, 3)).toEqual([
      'Run spring keeps 2 records in the archive.',
      '          1  user_not_found',
      '          1  external_course_id_not_mapped',
    ]);
    expect(results.slice(5, -1)).toEqual([
      expect.stringMatching(/^gone +2\d{3}-\S+ \d\d:\d\d +\S/),
      expect.stringMatching(/^retired +2\d{3}-\S+ \d\d:\d\d +\S/),
    ]);
  });

  it('shows fifty in its table, and in JSON every one of every page, as it was sent', async () => {
    const records = Array.from({ length: 501 }, (_, at) => ofLeaver(`gone-${at}`));
    await archive(...records.slice(0, 500));
    await archive(...records.slice(500));
    const { results } = await shown();
    expect(results.filter((line) => line.startsWith('gone-'))).toHaveLength(50);
    expect(results.at(-1)).toBe('These are the first 50. All are shown with --json.');
    const [value] = (await shown(true)).values as [{ archived: { record: object }[] }];
    expect(value).toMatchObject({ run_id: RUN, total: 501, by_cause: { user_not_found: 501 } });
    expect(value.archived.map(({ record }) => record)).toEqual([records[500], ...records.slice(0, 500)]);
  });

  it('says that there is nothing, or no such run', async () => {
    await archive(recordOf('here'));
    expect((await shown()).results).toEqual(['Run spring keeps 0 records in the archive.']);
    await expect(showArchive(platform.client, 'nothing', recordedOutput())).rejects.toThrow('There is no run nothing.');
  });
});
