import { existsSync, readFileSync } from 'node:fs';
import { type MigrationClient, ServiceError } from '../../client/index.ts';
import { sha256Hex } from '../../engine/ground/digest.ts';
import { evidenceName, makeEvidence, resultLinesOf, secondCheck, statementOf } from '../../engine/evidence/make.ts';
import { inWords } from '../advice.ts';
import { jsonFile } from '../../engine/ground/text.ts';
import type { RecordSource } from '../../engine/apply/record-source.ts';
import type { ImportRun, PassOutcome } from '../../engine/run/import-run.ts';
import { MAX_REASON_LENGTH } from '../../wire/values.ts';
import { DraftFile, freeName, OUT_ADVICE, PRIVATE_MODE, writeWhole } from '../files/whole-file.ts';
import { askText, type Output, printResult } from '../terminal.ts';
import { type RunCommand, serviceCommand } from '../command.ts';
import { EXIT, isUsage, UsageError } from '../errors.ts';
import { evidenceLine } from '../lines/result.ts';
import { ofRun } from '../plans.ts';
import { connect } from '../session/session.ts';

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
      const { client, login } = await connect(context);
      await ofRun(run_id, client.waitForRun(run_id));
      const evidence_file = await saveEvidence(client, run_id, { reason, out }, output);
      if (evidence_file === undefined) return EXIT.allApplied;
      const records_file = records === true ? await saveResults(client, run_id, evidence_file) : null;
      const files = [evidence_file, ...(records_file === null ? [] : [records_file])];
      printResult(output, { run_id, evidence_file, records_file }, [evidenceLine(files, login.base_url)]);
      return EXIT.allApplied;
    }),
  );

/** @param given the reason, or `true` to ask for it. @throws UsageError */
export async function reasonOf(given: string | true | undefined, canAsk: boolean): Promise<string> {
  if (typeof given !== 'string' && !canAsk)
    throw new UsageError('Say why this migration was made: it is part of what is signed, like "the old system ends".');
  const reason = typeof given === 'string' ? given.trim() : await askText('Why was this migration made? It is signed');
  const { length } = Array.from(reason);
  if (length >= 1 && length <= MAX_REASON_LENGTH) return reason;
  throw new UsageError(`The reason has ${length} characters. It must have 1 to ${MAX_REASON_LENGTH}.`);
}

interface Asked {
  readonly reason: string;
  readonly statement?: Record<string, unknown>;
  readonly out?: string | undefined;
}

/** @returns the path of the file; `undefined` where the stack signs no evidence, which is said */
export async function saveEvidence(
  client: MigrationClient,
  run_id: string,
  { out, ...asked }: Asked,
  output: Output,
): Promise<string | undefined> {
  const made = await makeEvidence(client, run_id, asked);
  if (made === undefined) {
    output.note('This service signs no evidence: its setting "evidence" is off.');
    return undefined;
  }
  // Evidence is never overwritten: another has another time and reason.
  const path = out ?? (await freeName(`${evidenceName(run_id)}.json`, existsSync));
  writeWhole(path, jsonFile(made), OUT_ADVICE);
  return path;
}

/** Saves every result with its record: personal data, for the user alone. @returns the path */
export async function saveResults(client: MigrationClient, run_id: string, evidencePath: string): Promise<string> {
  const path = `${evidencePath.replace(/\.json$/, '')}.records.jsonl`;
  const draft = new DraftFile(path, OUT_ADVICE, PRIVATE_MODE);
  try {
    for await (const line of resultLinesOf(client, run_id)) draft.add(line);
    draft.commit();
  } finally {
    draft.discard();
  }
  return path;
}

/** After an import: a second dry run says what is missing, and the service signs. What fails is a note only. */
export async function signImport(
  run: ImportRun,
  client: MigrationClient,
  { run_id, outcome, reason }: { readonly run_id: string; readonly outcome: PassOutcome; readonly reason: string },
  output: Output,
): Promise<string | undefined> {
  try {
    const check = await secondCheck(run, { newId: () => crypto.randomUUID(), now: Date.now });
    output.note(`A second dry run: ${check.would_change} of ${check.of} would change.`);
    const statement = statementOf(run, outcome.summary, mappingHash, check);
    return await saveEvidence(client, run_id, { reason, statement }, output);
  } catch (error) {
    if (!(error instanceof ServiceError) && !isUsage(error)) throw error;
    output.note(`No evidence was saved: ${inWords(error)}`);
    return undefined;
  }
}

/** Of the file as it is on the disk, so that `sha256sum` prints the same. */
const mappingHash = ({ mappingPath }: RecordSource): string | undefined =>
  mappingPath === undefined ? undefined : sha256Hex(readFileSync(mappingPath, 'utf8'));
