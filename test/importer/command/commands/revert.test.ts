/** A reverted run, over the whole service in memory. Costs a second. */
import { createPlatform, type Platform, RUN, runFiles } from '../support/platform.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { revertRun } from '../../../../bin/importer/command/commands/revert.ts';
import { fileOf } from '../support/files.ts';
import { recordedOutput } from '../support/output.ts';
import { csvOf, HEADER, recordOf } from '../support/runs.ts';

let platform: Platform;

beforeEach(async () => {
  platform = await createPlatform();
});

describe('revert', () => {
  const completionOf = async (id: string): Promise<number> =>
    (await platform.client.getRecord(id)).effective.completion_pct;

  it('revert takes back the records of the run, and leaves those of other imports', async () => {
    await platform.client.startImport({
      dry_run: false,
      records: [{ ...recordOf('other'), progress: { completion_pct: 25 } }],
    });
    const another = fileOf([HEADER, 'x-1,grace.mensah@acme.test,101,100'].join('\n'));
    await runFiles(platform, [csvOf(60), another]);
    expect(await completionOf('r-0')).toBe(40);
    const output = recordedOutput();
    expect(await revertRun(platform.client, RUN, { yes: true }, output)).toBe(0);
    expect(output.results).toEqual([
      `Run ${RUN}: 61 records in 2 imports`,
      '         55  taken back; each learner keeps the progress of the platform and of other imports',
      '          6  have nothing to take back: they were rejected, or wrote nothing',
    ]);
    expect(await completionOf('other')).toBe(25);
    await expect(completionOf('r-0')).rejects.toThrow('record_not_found');
  });

  it('a dry run of revert shows how progress will fall, and changes nothing', async () => {
    await runFiles(platform, [csvOf(10)]);
    const output = recordedOutput();
    expect(await revertRun(platform.client, RUN, { dryRun: true }, output)).toBe(0);
    expect(output.results).toEqual([
      `Run ${RUN}: 10 records in 1 import`,
      '          9  would be taken back; each learner keeps the progress of the platform and of other imports',
      '          1  have nothing to take back: they were rejected, or wrote nothing',
      'for example',
      '    r-0: user 8 in course 102 has 40 %, afterwards 0 %',
      '    r-1: user 8 in course 102 has 40 %, afterwards 0 %',
      '    r-2: user 8 in course 102 has 40 %, afterwards 0 %',
    ]);
    expect(await completionOf('r-0')).toBe(40);
    const { imports } = await platform.client.listImports({ run_id: RUN, limit: 1 });
    expect(imports[0]?.reverted_at).toBeNull();
  });

  it('nothing is reverted if the command cannot ask for confirmation', async () => {
    await runFiles(platform, [csvOf(10)]);
    const output = recordedOutput();
    expect(await revertRun(platform.client, RUN, {}, output)).toBe(2);
    expect(output.notes.at(-1)).toContain('Nothing reverted: cannot ask for confirmation');
    expect(await completionOf('r-0')).toBe(40);
  });

  it('revert follows a revert that is running already to its end', async () => {
    await runFiles(platform, [csvOf(10)]);
    platform.processing.held = true;
    await platform.client.revertRun(RUN, { dry_run: false });
    platform.processing.held = false;
    const output = recordedOutput(true);
    expect(await revertRun(platform.client, RUN, {}, output)).toBe(0);
    expect(output.notes[0]).toBe(`Run ${RUN} is being reverted already.`);
    expect(output.values).toMatchObject([{ status: 'success', counts: { imports: 1, total: 10, reverted: 9 } }]);
  });

  it('a repeated revert shows the result of the first', async () => {
    await runFiles(platform, [csvOf(10)]);
    await revertRun(platform.client, RUN, { yes: true }, recordedOutput());
    const output = recordedOutput(true);
    expect(await revertRun(platform.client, RUN, { yes: true }, output)).toBe(0);
    expect(output.notes[0]).toContain('None of its records is left.');
    expect(output.values).toMatchObject([{ counts: { reverted: 9 } }]);
  });

  it('revert takes back imports that joined the run after its first revert', async () => {
    await runFiles(platform, [csvOf(10)]);
    await revertRun(platform.client, RUN, { yes: true }, recordedOutput());
    await platform.client.startImport({ dry_run: false, run_id: RUN, records: [recordOf('late')] });
    const output = recordedOutput(true);
    await revertRun(platform.client, RUN, { yes: true }, output);
    expect(output.values).toMatchObject([{ status: 'success', counts: { imports: 1, reverted: 1 } }]);
  });

  it('a run that is still importing is refused, with the command that stops it', async () => {
    platform.processing.held = true;
    await platform.client.startImport({ dry_run: false, run_id: RUN, records: [recordOf('open')] });
    await expect(revertRun(platform.client, RUN, { yes: true }, recordedOutput())).rejects.toThrow(
      `stop it: npx --no-install course-progress-migration cancel ${RUN}`,
    );
  });
});
