/** A cancelled run, over the whole service in memory. Costs a second. */
import { createPlatform, type Platform, RUN, runFiles } from '../support/platform.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { cancelRun } from '../../../../bin/importer/command/commands/cancel.ts';
import { recordedOutput } from '../support/output.ts';
import { csvOf, recordOf } from '../support/runs.ts';

let platform: Platform;

beforeEach(async () => {
  platform = await createPlatform();
});

describe('cancel', () => {
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
      `To take back what succeeded: npx --no-install course-progress-migration revert ${RUN}`,
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
      'There is no run nothing. "imports" lists the runs of this company.',
    );
  });
});
