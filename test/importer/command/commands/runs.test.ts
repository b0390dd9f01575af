/** Runs that are listed, cancelled and reverted, over the whole service in memory. Costs three seconds. */
import { createPlatform, type Platform, RUN, runFiles } from '../support/platform.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { cancelRun, listImports, revertRun, showRuns } from '../../../../bin/importer/command/commands/runs.ts';
import { UsageError } from '../../../../bin/importer/engine/errors.ts';
import { fileOf } from '../support/files.ts';
import { recordedOutput } from '../support/output.ts';
import { csvOf, HEADER, recordOf } from '../support/runs.ts';

let platform: Platform;

beforeEach(async () => {
  platform = await createPlatform();
});

describe('runs', () => {
  it('runs lists all files of one command as one run', async () => {
    const other = fileOf([HEADER, 'x-1,grace.mensah@acme.test,101,100'].join('\n'));
    await runFiles(platform, [csvOf(20), other]);
    const output = recordedOutput();
    expect(await showRuns(platform.client, output)).toBe(0);
    expect(output.results.at(-1)).toMatch(/^history-2024 +\S+ \S+ +partial_success +2 +21 +19 +2$/);
  });

  it('runs shows a run as reverted once all of its imports are', async () => {
    await runFiles(platform, [csvOf(10), fileOf([HEADER, 'x-1,grace.mensah@acme.test,101,100'].join('\n'))]);
    const [{ import_id } = { import_id: '' }] = (await platform.client.listImports({ run_id: RUN })).imports;
    const lineOf = async (): Promise<string | undefined> => {
      const output = recordedOutput();
      await showRuns(platform.client, output);
      return output.results.at(-1);
    };
    await platform.client.revertImport(import_id, { dry_run: false });
    expect(await lineOf()).toContain('partly_reverted');
    await platform.client.revertRun(RUN, { dry_run: false });
    await platform.client.waitForRunRevert(RUN);
    expect(await lineOf()).toMatch(/^history-2024 .* reverted +2 +11/);
  });

  it('runs reports that there are no runs', async () => {
    const output = recordedOutput();
    await showRuns(platform.client, output);
    expect(output.results).toEqual(['There are no runs. Every import makes one.']);
  });

  it('runs RUN lists the imports of a run with their ids', async () => {
    await runFiles(platform, [csvOf(600)]);
    const output = recordedOutput(true);
    expect(await listImports(platform.client, RUN, output)).toBe(0);
    const [{ imports }] = output.values as [{ imports: { counts: { total: number } }[] }];
    expect(imports.map(({ counts }) => counts.total).toSorted((a, b) => a - b)).toEqual([100, 500]);
    await expect(listImports(platform.client, 'nothing', output)).rejects.toThrow(UsageError);
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
    await expect(cancelRun(platform.client, 'nothing', recordedOutput())).rejects.toThrow(
      'There is no run nothing. "runs" lists the runs of this company.',
    );
  });
});

describe('--revert', () => {
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

  it('a dry run of revert says how many records would be taken back, and changes nothing', async () => {
    await runFiles(platform, [csvOf(10)]);
    const output = recordedOutput();
    expect(await revertRun(platform.client, RUN, { dryRun: true }, output)).toBe(0);
    expect(output.results).toEqual([
      `Run ${RUN}: 10 records in 1 import`,
      '          9  would be taken back; each learner keeps the progress of the platform and of other imports',
      '          1  have nothing to take back: they were rejected, or wrote nothing',
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

  it(
    'a dry run of many imports is worked off in steps, and followed; a later request makes a new one',
    { timeout: 60_000 },
    async () => {
      const { client, processing } = platform;
      for (let at = 0; at <= 100; at += 1)
        await client.startImport({ dry_run: false, run_id: RUN, records: [recordOf(`many-${at}`)] });
      await expect(client.getRunRevert(RUN)).rejects.toThrow('no dry run of that was requested');
      processing.held = true;
      const asked = await client.revertRun(RUN, { dry_run: true });
      expect(asked).toMatchObject({
        status: 'processing',
        dry_run: true,
        counts: { imports: 101, total: 101, reverted: 0 },
      });
      expect(await client.revertRun(RUN, { dry_run: true })).toEqual(asked);
      expect(await client.getRunRevert(RUN, { dry_run: true })).toEqual(asked);
      processing.held = false;
      const counts = { imports: 101, total: 101, reverted: 101, nothing_to_revert: 0 };
      const done = { status: 'validated', dry_run: true, counts };
      expect(await client.waitForRunRevert(RUN, { dry_run: true })).toMatchObject(done);
      expect(await client.getRunRevert(RUN)).toMatchObject(done);
      const output = recordedOutput(true);
      expect(await revertRun(client, RUN, { dryRun: true }, output)).toBe(0);
      expect(output.values).toMatchObject([done]);
      expect((output.values[0] as { created_at: string }).created_at > asked.created_at).toBe(true);
      expect(await revertRun(client, RUN, { yes: true }, recordedOutput())).toBe(0);
      expect(await client.getRunRevert(RUN)).toMatchObject({ status: 'success', dry_run: false, counts });
      expect(await client.getRunRevert(RUN, { dry_run: true })).toMatchObject({
        status: 'validated',
        counts: { imports: 0 },
      });
    },
  );

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
      `stop it: npx --no-install course-progress-migration runs ${RUN} --cancel`,
    );
  });
});
