import { configFolder } from '../config-folder.ts';
import type { Connection } from '../connect.ts';
import { EXIT } from '../faults.ts';
import type { Output } from '../output.ts';
import type { Reading } from './reading.ts';
import { RejectedFile } from './rejected-file.ts';
import { rejectedLines } from './rejected-rows.ts';
import { rejectionsFrom } from './rejections.ts';
import type { RunOutcome } from './run-chunks.ts';
import { summaryLines } from './summary.ts';

export interface Telling {
  readonly outcome: RunOutcome;
  readonly dry_run: boolean;
  readonly reading: Reading;
  readonly connection: Connection;
  readonly output: Output;
  /** Path for the rejected rows; `rejected.csv` or the like where absent. */
  readonly rejected: string | undefined;
}

/** Shows the summary, writes the rejected rows, and answers the exit code. */
export async function tellOutcome({
  outcome,
  dry_run,
  reading,
  connection,
  output,
  rejected,
}: Telling): Promise<number> {
  const { tally, chunks, sent, resumed } = outcome;
  const failing = new Map(
    chunks.flatMap((chunk, index) => (chunk.rejected > 0 ? [[index, chunk.import_id] as const] : [])),
  );
  const rejected_file = failing.size === 0 ? null : await writeRejected();
  if (output.json) {
    const imports = chunks.map(({ import_id }) => import_id);
    output.jsonResult({
      file: reading.source.path,
      dry_run,
      ...tally,
      imports_sent: sent,
      imports_resumed: resumed,
      rejected_file,
      imports,
    });
  } else {
    for (const line of summaryLines(tally, dry_run)) output.result(line);
    if (rejected_file !== null) for (const line of whatNext(rejected_file)) output.result(line);
  }
  return tally.rejected === 0 ? EXIT.allApplied : EXIT.someRejected;

  async function writeRejected(): Promise<string> {
    const lines = rejectedLines(
      reading,
      rejectionsFrom(connection.client, (chunk) => failing.get(chunk)),
    );
    const name = reading.source.format === 'csv' ? 'rejected.csv' : 'rejected.ndjson';
    return new RejectedFile(configFolder()).write(lines, { asked: rejected, name, input: reading.source.path });
  }

  function whatNext(path: string): string[] {
    if (dry_run) return [`The rows that would be rejected are in ${path}, with the reasons.`];
    const mapping = reading.mappingPath === undefined ? '' : ` --mapping ${reading.mappingPath}`;
    return [
      `The rejected rows are in ${path}, with the reasons. Mend them there, then run:`,
      `  npx course-progress-migration import ${path}${mapping}`,
    ];
  }
}
