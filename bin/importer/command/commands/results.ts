import { type Import, type MigrationClient, ServiceError } from '../../client/index.ts';
import { UsageError } from '../../engine/errors.ts';
import { ndjsonLine } from '../../engine/run/rejected-rows.ts';
import { SummaryBuilder, summaryLines } from '../../engine/run/summary.ts';
import { unmatchedLines, UnmatchedTally } from '../../engine/run/unmatched.ts';
import { type OptionsOf, type RunCommand, serviceCommand } from '../command.ts';
import { EXIT } from '../errors.ts';
import { writeRejectedFile } from '../files/rejected-file.ts';
import { displayOn, whileCounting } from '../progress.ts';
import { importsOfRun } from '../run-imports.ts';
import { connect } from '../session/session.ts';
import { type Output, printResult } from '../terminal.ts';

const declared = () =>
  serviceCommand('results', 'show the results of earlier imports', ['results --run spring --rejected rejected.ndjson'])
    .argument('[import_id...]')
    .option('--run <name>', 'the imports of this run')
    .option('--rejected <file>', 'file to write the rejected records to');

type ResultOptions = OptionsOf<typeof declared>;

export const command = (run: RunCommand) =>
  declared().action((import_ids, options) =>
    run(options, async (context) => showResults(import_ids, options, (await connect(context)).client, context.output)),
  );

/**
 * `results IMPORT_ID…`: the summary and the rejected records of earlier imports, as they were sent. The rows of the file are written by
 * the same `import` again, which shows these results.
 */
export async function showResults(
  asked: readonly string[],
  { run, rejected }: ResultOptions,
  client: MigrationClient,
  output: Output,
): Promise<number> {
  const ofRun = run === undefined ? [] : await importsOfRun(client, run);
  const import_ids = [...asked, ...ofRun.map(({ import_id }) => import_id)];
  if (import_ids.length === 0)
    throw new UsageError('Name imports by their ids, or a run with --run NAME. The command "runs" lists both.');
  const builder = new SummaryBuilder();
  const failing: string[] = [];
  let isDryRun = true;
  await whileCounting(displayOn(process.stderr), 'reading', async (add) => {
    for (const import_id of import_ids) {
      const { records, counts, dry_run } = await readImport(client, import_id);
      builder.add({ records });
      add(counts.total);
      isDryRun &&= dry_run;
      if (counts.failed > 0) failing.push(import_id);
    }
  });
  const tally = new UnmatchedTally();
  const target = { asked: rejected, name: 'rejected.ndjson', input: '' };
  const rejected_file = (await writeRejectedFile(sentRecords(failing, client, tally), target)) ?? null;
  const summary = builder.summary();
  const unmatched = tally.unmatched();
  printResult(output, { dry_run: isDryRun, ...summary, unmatched, rejected_file, imports: import_ids }, [
    ...summaryLines(summary, isDryRun),
    ...unmatchedLines(unmatched),
    ...(rejected_file === null ? [] : [`The rejected records are in ${rejected_file}, with the reasons.`]),
  ]);
  return summary.rejected === 0 ? EXIT.allApplied : EXIT.someRejected;
}

async function readImport(client: MigrationClient, import_id: string): Promise<Import> {
  try {
    return await client.waitForImport(import_id);
  } catch (error) {
    if (error instanceof ServiceError && error.has('import_not_found'))
      throw new UsageError(`There is no import ${import_id}.`);
    throw error;
  }
}

async function* sentRecords(
  failing: readonly string[],
  client: MigrationClient,
  tally: UnmatchedTally,
): AsyncGenerator<string> {
  for (const import_id of failing)
    for await (const { record, errors } of client.records(import_id, { status: 'error', include: 'record' })) {
      tally.add({ record }, errors);
      yield ndjsonLine({ line: 0, value: record }, { errors });
    }
}
