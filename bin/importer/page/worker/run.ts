import { sha256Hex } from '../../engine/ground/digest.ts';
import { secondCheck, statementOf } from '../../engine/evidence/make.ts';
import { refuseUndecided } from '../../engine/decide/confirm.ts';
import {
  dryRun,
  failingChunks,
  type ImportRun,
  type PassOutcome,
  openAttempt,
  previewOf,
  runPass,
  TakenBack,
} from '../../engine/run/import-run.ts';
import type { RecordSet } from '../../engine/apply/record-set.ts';
import { Journal } from '../../engine/run/journal.ts';
import { journalName } from '../../engine/run/keys.ts';
import { sentenceOf } from '../texts/index.ts';
import { rejectedLines, rejectedRowsOf, rejectionsFrom } from '../../engine/run/rejected-rows.ts';
import type { ImportService } from '../../engine/run/send.ts';
import type { Summary } from '../../engine/run/summary.ts';
import { joinedRows, leftOutRows, surveyOf } from '../../engine/run/survey.ts';
import { jsonFile } from '../../engine/ground/text.ts';
import { baseUrl, service, signedIn } from './account.ts';
import { Causes } from './causes.ts';
import { ChangesBuilder } from './changes.ts';
import { closeDraft, draftOf, flushDraft } from './draft.ts';
import { work, recordSet } from './files.ts';
import { metered, Problem, report } from './protocol.ts';
import { keepDecisions } from './review.ts';
import { forget, journalStore, saveMigration } from './saved.ts';

/** Imports sent at a time: the command's default. */
const PARALLEL = 4;
/** Rejected rows that the page shows; the download has all. */
const MOST_REJECTED = 100_000;

export type Report = Awaited<ReturnType<typeof reportOf>>;
export type Stopped = Exclude<Awaited<ReturnType<typeof startImport>>, Report>;
type Prepared = Awaited<ReturnType<typeof prepare>>;

let prepared: Prepared | undefined;
let running: string | undefined;
let last: { readonly set: RecordSet; readonly outcome: PassOutcome } | undefined;
let finished: { readonly run_id: string; readonly run: ImportRun; readonly summary: Summary } | undefined;
let causes = new Causes();
/** The person has cancelled: no further import is sent. */
let isCancelled = false;

const newId = (): string => crypto.randomUUID();

function cancellable(): ImportService {
  const client = service();
  return {
    startImport: async (body, key) => {
      if (isCancelled) throw new TakenBack('run_cancelled', running ?? '');
      return client.startImport(body, key);
    },
    getImport: client.getImport,
    waitForImport: client.waitForImport,
  };
}

async function prepare() {
  const set = await recordSet();
  for (const { mapping, file } of set.sources) refuseUndecided(mapping, file.path);
  const preview = new ChangesBuilder(Date.now());
  const survey = await metered(['read'], (onProgress) => surveyOf(set, { preview, onProgress }));
  const { company_id } = signedIn();
  const journal = await Journal.read(journalStore(journalOf(set)));
  return { service: cancellable(), company_id, set, survey, preview, journal, parallel: PARALLEL };
}

const journalOf = ({ sources }: RecordSet): string =>
  journalName(sources, { base_url: baseUrl, company_id: signedIn().company_id });

function save(isImporting: boolean): Promise<void> {
  const { sources, mapping, corrections } = work;
  return saveMigration(sources, { names: sources.map(({ path }) => path), mapping, corrections, isImporting });
}

/** Replaces the wrong cell in all rows of a cause; the next check reads them. @param text replaces that of the cell */
export function correctCause(position: number, text: string): void {
  const cause = causes.list[position];
  if (cause === undefined) return;
  for (const { file, line, cause: own } of causes.rows) {
    if (own !== position) continue;
    const corrected = work.corrections[file];
    work.corrections[file] = { ...corrected, [line]: { ...corrected?.[line], [cause.index]: text } };
  }
  keepDecisions();
  prepared = undefined;
}

