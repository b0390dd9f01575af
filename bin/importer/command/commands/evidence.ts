import { type RunCommand, serviceCommand } from '../command.ts';
import { EXIT } from '../errors.ts';
import { reasonOf, saveEvidence, saveResults } from '../evidence-file.ts';
import { evidenceLine } from '../import-lines.ts';
import { withRun } from '../run-imports.ts';
import { connect } from '../session/session.ts';
import { printResult } from '../terminal.ts';

const declared = () =>
  serviceCommand('evidence', 'have the service sign what it knows of a run, and save that for an auditor', [
    'evidence spring --reason "The old system ends"',
    'evidence spring --reason "The old system ends" --records',
  ])
    .argument('<run>')
    .option('--reason <text>', 'why the migration was made: part of what is signed')
    .option('--records', 'save every result with its record, too: personal data')
    .option('--out <file>', 'file to write to (default: evidence-RUN.json)');

export const command = (run: RunCommand) =>
  declared().action((run_id, options) =>
    run(options, async (context) => {
      const { output } = context;
      const { reason: given, records, out } = options;
      const reason = await reasonOf(given, output.interactive);
      const { client } = await connect(context);
      const evidence_file = await withRun(run_id, async () => {
        await client.waitForRun(run_id);
        return saveEvidence(client, run_id, { reason, out }, output);
      });
      if (evidence_file === undefined) return EXIT.allApplied;
      const records_file = records === true ? await saveResults(client, run_id, evidence_file) : null;
      const files = [evidence_file, ...(records_file === null ? [] : [records_file])];
      printResult(output, { run_id, evidence_file, records_file }, [evidenceLine(files)]);
      return EXIT.allApplied;
    }),
  );
