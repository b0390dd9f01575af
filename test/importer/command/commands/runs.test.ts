/** Runs that are listed, cancelled and reverted, over the whole service in memory. Costs three seconds. */
import { createPlatform, type Platform, RUN, runFiles } from '../support/platform.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../../bin/importer/command/errors.ts';
import { cancelRun, showRun, revertRun, showRuns } from '../../../../bin/importer/command/commands/runs.ts';
import { fileOf } from '../support/files.ts';
import { recordedOutput } from '../support/output.ts';
import { csvOf, HEADER, recordOf } from '../support/runs.ts';

let platform: Platform;

beforeEach(async () => {
  platform = await createPlatform();
});

const another = () => fileOf([HEADER, 'x-1,grace.mensah@acme.test,101,100'].join('\n'));

describe('runs', () => {
  const shownLine = async (): Promise<string | undefined> => {
    const output = recordedOutput();
    expect(await showRuns(platform.client, output)).toBe(0);
    return output.results.at(-1);
  };

  it('runs lists all files of one command as one run, which is reverted once all of its imports are', async () => {
    expect(await shownLine()).toBe('There are no runs. Every import makes one.');
    await runFiles(platform, [csvOf(20), another()]);
    expect(await shownLine()).toMatch(/^history-2024 +\S+ \S+ +partial_success +2 +21 +19 +2$/);
    const [{ import_id } = { import_id: '' }] = (await platform.client.listImports({ run_id: RUN })).imports;
    await platform.client.revertImport(import_id, { dry_run: false });
    expect(await shownLine()).toContain('partly_reverted');
    await platform.client.revertRun(RUN, { dry_run: false });
    await platform.client.waitForRunRevert(RUN);
    expect(await shownLine()).toMatch(/^history-2024 .* reverted +2 +21/);
  });

  it('runs RUN lists the imports of a run with their ids', async () => {
    await runFiles(platform, [csvOf(600)]);
    const output = recordedOutput(true);
    expect(await showRun(platform.client, RUN, output)).toBe(0);
    const [{ imports }] = output.values as [{ imports: { counts: { total: number } }[] }];
    expect(imports.map(({ counts }) => counts.total).toSorted((a, b) => a - b)).toEqual([100, 500]);
    await expect(showRun(platform.client, 'nothing', output)).rejects.toThrow(UsageError);
  });
});

describe('--cancel', () => {
  it('cancel stops the open imports, keeps applied records, and waits for the end', async () => {
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
      `To take back what succeeded: npx --no-install course-progress-migration runs ${RUN} --revert`,
    ]);
    const { cancelled_at, records } = await platform.client.getImport(open.import_id);
    expect(cancelled_at).not.toBeNull();
    expect(records[0]?.errors.map(({ error_code }) => error_code)).toEqual(['import_cancelled']);
  });

  it('a repeated cancel changes nothing, nor does one after the end', async () => {
    await runFiles(platform, [csvOf(10)]);
    const output = recordedOutput(true);
    expect(await cancelRun(platform.client, RUN, output)).toBe(0);
    expect(output.values).toMatchObject([{ status: 'partial_success', counts: { succeeded: 9, failed: 1 } }]);
    expect(output.notes).toEqual([`Run ${RUN} had ended already, so nothing was cancelled.`]);
  });

  it('cancel of an unknown run names the command that lists runs', async () => {
    const said = 'There is no run nothing. "runs" lists the runs of this company.';
    await expect(cancelRun(platform.client, 'nothing', recordedOutput())).rejects.toThrow(said);
  });
});

