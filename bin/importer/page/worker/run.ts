/** The check of the open files, which is a dry run; its plan, and what the platform makes of it. */
import { sha256Hex } from '../../engine/ground/digest.ts';
import { secondCheck, statementOf } from '../../engine/evidence/make.ts';
import { refuseUndecided } from '../../engine/decide/confirm.ts';
import {
  type DryRuns,
  failingChunks,
  type ImportRun,
  NO_JOURNAL,
  type PassOutcome,
  previewOf,
  sendDryRuns,
} from '../../engine/run/import-run.ts';
import type { RecordSet } from '../../engine/apply/record-set.ts';
import type { RecordSource } from '../../engine/apply/record-source.ts';
import { applyPlan, planOf, resultsOf, TakenBack } from '../../engine/run/plan-run.ts';
import { type AddedWords, rejectedLines, rejectedRowsOf, rejectionsFrom } from '../../engine/run/rejected-rows.ts';
import type { Summary } from '../../engine/run/summary.ts';
import { joinedRows, leftOutRows, surveyOf } from '../../engine/run/survey.ts';
import { jsonFile } from '../../engine/ground/text.ts';
import { whatOf } from '../parts/cause-groups.ts';
import { reasonOf } from '../parts/record-words.ts';
import { sentenceOf, TEXT } from '../texts/index.ts';
import { service, signedIn } from './account.ts';
import { type Cause, Causes, type Place } from './causes.ts';
import { ChangesBuilder } from './changes.ts';
import { closeDraft, draftOf, flushDraft, isKept } from './draft.ts';
import { recordSet, work } from './files.ts';
import { canMatch } from './matches.ts';
import { metered, Problem, report } from './protocol.ts';
import { otherRepeats } from './repeats.ts';
import { decidedMapping, keepDecisions } from './review.ts';

/** Imports sent at a time: the command's default. */
const PARALLEL = 4;
/** Rejected rows that the page shows; the download has all. */
const MOST_REJECTED = 100_000;

export type Report = Awaited<ReturnType<typeof reportOf>>;
/** An import that was cancelled, with the records that were written before. */
export interface Stopped {
  readonly run_id: string;
  readonly written: number;
  readonly total: number;
}

export type Started = { readonly done: Report } | { readonly asked: string } | { readonly stopped: Stopped };
type Prepared = Awaited<ReturnType<typeof prepare>>;

let checked: { readonly run: Prepared; readonly dryRuns: DryRuns } | undefined;
let last: { readonly set: RecordSet; readonly outcome: PassOutcome } | undefined;
let finished: { readonly run_id: string; readonly run: ImportRun; readonly summary: Summary } | undefined;
let causes = new Causes();

const now = Date.now;
const newId = (): string => crypto.randomUUID();

async function prepare() {
  const set = await recordSet(await decidedMapping());
  for (const { mapping, file } of set.sources) refuseUndecided(mapping, file.path);
  const preview = new ChangesBuilder(now());
  const survey = await metered(['read'], (onProgress) => surveyOf(set, { preview, onProgress }));
  const { company_id } = signedIn();
  // A check is made again, and what the platform applies goes on without this tab.
  return { service: service(), company_id, set, survey, preview, journal: NO_JOURNAL, parallel: PARALLEL };
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
}

const isOfPerson = (cause: Cause): boolean => ['unknown', 'inactive'].includes(whatOf(cause));

/** The dry runs of the files with all that is decided by now. */
export async function check(): Promise<Report> {
  checked = undefined;
  const run = await prepare();
  // The plan applies each dry run as it was asked for.
  const asking = { newId, now, asked: draftOf(work.sources), archive: work.keepsArchive };
  const startMs = performance.now();
  const dryRuns = await metered(['process'], (onProgress) => sendDryRuns(run, asking, onProgress));
  checked = { run, dryRuns };
  const checkedReport = await reportOf(run, dryRuns, null, performance.now() - startMs);
  work.unknown = [...new Set(causes.list.filter(isOfPerson).map(({ value }) => value))];
  // A draft says on the home who is left to be matched.
  if (isKept()) keepDecisions();
  return checkedReport;
}

/**
 * Closes the check in a plan, which the platform applies by itself. `asked`: of this run, once a second administrator has approved it.
 *
 * @param needsSecond the setting of the platform
 */
export async function startImport(needsSecond: boolean): Promise<Started> {
  if (checked === undefined) throw new Problem('needs_file');
  const { run, dryRuns } = checked;
  keepDecisions(true);
  await flushDraft();
  const plan = await planOf(service(), dryRuns);
  const { run_id } = plan;
  if (needsSecond && plan.status !== 'approved') return { asked: run_id };
  try {
    // From then on the platform needs no tab.
    const onBegun = (): void => report({ meters: { total: plan.counts.total } });
    const applied = await metered(['process'], (onProgress) => applyPlan(service(), plan, onProgress, onBegun));
    const outcome = await resultsOf({ service: service(), parallel: PARALLEL }, dryRuns, applied);
    const done = await reportOf(run, outcome, run_id);
    finished = { run_id, run, summary: outcome.summary };
    await closeDraft();
    return { done };
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
    const { counts } = await service().getRun(run_id);
    return { stopped: { run_id, written: counts.succeeded, total: plan.counts.total } };
  }
}

