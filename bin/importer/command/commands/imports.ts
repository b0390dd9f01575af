import { asCompleted } from '../../engine/run/as-completed.ts';
import type { ImportSummary, MigrationClient, Run } from '../../client/index.ts';
import { type OptionsOf, type RunCommand, serviceCommand, wholeNumber } from '../command.ts';
import { EXIT } from '../errors.ts';
import { importsOfRun, shortDate } from '../runs.ts';
import { connect } from '../session/session.ts';
import { type Output, table, printResult } from '../terminal.ts';

const declared = () =>
  serviceCommand('imports', 'list the runs, newest first, or the imports of one', ['imports', 'imports spring'])
    .argument('[run]')
    .option('--most <number>', 'how many runs to list', wholeNumber(1, 1_000_000), 20);

type ListOptions = Pick<OptionsOf<typeof declared>, 'most'>;

export const command = (run: RunCommand) =>
  declared().action((run_id, options) =>
    run(options, async (context) => {
      const { client } = await connect(context);
      return run_id === undefined
        ? listRuns(client, options, context.output)
        : listImports(client, run_id, context.output);
    }),
  );

/** `imports`: the runs of the company, newest first. */
export async function listRuns(client: MigrationClient, { most }: ListOptions, output: Output): Promise<number> {
  const runs: Run[] = [];
  for await (const run of client.runs()) {
    runs.push(run);
    if (runs.length > most) break;
  }
  const shown = await withReverts(client, runs.slice(0, most));
  const none = ['There are no runs. Every import makes one.'];
  printResult(output, { runs: shown }, shown.length === 0 ? none : runTable(shown));
  if (runs.length > most) output.note(`There are more: list them with --most ${most * 10}.`);
  return EXIT.allApplied;
}

interface ListedRun extends Run {
  /** When the last of its imports was taken back; `null` while one is not. */
  readonly reverted_at: string | null;
}

const READ_AT_ONCE = 4;

/** Runs of which some imports are reverted stay as they are: the list of the imports says which. */
async function withReverts(client: MigrationClient, runs: readonly Run[]): Promise<ListedRun[]> {
  const listed = new Map<string, ListedRun>();
  const found = asCompleted(runs, READ_AT_ONCE, async (run: Run) => ({
    ...run,
    reverted_at: run.status === 'processing' ? null : await revertedAt(client, run.run_id),
  }));
  for await (const run of found) listed.set(run.run_id, run);
  return runs.flatMap(({ run_id }) => listed.get(run_id) ?? []);
}

/** Reads the imports up to the first that was not taken back. */
async function revertedAt(client: MigrationClient, run_id: string): Promise<string | null> {
  let last: string | null = null;
  for await (const { dry_run, reverted_at } of client.imports({ run_id, limit: 100 })) {
    if (dry_run) continue;
    if (reverted_at === null) return null;
    if (last === null || reverted_at > last) last = reverted_at;
  }
  return last;
}

/** `imports RUN`: the imports of a run, newest first. */
export async function listImports(client: MigrationClient, run_id: string, output: Output): Promise<number> {
  const imports = await importsOfRun(client, run_id);
  printResult(output, { run_id, imports }, importTable(imports));
  return EXIT.allApplied;
}

function runTable(runs: readonly ListedRun[]): string[] {
  const rows = runs.map(
    ({ run_id, status, created_at, reverted_at, counts: { imports, total, succeeded, failed } }) => [
      run_id,
      shortDate(created_at),
      reverted_at === null ? status : 'reverted',
      imports,
      total,
      succeeded,
      failed,
    ],
  );
  return table(['run', 'started (UTC)', 'status', 'imports', 'records', 'succeeded', 'rejected'], rows);
}

function importTable(imports: readonly ImportSummary[]): string[] {
  const rows = imports.map((each) => [
    each.import_id,
    shortDate(each.created_at),
    each.status,
    each.counts.total,
    each.counts.succeeded,
    each.counts.failed,
    shortDate(each.cancelled_at),
    shortDate(each.reverted_at),
  ]);
  const head = ['import', 'started (UTC)', 'status', 'records', 'succeeded', 'rejected', 'cancelled', 'reverted'];
  return table(head, rows);
}
