/** The results of an import, as JSON and as text. */
import type { Preview } from '../importer/mapping/preview.ts';
import { previewLines } from '../importer/mapping/preview-lines.ts';
import type { ImportRun, PassOutcome } from '../importer/run/import-run.ts';
import { summaryLines } from '../importer/run/summary.ts';
import { ownCommand } from './terminal.ts';

/** The options that the next command line repeats. */
interface Repeated {
  readonly mapping?: string | undefined;
  readonly set?: readonly string[] | undefined;
}

export interface Shown {
  /** `null` for a dry run. */
  readonly run_id: string | null;
  readonly outcome: PassOutcome;
  /** `null` if there was no dry run. */
  readonly preview: Preview | null;
}

/** The files of rejected rows. */
export interface RejectedRows {
  readonly files: readonly string[];
  /** Why they could not be written; `null` if they were. */
  readonly problem: string | null;
}

/** The result as JSON. */
export function resultOf(
  { set, survey }: ImportRun,
  { run_id, outcome, preview }: Shown,
  { files: rejected_files, problem }: RejectedRows,
) {
  const files = set.sources.map(({ file }) => file.path);
  return {
    file: files[0],
    files,
    dry_run: run_id === null,
    run_id,
    ...outcome.summary,
    skipped: survey.skipped + survey.withoutProgress,
    preview,
    imports_sent: outcome.sent,
    imports_resumed: outcome.resumed,
    rejected_file: rejected_files[0] ?? null,
    rejected_files,
    ...(problem !== null && { rejected_files_problem: problem }),
    imports: outcome.chunks.flatMap(({ import_id }) => import_id ?? []),
  };
}

export function resultLines(
  { set }: ImportRun,
  options: Repeated,
  { run_id, outcome, preview }: Shown,
  rejected: RejectedRows,
): string[] {
  return [
    ...(run_id === null && preview !== null ? previewLines(preview, set.sources[0]?.mapping) : []),
    ...summaryLines(outcome.summary, run_id === null),
    ...rejected.files.flatMap((path) => nextSteps(path, run_id, options)),
    ...(rejected.problem === null ? [] : [`The rejected rows were not written: ${rejected.problem}`]),
    ...(run_id === null ? [] : [`To take all of it back: ${ownCommand('revert', run_id)}`]),
  ];
}

function nextSteps(path: string, run_id: string | null, { mapping, set = [] }: Repeated): string[] {
  if (run_id === null) return [`The rows that would be rejected are in ${path}, with the reasons.`];
  const more = [...(mapping === undefined ? [] : ['--mapping', mapping]), ...set.flatMap((each) => ['--set', each])];
  return [
    `The rejected rows are in ${path}, with the reasons. Correct them there, then import them as part of the same run:`,
    `  ${ownCommand('import', path, ...more, '--run', run_id)}`,
  ];
}
