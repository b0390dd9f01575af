import type { ImportSummary, MigrationClient, Run } from '../../client/index.ts';
import { type OptionsOf, type RunCommand, serviceCommand, wholeNumber } from '../command.ts';
import { EXIT } from '../errors.ts';
import { importsOfRun, shortDate } from '../runs.ts';
import { connect } from '../session/session.ts';
import { type Output, table } from '../terminal.ts';

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
  const shown = runs.slice(0, most);
  if (output.json) output.jsonResult({ runs: shown });
  else if (shown.length === 0) output.result('There are no runs. Every import makes one.');
  else for (const line of runTable(shown)) output.result(line);
  if (runs.length > most) output.note(`There are more: list them with --most ${most * 10}.`);
  return EXIT.allApplied;
}

/** `imports RUN`: the imports of a run, newest first. */
export async function listImports(client: MigrationClient, run_id: string, output: Output): Promise<number> {
  const imports = await importsOfRun(client, run_id);
  if (output.json) output.jsonResult({ run_id, imports });
  else for (const line of importTable(imports)) output.result(line);
  return EXIT.allApplied;
}

function runTable(runs: readonly Run[]): string[] {
  const rows = runs.map(({ run_id, status, created_at, counts: { imports, total, succeeded, failed } }) => [
    run_id,
    shortDate(created_at),
    status,
    imports,
    total,
    succeeded,
    failed,
  ]);
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
