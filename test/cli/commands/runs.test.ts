/** Runs are listed, cancelled and taken back, over the whole service in memory. Costs a second. */
import { createPlatform, type Platform, RUN, runFiles } from '../support/platform.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { cancelRun } from '../../../bin/cli/commands/cancel.ts';
import { listImports, listRuns } from '../../../bin/cli/commands/imports.ts';
import { revertRun } from '../../../bin/cli/commands/revert.ts';
import { UsageError } from '../../../bin/importer/errors.ts';
import { fileOf } from '../support/files.ts';
import { recordedOutput } from '../support/output.ts';

const HEADER = 'external_record_id,user.email,content.platform_course_id,progress.completion_pct';
const rows = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `r-${i},${i % 10 === 9 ? 'nobody' : 'hana.suzuki'}@acme.test,102,40`);
const csvOf = (count: number): string => fileOf([HEADER, ...rows(count)].join('\n'));
const recordOf = (id: string) => ({
  external_record_id: id,
  user: { email: 'hana.suzuki@acme.test' },
  content: { type: 'course' as const, platform_course_id: 102 },
  progress: { completion_pct: 40 },
});

let platform: Platform;

beforeEach(async () => {
  platform = await createPlatform();
});

describe('imports', () => {
  it('lists the runs: all files of one command are one', async () => {
    const other = fileOf([HEADER, 'x-1,grace.mensah@acme.test,101,100'].join('\n'));
    await runFiles(platform, [csvOf(600), other]);
    const output = recordedOutput();
    expect(await listRuns(platform.client, { most: 20 }, output)).toBe(0);
    expect(output.results.at(-1)).toMatch(/^history-2024 +\S+ \S+ +partial_success +3 +601 +541 +60$/);
  });

  it('lists no more than asked for, and says that there are more', async () => {
    for (const run_id of ['a', 'b', 'c'])
      await platform.client.startImport({ dry_run: false, run_id, records: [recordOf(run_id)] });
    const output = recordedOutput(true);
    await listRuns(platform.client, { most: 2 }, output);
    expect(output.values).toMatchObject([{ runs: [{}, {}] }]);
    expect(output.notes).toEqual(['There are more: list them with --most 20.']);
  });

  it('says so where there are none', async () => {
    const output = recordedOutput();
    await listRuns(platform.client, { most: 20 }, output);
    expect(output.results).toEqual(['There are no runs. Every import makes one.']);
  });

  it('RUN lists its imports with the ids that report takes', async () => {
    await runFiles(platform, [csvOf(600)]);
    const output = recordedOutput(true);
    expect(await listImports(platform.client, RUN, output)).toBe(0);
    const [{ imports }] = output.values as [{ imports: { counts: { total: number } }[] }];
    expect(imports.map(({ counts }) => counts.total).toSorted((a, b) => a - b)).toEqual([100, 500]);
    await expect(listImports(platform.client, 'nothing', output)).rejects.toThrow(UsageError);
  });
});

describe('cancel', () => {
  it('stops what is open, keeps what was applied, and waits for the end', async () => {
    const start = (id: string) => platform.client.startImport({ dry_run: false, run_id: RUN, records: [recordOf(id)] });
    await start('before');
    platform.processing.held = true;
    const { import: open } = await start('open');
    platform.processing.held = false;
    const output = recordedOutput();
    expect(await cancelRun(platform.client, RUN, output)).toBe(0);
    expect(output.results).toEqual([
      `Run ${RUN}: 2 records in 2 imports`,
      '          1  succeeded; they stay',
      '          1  rejected or cancelled',
      `To take back what succeeded: npx --no-install course-progress-migration revert ${RUN}`,
    ]);
    const { cancelled_at, records } = await platform.client.getImport(open.import_id);
    expect(cancelled_at).not.toBeNull();
    expect(records[0]?.errors.map(({ error_code }) => error_code)).toEqual(['import_cancelled']);
  });

  it('run again, or after the end, changes nothing', async () => {
    await runFiles(platform, [csvOf(10)]);
    const output = recordedOutput(true);
    expect(await cancelRun(platform.client, RUN, output)).toBe(0);
    expect(output.values).toMatchObject([{ status: 'partial_success', counts: { succeeded: 9, failed: 1 } }]);
    expect(output.notes).toEqual([`Run ${RUN} had ended already, so nothing was cancelled.`]);
  });

  it('names the command that lists runs where there is no such run', async () => {
    await expect(cancelRun(platform.client, 'nothing', recordedOutput())).rejects.toThrow(
      'There is no run nothing. "imports" lists the runs of this company.',
    );
  });
});

