import { join } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { isRunId } from '../../wire/values.ts';
import { recordSetOf } from '../../engine/apply/record-set.ts';
import { PreviewBuilder } from '../../engine/run/preview.ts';
import { Journal } from '../../engine/run/journal.ts';
import type { ImportService } from '../../engine/run/send.ts';
import { journalName } from '../../engine/run/keys.ts';
import { refuseUndecided } from '../../engine/decide/confirm.ts';
import { surveyOf } from '../../engine/run/survey.ts';
import { surveyLines } from '../lines/survey.ts';
import {
  type CommandContext,
  collected,
  fileCommand,
  type OptionsOf,
  type RunCommand,
  wholeNumber,
} from '../command.ts';
import { runImport } from '../import-run.ts';
import { reasonOf } from './evidence.ts';
import { inputFiles } from '../files/input-files.ts';
import { journalFile } from '../files/config-folder.ts';
import { openRecordFile, type RecordFileOptions } from '../files/records.ts';
import { checkRejectedTarget, type RejectedOptions } from '../files/rejected-file.ts';
import { displayOn, outageNotice, whileCounting } from '../progress.ts';
import { connect, type Connection } from '../session/session.ts';

const declared = () =>
  fileCommand(
    'import',
    'import Excel, CSV, JSON or NDJSON files, or - for standard input; after an interruption, run it again to resume',
    [
      'import history.csv --dry-run',
      'import history.csv --run spring',
      "import 'exports/*.csv' --mapping all.mapping.json --set content.platform_course_id=2002",
    ],
  )
    .argument('<files...>')
    .option('--mapping <file>', 'what the columns mean (default: FILE.mapping.json beside the file)')
    .option('--set <member=value>', 'the same value in every record; may be repeated', collected)
    .option('--dry-run', 'validate only; nothing is imported')
    .option('--yes', 'import after the dry run without asking; it confirms nothing')
    .option('--replace', 'what earlier imports stored under the same record ids counts no longer')
    .option('--archive', 'keep rows of people and courses that are not on the platform in the archive')
    .option('--parallel <number>', 'number of uploads at the same time', wholeNumber(1, 32), 4)
    .option('--patience <minutes>', 'how long to wait for an unreachable service', wholeNumber(0, 10_000), 30)
    .option('--run <name>', 'name of the run, for cancel and revert (default: after the file)', runName)
    .option('--evidence [reason]', 'have the service sign evidence of the import, with this reason, for an auditor')
    .option('--rejected <file>', 'file to write the rejected rows to')
    .option(
      '--safe-for-spreadsheets',
      'in rejected rows of CSV, write an apostrophe before what a spreadsheet would run',
    );

type ImportOptions = OptionsOf<typeof declared, RecordFileOptions & RejectedOptions>;

export const command = (run: RunCommand) =>
  declared().action((paths, options) => run(options, (context) => importFiles(paths, options, context)));

/** Begins with a letter or digit, so that it never looks like an option. */
function runName(text: string): string {
  if (isRunId(text) && /^[\p{L}\p{N}]/u.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 128 characters, beginning with a letter or digit.');
}

/** `import FILE…`: dry runs, their plan, a question, its application, the results. After an interruption the same command resumes. */
async function importFiles(paths: readonly string[], options: ImportOptions, context: CommandContext): Promise<number> {
  const { output } = context;
  const canAsk = output.interactive && options.yes !== true;
  const reason = options.evidence === undefined ? undefined : await reasonOf(options.evidence, canAsk);
  const display = displayOn(process.stderr);
  const outage = outageNotice((text) => display.note(text));
  let connection: Promise<Connection> | undefined;
  // Before the files are read only if a mapping needs the catalog.
  const connected = (): Promise<Connection> => (connection ??= connect(context, outage.policy(options.patience)));
  const sources = [];
  for (const path of await inputFiles(paths, context.spool)) sources.push(await openRecordFile(path, options));
  const set = await recordSetOf(sources, async () => (await connected()).client);
  for (const { mapping, file } of set.sources) refuseUndecided(mapping, file.path);
  checkRejectedTarget(set, options.rejected);
  const preview = new PreviewBuilder(Date.now());
  display.note(`Reading ${set.name}`);
  const survey = await whileCounting(display, 'reading', (add) =>
    surveyOf(set, {
      preview,
      onProgress: ({ records }) => add(records),
    }),
  );
  for (const line of surveyLines(set, survey)) display.note(line);
  const { client, login } = await connected();
  const { company_id, base_url: url } = login;
  const { replace } = options;
  const name = journalName(set.sources, login, { replace });
  const journal = await Journal.read(journalFile(join(context.folder, 'imports'), name));
  const service = replace ? replacing(client) : client;
  const run = { service, company_id, set, survey, preview, journal, parallel: options.parallel };
  return runImport({ ...context, run, client, url, options, display, outage, reason });
}

/** `--replace` is of every import. */
export const replacing = (client: ImportService): ImportService => ({
  startImport: (body, key) => client.startImport({ ...body, replace: true }, key),
  getImport: (import_id) => client.getImport(import_id),
  waitForImport: (import_id, options) => client.waitForImport(import_id, options),
});
