import type { MigrationClient, Run } from '../../client/index.ts';
import { type RunCommand, serviceCommand } from '../command.ts';
import { EXIT } from '../errors.ts';
import { grouped } from '../../engine/text.ts';
import { withRun } from '../runs.ts';
import { connect } from '../session/session.ts';
import { type Output, ownCommand, printResult } from '../terminal.ts';

export const command = (run: RunCommand) =>
  serviceCommand('cancel', 'stop a run: applied records stay, the rest is rejected', ['cancel spring'])
    .argument('<run>')
    .action((run_id, options) =>
      run(options, async (context) => cancelRun((await connect(context)).client, run_id, context.output)),
    );

/**
 * `cancel RUN`: no import of the run starts another chunk, and the command waits until all have ended. It is safe to repeat:
 * after an interruption the same command resumes.
 */
export async function cancelRun(client: MigrationClient, run_id: string, output: Output): Promise<number> {
  const found = await withRun(run_id, () => client.cancelRun(run_id));
  if (found.status === 'processing')
    output.note(`Run ${run_id} is cancelled; batches that are being processed still end.`);
  else output.note(`Run ${run_id} had ended already, so nothing was cancelled.`);
  const ended = found.status === 'processing' ? await client.waitForRun(run_id) : found;
  printResult(output, ended, resultLines(ended));
  return EXIT.allApplied;
}

function resultLines({ run_id, counts: { imports, total, succeeded, failed } }: Run): string[] {
  return [
    `Run ${run_id}: ${grouped(total)} records in ${grouped(imports)} ${imports === 1 ? 'import' : 'imports'}`,
    `  ${grouped(succeeded).padStart(9)}  succeeded; they stay`,
    `  ${grouped(failed).padStart(9)}  rejected or cancelled`,
    `To take back what succeeded: ${ownCommand('revert', run_id)}`,
  ];
}