export async function check(): Promise<Report> {
  prepared = undefined;
  isCancelled = false;
  const ready = await prepare();
  await save(false);
  const outcome = await metered(['process'], (onProgress) => dryRun(ready, { newId, now: Date.now }, onProgress));
  prepared = ready;
  return reportOf(ready, outcome, null);
}

/** The import. One that has not ended is resumed: batches that the service has accepted are not sent again. */
export async function startImport() {
  isCancelled = false;
  await save(true); // Before the first request: a tab that ends in it resumes.
  const run = prepared ?? (await prepare());
  prepared = undefined;
  const { journal } = run;
  keepDecisions();
  await flushDraft();
  const { attempt, run_id } = await openAttempt(run, newId, journal.open?.run_id ?? draftOf(work.sources));
  const isResumed = journal.accepted(attempt).size > 0;
  const total = run.survey.records;
  report({ meters: { total } });
  running = run_id;
  try {
    const outcome = await metered(['upload', 'process'], (onProgress) =>
      runPass(run, { dry_run: false, attempt, run_id }, onProgress),
    );
    const report = await reportOf(run, outcome, run_id, isResumed);
    finished = { run_id, run, summary: outcome.summary };
    await ended(run);
    await closeDraft();
    return report;
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
    const { counts } = await service().waitForRun(run_id);
    await journal.end(attempt);
    await save(false);
    return { run_id, written: counts.succeeded, total };
  }
}

/** What this tab knows of a run that it has imported, with a second dry run; `undefined` of any other. */
export async function statementOfRun(run_id: string): Promise<Record<string, unknown> | undefined> {
  if (finished?.run_id !== run_id) return undefined;
  const { run, summary } = finished;
  const check = await secondCheck(run, { newId, now: Date.now });
  return statementOf(run, summary, ({ mapping }) => mapping && sha256Hex(jsonFile(mapping)), check);
}

/** Nothing of the rows stays in the browser. */
const ended = ({ set }: ImportRun): Promise<void> => forget(work.sources, journalOf(set));

/** Sends nothing more, and cancels what was sent: the import then ends as `Stopped`. @throws ServiceError */
export async function cancelImport(): Promise<void> {
  if (running === undefined) return;
  isCancelled = true;
  await service().cancelRun(running);
}

async function reportOf(run: Prepared, outcome: PassOutcome, run_id: string | null, isResumed = false) {
  const { survey, set, preview } = run;
  last = { set, outcome };
  await readRejections(run, outcome);
  return {
    run_id,
    summary: outcome.summary,
    skipped: survey.skipped + leftOutRows(survey),
    joined: joinedRows(set, survey),
    survey: { records: survey.records },
    // It knows only what this tab has sent.
    preview: isResumed ? undefined : previewOf(run),
    changes: preview.changes(),
    causes: causes.list,
    /** The first of a very long list. */
    rejected: causes.rows,
  };
}

async function readRejections({ set }: ImportRun, { chunks }: PassOutcome): Promise<void> {
  const failing = failingChunks(chunks);
  causes = new Causes();
  const rejectionsOfChunk = rejectionsFrom(service(), failing);
  for (const [file, source] of failing.size === 0 ? [] : set.sources.entries()) {
    const place = { file, columns: source.file.columns, mapping: source.mapping };
    for await (const each of rejectedRowsOf(source, set, rejectionsOfChunk))
      causes.add(each, place, causes.rows.length < MOST_REJECTED);
  }
}

/** The rejected rows of a file as the command writes them. @param isSafe no cell may be a formula */
export async function rejectedFile(file: number, isSafe: boolean): Promise<string> {
  const { set, outcome } = last ?? {};
  const source = set?.sources[file];
  if (source === undefined || set === undefined || outcome === undefined) throw new Problem('no_rejected_rows');
  const lines: string[] = [];
  const rejectionsOf = rejectionsFrom(service(), failingChunks(outcome.chunks));
  for await (const line of rejectedLines(source, set, rejectionsOf, { say: sentenceOf, isSafe })) lines.push(line);
  return lines.join('');
}