/** Whether the plan of a run that was asked for is approved by now, by whom, or is no longer. */
export const askedPlan = async (run_id: string): Promise<'waiting' | 'approved' | 'closed'> => {
  const { status } = await service().getPlan(run_id);
  return status === 'waiting' || status === 'approved' ? status : 'closed';
};

/** What this tab knows of a run that it has imported, with a second dry run; `undefined` of any other. */
export async function statementOfRun(run_id: string): Promise<Record<string, unknown> | undefined> {
  if (finished?.run_id !== run_id) return undefined;
  const { run, summary } = finished;
  const check = await secondCheck(run, { newId, now });
  return statementOf(run, summary, ({ mapping }) => mapping && sha256Hex(jsonFile(mapping)), check);
}

/** The import then ends as `stopped`, once what was begun is processed. @throws ServiceError */
export async function cancelImport(): Promise<void> {
  if (checked !== undefined) await service().cancelRun(checked.dryRuns.run_id);
}

/** @param sentMs how long it took to send */
async function reportOf(run: Prepared, outcome: PassOutcome, run_id: string | null, sentMs = 0) {
  const { survey, set, preview } = run;
  const { summary } = outcome;
  last = { set, outcome };
  await readRejections(run, outcome);
  const left_out = survey.skipped + leftOutRows(survey);
  const sorted = {
    unchanged: await unchangedRows(run, summary, run_id),
    repeated: causes.repeated,
    left_out,
    archived: work.keepsArchive ? causes.archivable : 0,
    failed: causes.list.reduce((sum, { rows }) => sum + rows, 0),
  };
  const rows = summary.rows + left_out + joinedRows(set, survey);
  const written = rows - Object.values(sorted).reduce((sum, count) => sum + count, 0);
  return {
    run_id,
    summary,
    sentMs,
    /** Each row of the files once, by where it is; all rows. */
    sorted: { written, ...sorted },
    rows,
    archivable: causes.archivable,
    canMatch: canMatch(work.mapping),
    preview: previewOf(run),
    changes: preview.changes(),
    causes: causes.list,
    /** The first of a very long list. */
    rejected: causes.rows,
  };
}

/** Where no rows were joined, a record is a row. */
async function unchangedRows({ preview, set }: Prepared, summary: Summary, run_id: string | null): Promise<number> {
  if (run_id === null) return preview.unchangedRows;
  if (!set.isGrouped || summary.unchanged === 0) return summary.unchanged;
  let rows = 0;
  for await (const each of service().runRecords(run_id, { status: 'success' }))
    if (each.outcome === 'unchanged') rows += preview.rowsOf(each);
  return rows;
}

async function readRejections({ set, survey }: ImportRun, { chunks }: PassOutcome): Promise<void> {
  const failing = failingChunks(chunks);
  causes = new Causes(work.keepsArchive, survey.repeats === 0 ? undefined : await otherRepeats(set));
  const rejectionsOfChunk = rejectionsFrom(service(), failing);
  for (const [file, source] of failing.size === 0 ? [] : set.sources.entries()) {
    const place = placeOf(source, file);
    for await (const each of rejectedRowsOf(source, set, rejectionsOfChunk))
      causes.add(each, place, causes.rows.length < MOST_REJECTED);
  }
}

/**
 * The rows of a file that cannot be written, in its own columns, with why and what to do in the language of the page; no cell may be a
 * formula. @param isRaw as the command writes them, to be imported again
 */
export async function rejectedFile(file: number, isRaw: boolean): Promise<string> {
  const { set, outcome } = last ?? {};
  const source = set?.sources[file];
  if (source === undefined || set === undefined || outcome === undefined) throw new Problem('no_rejected_rows');
  const lines: string[] = [];
  const rejectionsOf = rejectionsFrom(service(), failingChunks(outcome.chunks));
  const words = isRaw ? undefined : wordsFor(placeOf(source, file));
  for await (const line of rejectedLines(source, set, rejectionsOf, { say: sentenceOf, isSafe: !isRaw, words }))
    lines.push(line);
  return lines.join('');
}

const placeOf = ({ file: { path, columns }, mapping }: RecordSource, file: number): Place => {
  return { file, path, columns, mapping };
};

function wordsFor(place: Place): AddedWords {
  const { why, todo, todos } = TEXT.rejected;
  return {
    columns: [why, todo],
    of(each) {
      const cause = causes.causeOf(each, place);
      return cause && [reasonOf(cause), todos[whatOf(cause)]];
    },
  };
}
