/** The command `import` over the whole service in memory. */
import { dirname, join } from 'node:path';
import { type CommandRun, runImport } from '../../../../bin/importer/command/import-run.ts';
import { journalFile } from '../../../../bin/importer/command/files/config-folder.ts';
import { displayOn, outageNotice } from '../../../../bin/importer/command/progress.ts';
import { Journal } from '../../../../bin/importer/engine/run/journal.ts';
import { PreviewBuilder } from '../../../../bin/importer/engine/run/preview.ts';
import { surveyOf } from '../../../../bin/importer/engine/run/survey.ts';
import { contextOf, type RecordedOutput, recordedOutput } from './output.ts';
import type { Platform } from './platform.ts';
import { setOf } from './runs.ts';

interface Result {
  readonly run_id: string;
  readonly imports: readonly string[];
  readonly plan: { readonly plan_digest: string };
}

/** `import FILE`, in a process of its own. */
export type ImportOptions = CommandRun['options'];

export async function importFile(
  platform: Platform,
  file: string,
  options: ImportOptions = { yes: true },
  more: Partial<RecordedOutput> = {},
) {
  const { client } = platform;
  const set = await setOf(file);
  const preview = new PreviewBuilder(platform.world.clock.now);
  const survey = await surveyOf(set, { preview });
  const journal = await Journal.read(journalFile(join(dirname(file), 'imports'), 'journal'));
  const output = { ...recordedOutput(true), ...more };
  const notes: string[] = [];
  const display = displayOn({ write: (text: string) => notes.push(text) > 0 });
  const code = await runImport({
    run: { service: client, company_id: 'acme', set, survey, preview, journal, parallel: 1 },
    client,
    url: 'http://127.0.0.1:3000',
    options,
    ...contextOf(output),
    display,
    outage: outageNotice(() => {}, Date.now),
    reason: undefined,
  });
  return { code, notes: [...notes, ...output.notes].join('\n'), ...(output.values.at(-1) as Result) };
}

/** What the archive has of a run. */
export const archivedIds = async (platform: Platform, run_id: string): Promise<(string | null)[]> => {
  const ids: (string | null)[] = [];
  for await (const { external_record_id } of platform.client.archive({ run_id })) ids.push(external_record_id);
  return ids;
};
