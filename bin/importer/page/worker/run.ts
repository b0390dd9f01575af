/** The dry run, the import, and their rejected rows. */
import { UsageError } from '../../engine/errors.ts';
import { type Preview, PreviewBuilder } from '../../engine/mapping/preview.ts';
import {
  dryRun,
  failingChunks,
  type ImportRun,
  type PassOutcome,
  previewOf,
  runIdOf,
  runPass,
} from '../../engine/run/import-run.ts';
import { Journal } from '../../engine/run/journal.ts';
import { journalName } from '../../engine/run/keys.ts';
import type { Derivation } from '../../engine/records/derived-name.ts';
import { type RejectedRow, rejectedLines, rejectedRowsOf, rejectionsFrom } from '../../engine/run/rejected-rows.ts';
import type { Summary } from '../../engine/run/summary.ts';
import { leftOutRows, surveyLines, surveyOf } from '../../engine/run/survey.ts';
import { type Unmatched, UnmatchedTally } from '../../engine/run/unmatched.ts';
import { baseUrl, service, signedIn } from './account.ts';
import { work, recordSet } from './files.ts';
import { Gate } from './gate.ts';
import { metered } from './meters.ts';
import { journalStore, saveMigration } from './saved.ts';

/** Imports sent at a time: the command's default. */
const PARALLEL = 4;
const ATTEMPT = 1;
/** Rejected rows that the page shows; the download has all. */
const MOST_REJECTED = 100_000;

export interface ShownRejection {
  /** Position of the file. */
  readonly file: number;
  readonly line: number;
  /** The texts of the row, or its JSON. */
  readonly cells: readonly string[];
  readonly codes: readonly string[];
  readonly messages: readonly string[];
}

export interface Report {
  readonly run_id: string | null;
  readonly summary: Summary;
  /** Rows that the mapping skips, and records without progress that it skips. */
  readonly skipped: number;
  readonly survey: { readonly records: number };
  /** Absent for an import that was resumed: the preview knows only what this tab has sent. */
  readonly preview: Preview | undefined;
  /** Records by the year of their completion, else of their last activity. */
  readonly years: Readonly<Record<string, number>>;
  /** What was read of the files, in sentences. */
  readonly read: readonly string[];
  /** Rejected rows of courses and learners that the platform does not have. */
  readonly unmatched: Unmatched;
  /** The rejected rows, the first of a very long list. */
  readonly rejected: readonly ShownRejection[];
}

/** Counts the years of the dates as well. */
class YearPreview extends PreviewBuilder {
  readonly years: Record<string, number> = {};

  override addResults(results: Parameters<PreviewBuilder['addResults']>[0]): void {
    super.addResults(results);
    for (const { progress } of results.records) {
      const year = (progress?.completed_at ?? progress?.last_activity_at)?.slice(0, 4);
      if (year !== undefined) this.years[year] = (this.years[year] ?? 0) + 1;
    }
  }
}

interface Prepared {
  readonly run: ImportRun & { readonly preview: YearPreview };
  readonly read: readonly string[];
}

let prepared: Prepared | undefined;
let running: string | undefined;
let last: PassOutcome | undefined;
const gate = new Gate();

/** Reads the whole files. @throws UsageError */
async function prepare(): Promise<Prepared> {
  const set = await recordSet();
  const preview = new YearPreview(Date.now());
  const survey = await metered(['read'], (onProgress) =>
    surveyOf(set, { onRecord: (record, line) => preview.addRecord(record, line), onProgress }),
  );
  const { company_id } = signedIn();
  const login = { base_url: baseUrl, company_id };
  const [first] = set.sources;
  const journal = await Journal.open(journalStore(journalName(set.sources, login, ATTEMPT)), {
    file: first?.file.path ?? '',
    mapping: null,
    options: {},
    ...login,
  });
  const run = { service: gate.service(service()), company_id, set, survey, preview, journal, parallel: PARALLEL };
  return { run, read: surveyLines(set, survey) };
}

function save(isImporting: boolean): Promise<void> {
  const { sources, mapping, corrections } = work;
  return saveMigration(sources, { mapping, corrections, isImporting });
}

