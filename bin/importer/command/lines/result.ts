import type { Preview } from '../../engine/run/preview.ts';
import { previewJson, previewLines } from './preview.ts';
import type { ImportRun, PassOutcome } from '../../engine/run/import-run.ts';
import { wouldChange } from '../../engine/run/summary.ts';
import { examplesInWords, summaryLines } from './summary.ts';
import { sheetsInWords } from '../advice.ts';
import { leftOutRows, sheetsLeft, skippedOf } from '../../engine/run/survey.ts';
import { joinedLines } from './survey.ts';
import type { Unmatched } from '../../engine/run/unmatched.ts';
import { unmatchedLines } from './unmatched.ts';
import type { writeRejectedRows } from '../files/rejected-file.ts';
import { ownCommand, type unconfirmed } from '../terminal.ts';

/** The options that the same command has again. */
export interface Repeated {
  readonly mapping?: string | undefined;
  readonly set?: readonly string[] | undefined;
}

export interface Shown {
  readonly run_id: string;
  readonly isDryRun: boolean;
  readonly outcome: PassOutcome;
  readonly preview: Preview;
  /** The file, and the address of the service whose keys verify it. */
  readonly evidence?: { readonly file: string; readonly url: string } | undefined;
  /** Why the import of these dry runs was refused. */
  readonly refused?: ReturnType<typeof unconfirmed> | undefined;
}

/** `problem`: why they could not be written; `null` if they were. */
export type RejectedRows = Awaited<ReturnType<typeof writeRejectedRows>> & { readonly problem: string | null };

export const NO_REJECTED_ROWS: RejectedRows = {
  rejected: [],
  sums: { rows: 0, courses: [], learners: [] },
  problem: null,
};

export function resultOf(
  { set, survey }: ImportRun,
  { run_id, isDryRun, outcome, preview, evidence, refused }: Shown,
  { rejected: rejected_files, sums, problem }: RejectedRows,
) {
  const files = set.sources.map(({ file }) => file.path);
  return {
    file: files[0],
    files,
    dry_run: isDryRun,
    run_id,
    ...outcome.summary,
    examples: examplesInWords(outcome.summary.examples),
    ...(isDryRun && { would_change: wouldChange(outcome.summary) }),
    rows: outcome.summary.rows + skippedOf(set, survey),
    skipped: skippedOf(set, survey),
    left_out: survey.leftOut,
    sheets_not_imported: sheetsInWords(sheetsLeft(set)),
    rows_read: survey.rows + survey.skipped + leftOutRows(survey),
    unmatched: sums,
    preview: previewJson(preview),
    dry_runs_sent: outcome.sent,
    dry_runs_resumed: outcome.resumed,
    rejected_file: rejected_files[0] ?? null,
    rejected_files,
    ...(problem !== null && { rejected_files_problem: problem }),
    ...(evidence !== undefined && { evidence_file: evidence.file }),
    imports: isDryRun ? [] : outcome.chunks.flatMap(({ import_id }) => import_id ?? []),
    ...refused,
  };
}

export function resultLines(
  { set, survey }: ImportRun,
  options: Repeated,
  { run_id, isDryRun, outcome, preview, evidence }: Shown,
  rejected: RejectedRows,
): string[] {
  return [
    ...(isDryRun ? previewLines(preview, set.sources[0]?.mapping) : []),
    ...joinedLines(set, survey),
    ...summaryLines(outcome.summary, isDryRun, skippedOf(set, survey)),
    ...sheetsInWords(sheetsLeft(set)).map(({ file, name, reason }) => `Not imported: "${name}" of ${file}: ${reason}`),
    ...unmatchedLines(rejected.sums),
    ...matchingLines(set, rejected.sums, options),
    ...rejected.rejected.flatMap((path) => nextSteps(path, isDryRun ? null : run_id, options)),
    ...(rejected.problem === null ? [] : [`The rejected rows were not written: ${rejected.problem}`]),
    ...(evidence === undefined ? [] : [evidenceLine([evidence.file], evidence.url)]),
    ...(isDryRun ? [] : afterwards(set, run_id, options)),
  ];
}

/** A mapping that was made without a session has ids and titles of courses that nobody has looked up. */
export function matchingLines(
  { sources }: ImportRun['set'],
  { courses }: Pick<Unmatched, 'courses'>,
  { mapping }: Repeated,
): string[] {
  const isUnregistered = courses.some(({ reason }) => reason === 'external_course_id_not_mapped');
  if (!isUnregistered || sources.every((source) => source.mapping?.kinds === undefined)) return [];
  const files = sources.map(({ file }) => file.path);
  const out = mapping === undefined ? [] : ['--out', mapping];
  return [
    'Courses that are not registered may be in the catalog under these titles. To look them up, and keep what is confirmed:',
    `  ${ownCommand('init-mapping', ...files, '--match-courses', ...out)}`,
  ];
}

const optionsOf = ({ mapping, set = [] }: Repeated): string[] => [
  ...(mapping === undefined ? [] : ['--mapping', mapping]),
  ...set.flatMap((each) => ['--set', each]),
];

const afterwards = ({ sources }: ImportRun['set'], run_id: string, options: Repeated): string[] => {
  const files = sources.map(({ file }) => file.path);
  return [
    `Whether all of it is there: ${ownCommand('import', ...files, ...optionsOf(options), '--dry-run')}`,
    `To take all of it back: ${ownCommand('runs', run_id, '--revert')}`,
  ];
};

export const evidenceLine = (files: readonly string[], url: string): string =>
  `The evidence is in ${files.join(', with its results in ')}. Anyone can check it: ${ownCommand('verify-evidence', ...files, '--url', url)}`;

function nextSteps(path: string, run_id: string | null, options: Repeated): string[] {
  if (run_id === null) return [`The rows that would be rejected are in ${path}, with the reasons.`];
  return [
    `The rejected rows are in ${path}, with the reasons. Correct them there, then import them as part of the same run:`,
    `  ${ownCommand('import', path, ...optionsOf(options), '--run', run_id)}`,
  ];
}
