/** The command `import` over the whole service in memory. Costs a second. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listRuns } from '../../../../bin/importer/client/runs.ts';
import { command, runImport } from '../../../../bin/importer/command/commands/import.ts';
import { journalFile } from '../../../../bin/importer/command/files/config-folder.ts';
import { displayOn, outageNotice } from '../../../../bin/importer/command/progress.ts';
import { Journal } from '../../../../bin/importer/engine/run/journal.ts';
import { PreviewBuilder } from '../../../../bin/importer/engine/run/preview.ts';
import type { ImportService } from '../../../../bin/importer/engine/run/send.ts';
import { surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import { loadData } from '../../../../functions/platform/load-data.ts';
import { fileOf, freshFolder } from '../support/files.ts';
import { contextOf, recordedOutput } from '../support/output.ts';
import { createPlatform, type Platform } from '../support/platform.ts';
import { HEADER, setOf } from '../support/runs.ts';
import { textRow, workbookOf } from '../support/workbook.ts';

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
    url: 'http://127.0.0.1:3000',
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

  it('a file that was corrected is imported as another run: what was rejected is applied, and nothing is resumed', async () => {
    const first = await imported();
    expect(first).toMatchObject({ code: 1, applied: 1, rejected: 1 });
    const rows = readFileSync(file, 'utf8');
    writeFileSync(file, rows.replace(LATE, 'ben.castillo@acme.test'));
    const second = await imported();
    expect(second).toMatchObject({
      code: 0,
      applied: 1,
      unchanged: 1,
      rejected: 0,
      imports_sent: 1,
      imports_resumed: 0,
    });
    expect(second.run_id).not.toBe(first.run_id);
    expect(await imported()).toMatchObject({ applied: 0, unchanged: 2, imports_sent: 1 });
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

const withoutSession = contextOf(recordedOutput(), freshFolder());

/** The error of the command, which has no session: a request would end in another. */
async function refusalOf(...args: readonly string[]): Promise<unknown> {
  const run = command(async (_options, action) => void (await action(withoutSession)));
  return run.parseAsync(args, { from: 'user' }).catch((error: unknown) => error);
}

const ITEMS = [{ Email: 'hana.suzuki@acme.test', Course: 'A', Status: 'Completed', On: '2024-01-02' }];
const LINES = ITEMS.map((item) => JSON.stringify(item)).join('\n');
const TABLE = [...ITEMS.slice(0, 1).map(Object.keys), ...ITEMS.map((item) => Object.values(item))];
const CSV = TABLE.join('\n');
const SHEET = TABLE.map((texts, at) => textRow(at + 1, texts)).join('');
const OPEN = ['learner', 'course', 'dates', 'columns'] as const;
const OPEN_SETS = Array.from({ length: 15 }, (_, at) => OPEN.filter((_each, place) => ((at + 1) >> place) & 1));

describe('nothing is sent of', () => {
  const ofJson = fileOf(JSON.stringify(ITEMS), 'history.json');
  const ofLines = fileOf(LINES, 'history.ndjson');
  const ofCsv = fileOf(CSV);
  const ofExcel = fileOf(workbookOf({ sheets: { History: SHEET } }), 'history.xlsx');
  const confirmed = [{ values: { Status: 'Completed' }, outcome: 'completed', date: 'On' }];
  const kinds = { columns: { Status: { read: 'text' } }, dates: { On: 'iso' }, confirmed };
  const record = { external_record_id: 'Email', 'user.email': 'Email', 'content.external_course_id': 'Course' };

  it.each([
    ['CSV', [ofCsv]],
    ['a workbook', [ofExcel]],
    ['JSON', [ofJson]],
    ['NDJSON', [ofLines]],
    ['several files', [ofCsv, ofJson, ofExcel]],
    ['standard input', ['-']],
  ])('%s, while its mapping has anything undecided', async (_name, files) => {
    vi.spyOn(process, 'stdin', 'get').mockImplementation(() => Readable.from(CSV) as typeof process.stdin);
    for (const undecided of OPEN_SETS) {
      const mapping = fileOf(JSON.stringify({ record, undecided, kinds }), 'm.json');
      for (const option of ['--yes', '--dry-run'])
        expect(await refusalOf(...files, '--mapping', mapping, option)).toMatchObject({
          said: { code: 'mapping_undecided', params: { open: undecided } },
        });
    }
    vi.restoreAllMocks();
  });

  it.each([
    ['JSON', ofJson],
    ['NDJSON', ofLines],
    ['CSV', ofCsv],
  ])('a foreign file of %s without a mapping, with the hint', async (_name, path) => {
    const hint = `There is no mapping for ${path}. Make one with "init-mapping ${path}"`;
    expect(await refusalOf(path, '--yes')).toMatchObject({ message: expect.stringContaining(hint) });
  });
});
