/** The archive of a run at the terminal (§4.12): what it keeps, and why. */
import { ARCHIVE_PAGE, countCauses } from '../client/archive.ts';
import type { ArchivedRecord, MigrationClient } from '../client/index.ts';
import { countLine, grouped } from '../engine/ground/text.ts';
import { EXIT } from './errors.ts';
import { ofRun } from './plans.ts';
import { type Output, ownCommand, printResult, shortDate, table } from './terminal.ts';

/** More are in the JSON. */
const MOST_SHOWN = 50;

/** `runs RUN --archive`: how many records it keeps by cause, and the first of them. With `--json` all, as they were sent. */
export async function showArchive(client: MigrationClient, run_id: string, output: Output): Promise<number> {
  await ofRun(run_id, client.getRun(run_id));
  const [causes, archived] = [new Map<string, number>(), [] as ArchivedRecord[]];
  let total = 0;
  for await (const each of client.archive({
    run_id,
    limit: ARCHIVE_PAGE,
    ...(output.json && { include: 'record' as const }),
  })) {
    total += 1;
    countCauses(causes, each.errors);
    if (output.json || archived.length < MOST_SHOWN) archived.push(each);
  }
  const by_cause = Object.fromEntries(causes);
  printResult(output, { run_id, total, by_cause, archived }, [
    keptLine(run_id, total),
    ...[...causes].map(([code, count]) => countLine(count, code)),
    ...(total === 0 ? [] : archiveTable(archived)),
    ...(total === 0 ? [] : [`To import what the platform knows by now: ${ownCommand('runs', run_id, '--retry')}`]),
    ...(total > archived.length ? [`These are the first ${MOST_SHOWN}. All are shown with --json.`] : []),
  ]);
  return EXIT.allApplied;
}

export const keptLine = (run_id: string, records: number): string =>
  `Run ${run_id} keeps ${grouped(records)} ${records === 1 ? 'record' : 'records'} in the archive.`;

const archiveTable = (archived: readonly ArchivedRecord[]): string[] =>
  table(
    ['record', 'archived (UTC)', 'cause'],
    archived.map((each) => [
      each.external_record_id ?? '',
      shortDate(each.archived_at),
      each.errors.map(({ message }) => message).join(' '),
    ]),
  );