describe('revert', () => {
  const completionOf = async (id: string): Promise<number> =>
    (await platform.client.getRecord(id)).effective.completion_pct;

  it('takes back what a run has applied, and nothing that others say', async () => {
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
      '         55  taken back; each learner keeps what the platform and other imports say',
      '          6  have nothing to take back: they were rejected, or wrote nothing',
    ]);
    expect(await completionOf('other')).toBe(25);
    await expect(completionOf('r-0')).rejects.toThrow('record_not_found');
  });

  it('says before what will fall, and changes nothing in a dry run', async () => {
    await runFiles(platform, [csvOf(10)]);
    const output = recordedOutput();
    expect(await revertRun(platform.client, RUN, { dryRun: true }, output)).toBe(0);
    expect(output.results).toEqual([
      `Run ${RUN}: 10 records in 1 import`,
      '          9  would be taken back; each learner keeps what the platform and other imports say',
      '          1  have nothing to take back: they were rejected, or wrote nothing',
      'for example',
      '    r-0: user 8 in course 102 has 40 %, afterwards 0 %',
      '    r-1: user 8 in course 102 has 40 %, afterwards 0 %',
      '    r-2: user 8 in course 102 has 40 %, afterwards 0 %',
    ]);
    expect(await completionOf('r-0')).toBe(40);
    const [{ imports }] = await listed();
    expect(imports[0]?.reverted_at).toBeNull();
  });

  async function listed() {
    const output = recordedOutput(true);
    await listImports(platform.client, RUN, output);
    return output.values as [{ imports: { reverted_at: string | null }[] }];
  }

  it('reverts nothing where nobody can be asked', async () => {
    await runFiles(platform, [csvOf(10)]);
    const output = recordedOutput();
    expect(await revertRun(platform.client, RUN, {}, output)).toBe(2);
    expect(output.notes.at(-1)).toContain('Nothing reverted: cannot ask for confirmation');
    expect(await completionOf('r-0')).toBe(40);
  });

  it('that was interrupted is followed to its end by the same command', async () => {
    await runFiles(platform, [csvOf(10)]);
    platform.processing.held = true;
    await platform.client.revertRun(RUN, { dry_run: false });
    platform.processing.held = false;
    const output = recordedOutput(true);
    expect(await revertRun(platform.client, RUN, {}, output)).toBe(0);
    expect(output.notes[0]).toBe(`Run ${RUN} is being reverted already.`);
    expect(output.values).toMatchObject([{ status: 'success', counts: { imports: 1, total: 10, reverted: 9 } }]);
  });

  it('run again shows what the first has done', async () => {
    await runFiles(platform, [csvOf(10)]);
    await revertRun(platform.client, RUN, { yes: true }, recordedOutput());
    const output = recordedOutput(true);
    expect(await revertRun(platform.client, RUN, { yes: true }, output)).toBe(0);
    expect(output.notes[0]).toContain('Nothing of it is left.');
    expect(output.values).toMatchObject([{ counts: { reverted: 9 } }]);
  });

  it('takes back what was imported as part of the run after it was reverted', async () => {
    await runFiles(platform, [csvOf(10)]);
    await revertRun(platform.client, RUN, { yes: true }, recordedOutput());
    await platform.client.startImport({ dry_run: false, run_id: RUN, records: [recordOf('late')] });
    const output = recordedOutput(true);
    await revertRun(platform.client, RUN, { yes: true }, output);
    expect(output.values).toMatchObject([{ status: 'success', counts: { imports: 1, reverted: 1 } }]);
  });

  it('is refused while the run is still importing, with the command that stops it', async () => {
    platform.processing.held = true;
    await platform.client.startImport({ dry_run: false, run_id: RUN, records: [recordOf('open')] });
    await expect(revertRun(platform.client, RUN, { yes: true }, recordedOutput())).rejects.toThrow(
      `stop it: npx --no-install course-progress-migration cancel ${RUN}`,
    );
  });
});