/** Replaces a row of a file; the next check reads it. */
export function correctRow(file: number, line: number, cells: readonly string[]): void {
  work.corrections[file] = { ...work.corrections[file], [line]: cells };
  prepared = undefined;
}

/** The dry run: what an import would write. */
export async function check(): Promise<Report> {
  prepared = undefined;
  gate.open();
  const ready = await prepare();
  await save(false);
  const outcome = await metered(['process'], (onProgress) =>
    dryRun(ready.run, { newId: () => crypto.randomUUID(), now: Date.now }, onProgress),
  );
  prepared = ready;
  return reportOf(ready, outcome, null);
}

/**
 * The import. One that was interrupted is resumed: batches that the service has accepted are not sent again.
 *
 * @throws TakenBack if the run was cancelled or reverted meanwhile
 */
export async function startImport(): Promise<Report> {
  gate.open();
  const ready = prepared ?? (await prepare());
  const { run } = ready;
  const attempt = String(ATTEMPT);
  const isResumed = run.journal.accepted(attempt).size > 0;
  const run_id = runIdOf(run, ATTEMPT, undefined);
  await save(true);
  await run.journal.begin(attempt, run_id);
  prepared = undefined;
  running = run_id;
  const outcome = await metered(['upload', 'process'], (onProgress) =>
    runPass(run, { dry_run: false, attempt, run_id }, onProgress),
  );
  await save(false);
  const report = await reportOf(ready, outcome, run_id);
  return isResumed ? { ...report, preview: undefined } : report;
}

/** No further batch is sent until `unpause`; what was sent is processed. */
export const pause = (): void => gate.close();
export const unpause = (): void => gate.open();

/** Sends nothing more, and cancels what was sent: the import then ends with `TakenBack`. @throws ServiceError */
export async function cancelImport(): Promise<void> {
  if (running === undefined) return;
  gate.cancel();
  await service().cancelRun(running);
}

async function reportOf(ready: Prepared, outcome: PassOutcome, run_id: string | null): Promise<Report> {
  const { run, read } = ready;
  last = outcome;
  return {
    run_id,
    summary: outcome.summary,
    skipped: run.survey.skipped + leftOutRows(run.survey),
    survey: { records: run.survey.records },
    preview: previewOf(run),
    years: run.preview.years,
    read,
    ...(await readRejections(run, outcome)),
  };
}

async function readRejections({ set }: ImportRun, { chunks }: PassOutcome) {
  const failing = failingChunks(chunks);
  const rejected: ShownRejection[] = [];
  const sums = new UnmatchedTally();
  const rejectionsOfChunk = rejectionsFrom(service(), failing);
  for (const [file, source] of failing.size === 0 ? [] : set.sources.entries())
    for await (const each of rejectedRowsOf(source, set, rejectionsOfChunk, (entry, errors) => sums.add(entry, errors)))
      if (rejected.length < MOST_REJECTED) rejected.push(shownRejection(each, file));
  return { rejected, unmatched: sums.unmatched() };
}

function shownRejection({ row, rejection }: RejectedRow, file: number): ShownRejection {
  return {
    file,
    line: row.line,
    cells: row.cells ?? [JSON.stringify(row.value)],
    codes: [...new Set(rejection.errors.map(({ error_code }) => error_code))],
    messages: rejection.errors.map(({ message }) => message),
  };
}

/**
 * The rejected rows of a file as the command writes them; `unmatched`: those whose course or learner the platform does not have.
 *
 * @param isSafe no cell may be a formula
 */
export async function rejectedFile(file: number, kind: Derivation, isSafe: boolean): Promise<string> {
  const set = await recordSet();
  const source = set.sources[file];
  if (last === undefined || source === undefined) throw new UsageError('There are no rejected rows.');
  const lines: string[] = [];
  const rejectionsOf = rejectionsFrom(service(), failingChunks(last.chunks));
  let header = '';
  for await (const line of rejectedLines(source, set, rejectionsOf, { isSafe })) {
    if (line.kind === 'header') header = line.text;
    else if (kind === 'rejected' || line.kind === kind) lines.push(line.text);
  }
  return lines.length === 0 ? '' : header + lines.join('');
}
