/** The command `import` over the whole service in memory. Costs a second. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { listRuns } from '../../../../bin/importer/client/runs.ts';
import { runImport } from '../../../../bin/importer/command/commands/import.ts';
import { journalFile } from '../../../../bin/importer/command/files/config-folder.ts';
import { displayOn, outageNotice } from '../../../../bin/importer/command/progress.ts';
import { Journal } from '../../../../bin/importer/engine/run/journal.ts';
import { PreviewBuilder } from '../../../../bin/importer/engine/run/preview.ts';
import type { ImportService } from '../../../../bin/importer/engine/run/send.ts';
import { surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import { loadData } from '../../../../functions/platform/load-data.ts';
import { fileOf } from '../support/files.ts';
import { contextOf, recordedOutput } from '../support/output.ts';
import { createPlatform, type Platform } from '../support/platform.ts';
import { HEADER, setOf } from '../support/runs.ts';

const SAMPLE = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../../lib/sandbox/sample.json'), 'utf8'),
) as { readonly users: readonly { readonly email: string }[] };
const LATE = 'kofi.asante@acme.test';

/** The sample company, without this learner. */
const dataWithout = (email?: string): Buffer =>
  Buffer.from(JSON.stringify({ ...SAMPLE, progress: [], users: SAMPLE.users.filter((user) => user.email !== email) }));

let platform: Platform;
let file: string;

beforeEach(async () => {
  platform = await createPlatform(dataWithout(LATE));
  file = fileOf([HEADER, `r-1,hana.suzuki@acme.test,102,40`, `r-2,${LATE},102,40`].join('\n'));
});

/** `import FILE --yes`, in a process of its own. */
async function imported(service: ImportService = platform.client) {
  const set = await setOf(file);
  const preview = new PreviewBuilder(platform.world.clock.now);
  const survey = await surveyOf(set, { preview });
  const journal = await Journal.read(journalFile(join(dirname(file), 'imports'), 'journal'));
  const output = recordedOutput(true);
  const notes: string[] = [];
  const display = displayOn({ write: (text: string) => notes.push(text) > 0 });
  const code = await runImport({
    run: { service, company_id: 'acme', set, survey, preview, journal, parallel: 1 },
    client: platform.client,
    options: { yes: true, parallel: 1, patience: 0 },
    ...contextOf(output),
    display,
    outage: outageNotice(() => {}, Date.now),
    reason: undefined,
  });
  return { code, ...(output.values[0] as { readonly run_id: string }) };
}

/** The command ends as soon as the service has accepted the first batch. */
async function killed(): Promise<void> {
  const { client } = platform;
  let isReal = false;
  const service: ImportService = {
    startImport: (body, key) => {
      isReal = !body.dry_run;
      return client.startImport(body, key);
    },
    getImport: client.getImport,
    waitForImport: (id, options) => (isReal ? Promise.reject(new Error('killed')) : client.waitForImport(id, options)),
  };
  await expect(imported(service)).rejects.toThrow('killed');
}

describe('import', () => {
  it('a file whose run has ended is sent again: the platform knows by now who was unknown', async () => {
    const first = await imported();
    expect(first).toMatchObject({ code: 1, applied: 1, rejected: 1 });
    await loadData(dataWithout(), platform.world.services);
    const second = await imported();
    expect(second).toMatchObject({ code: 0, applied: 1, unchanged: 1, rejected: 0, imports_sent: 1 });
    expect(second.run_id).not.toBe(first.run_id);
  });

  it('a run that was killed after the service had accepted a batch is resumed: nothing is sent twice', async () => {
    await killed();
    expect(await imported()).toMatchObject({ code: 1, applied: 1, rejected: 1, imports_sent: 0, imports_resumed: 1 });
    expect(await imported()).toMatchObject({ unchanged: 1, imports_sent: 1, imports_resumed: 0 });
  });

  it('a run that was taken back meanwhile is not resumed; the next import sends the file again', async () => {
    await killed();
    const [run] = await listRuns(platform.client);
    const run_id = run?.run_id ?? '';
    await platform.client.revertRun(run_id, { dry_run: false });
    await platform.client.waitForRunRevert(run_id);
    await expect(imported()).rejects.toThrow(
      /was reverted.* To import the file again, run the same command once more\.$/,
    );
    expect(await imported()).toMatchObject({ applied: 1, imports_sent: 1 });
  });
});