describe('--revert', () => {
  const completionOf = async (id: string): Promise<number> =>
    (await platform.client.getRecord(id)).effective.completion_pct;

  const reverted = async (options: Parameters<typeof revertRun>[2], isJson = false) => {
    const output = recordedOutput(isJson);
    return { code: await revertRun(platform.client, RUN, options, output), ...output };
  };

  it('a dry run says how many records would be taken back, and without a yes none is: both change nothing', async () => {
    await runFiles(platform, [csvOf(10)]);
    const { code, results } = await reverted({ dryRun: true });
    expect([code, results]).toEqual([
      0,
      [
        `Run ${RUN}: 10 records in 1 import`,
        '          9  would be taken back; each learner keeps the progress of the platform and of other imports',
        '          1  have nothing to take back: they were rejected, or wrote nothing',
      ],
    ]);
    const unconfirmed = await reverted({});
    expect(unconfirmed.code).toBe(2);
    expect(unconfirmed.notes.at(-1)).toContain('Nothing reverted: cannot ask for confirmation');
    expect(unconfirmed.results).toEqual([]);
    const error = unconfirmed.notes.at(-1);
    expect(await reverted({}, true)).toMatchObject({ code: 2, values: [{ error, exit_code: 2 }] });
    expect(await completionOf('r-0')).toBe(40);
    const { imports } = await platform.client.listImports({ run_id: RUN, limit: 1 });
    expect(imports[0]?.reverted_at).toBeNull();
  });

  it('revert takes back the records of the run alone, shows that again, and takes back what joins the run later', async () => {
    const { client } = platform;
    const records = [{ ...recordOf('other'), progress: { completion_pct: 25 } }];
    await client.startImport({ dry_run: false, records });
    await runFiles(platform, [csvOf(60), another()]);
    expect((await reverted({ yes: true })).results).toEqual([
      `Run ${RUN}: 61 records in 2 imports`,
      '         55  taken back; each learner keeps the progress of the platform and of other imports',
      '          6  have nothing to take back: they were rejected, or wrote nothing',
    ]);
    expect(await completionOf('other')).toBe(25);
    await expect(completionOf('r-0')).rejects.toThrow('record_not_found');
    const again = await reverted({ yes: true }, true);
    expect(again.notes[0]).toContain('None of its records is left.');
    expect(again.values).toMatchObject([{ counts: { reverted: 55 } }]);
    await client.startImport({ dry_run: false, run_id: RUN, records: [recordOf('late')] });
    const later = await reverted({ yes: true }, true);
    expect(later.values).toMatchObject([{ status: 'success', counts: { imports: 1, reverted: 1 } }]);
  });

  it('revert follows a revert that is running already to its end', async () => {
    await runFiles(platform, [csvOf(10)]);
    platform.processing.held = true;
    await platform.client.revertRun(RUN, { dry_run: false });
    platform.processing.held = false;
    const { code, notes, values } = await reverted({}, true);
    expect([code, notes[0]]).toEqual([0, `Run ${RUN} is being reverted already.`]);
    expect(values).toMatchObject([{ status: 'success', counts: { imports: 1, total: 10, reverted: 9 } }]);
  });

  it('a dry run of many imports is worked off in steps, and followed; a later request makes a new one', async () => {
    const { client, processing } = platform;
    for (let at = 0; at <= 100; at += 1)
      await client.startImport({ dry_run: false, run_id: RUN, records: [recordOf(`many-${at}`)] });
    await expect(client.getRunRevert(RUN)).rejects.toThrow('no dry run of that was requested');
    processing.held = true;
    const asked = await client.revertRun(RUN, { dry_run: true });
    const begun = { imports: 101, total: 101, reverted: 0 };
    expect(asked).toMatchObject({ status: 'processing', dry_run: true, counts: begun });
    expect(await client.revertRun(RUN, { dry_run: true })).toEqual(asked);
    expect(await client.getRunRevert(RUN, { dry_run: true })).toEqual(asked);
    processing.held = false;
    const counts = { imports: 101, total: 101, reverted: 101, nothing_to_revert: 0 };
    const done = { status: 'validated', dry_run: true, counts };
    expect(await client.waitForRunRevert(RUN, { dry_run: true })).toMatchObject(done);
    expect(await client.getRunRevert(RUN)).toMatchObject(done);
    const { values } = await reverted({ dryRun: true }, true);
    expect(values).toMatchObject([done]);
    expect((values[0] as { created_at: string }).created_at > asked.created_at).toBe(true);
    await reverted({ yes: true });
    expect(await client.getRunRevert(RUN)).toMatchObject({ status: 'success', dry_run: false, counts });
    const after = await client.getRunRevert(RUN, { dry_run: true });
    expect(after).toMatchObject({ status: 'validated', counts: { imports: 0 } });
  });

  it('a run that is still importing is refused, with the command that stops it', async () => {
    platform.processing.held = true;
    await platform.client.startImport({ dry_run: false, run_id: RUN, records: [recordOf('open')] });
    await expect(reverted({ yes: true })).rejects.toThrow(
      `stop it: npx --no-install course-progress-migration runs ${RUN} --cancel`,
    );
  });
});
