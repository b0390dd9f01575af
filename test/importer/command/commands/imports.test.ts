/** The list of runs, over the whole service in memory. Costs a second. */
import { createPlatform, type Platform, RUN, runFiles } from '../support/platform.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { listImports, listRuns } from '../../../../bin/importer/command/commands/imports.ts';
import { UsageError } from '../../../../bin/importer/engine/errors.ts';
import { fileOf } from '../support/files.ts';
import { recordedOutput } from '../support/output.ts';
import { csvOf, HEADER, recordOf } from '../support/runs.ts';

let platform: Platform;

beforeEach(async () => {
  platform = await createPlatform();
});

describe('imports', () => {
  it('imports lists all files of one command as one run', async () => {
    const other = fileOf([HEADER, 'x-1,grace.mensah@acme.test,101,100'].join('\n'));
    await runFiles(platform, [csvOf(600), other]);
    const output = recordedOutput();
    expect(await listRuns(platform.client, { most: 20 }, output)).toBe(0);
    expect(output.results.at(-1)).toMatch(/^history-2024 +\S+ \S+ +partial_success +3 +601 +541 +60$/);
  });

  it('imports shows a run as reverted once all of its imports are', async () => {
    await runFiles(platform, [csvOf(600)]);
    const [{ import_id } = { import_id: '' }] = (await platform.client.listImports({ run_id: RUN })).imports;
    const lineOf = async (): Promise<string | undefined> => {
      const output = recordedOutput();
      await listRuns(platform.client, { most: 20 }, output);
      return output.results.at(-1);
    };
    await platform.client.revertImport(import_id, { dry_run: false });
    expect(await lineOf()).toContain('partial_success');
    await platform.client.revertRun(RUN, { dry_run: false });
    await platform.client.waitForRunRevert(RUN);
    expect(await lineOf()).toMatch(/^history-2024 .* reverted +2 +600/);
  });

  it('imports lists at most the number that --most gives, and reports that there are more', async () => {
    for (const run_id of ['a', 'b', 'c'])
      await platform.client.startImport({ dry_run: false, run_id, records: [recordOf(run_id)] });
    const output = recordedOutput(true);
    await listRuns(platform.client, { most: 2 }, output);
    expect(output.values).toMatchObject([{ runs: [{}, {}] }]);
    expect(output.notes).toEqual(['There are more: list them with --most 20.']);
  });

  it('imports reports that there are no runs', async () => {
    const output = recordedOutput();
    await listRuns(platform.client, { most: 20 }, output);
    expect(output.results).toEqual(['There are no runs. Every import makes one.']);
  });

  it('imports RUN lists the imports of a run with the ids that report takes', async () => {
    await runFiles(platform, [csvOf(600)]);
    const output = recordedOutput(true);
    expect(await listImports(platform.client, RUN, output)).toBe(0);
    const [{ imports }] = output.values as [{ imports: { counts: { total: number } }[] }];
    expect(imports.map(({ counts }) => counts.total).toSorted((a, b) => a - b)).toEqual([100, 500]);
    await expect(listImports(platform.client, 'nothing', output)).rejects.toThrow(UsageError);
  });
});
