/** A run over files: every batch becomes a dry run, and the results are summed up. */
import { refusal } from '../ground/errors.ts';
import type { Preview, PreviewBuilder } from './preview.ts';
import type { Batch } from '../apply/batches.ts';
import type { Chunk, RecordSet } from '../apply/record-set.ts';
import type { Attempt, Journal } from './journal.ts';
import { chunkKey, runName } from './keys.ts';
import { type ImportService, type OnProgress, sendAll } from './send.ts';
import { type Summary, SummaryBuilder, unsentOf } from './summary.ts';
import { recordsHash, type Survey } from './survey.ts';
import { isArchivable } from '../../wire/values.ts';

/** The files of a run, and what it is sent with. */
export interface ImportRun {
  readonly service: ImportService;
  readonly company_id: string;
  readonly set: RecordSet;
  readonly survey: Survey;
  readonly preview: PreviewBuilder;
  /** What is kept between two attempts. */
  readonly journal: Pick<Journal, 'accepted' | 'accept' | 'openDryRuns' | 'endDryRun'>;
  /** Uploads at once. */
  readonly parallel: number;
}

/** Nothing is kept: each attempt is a new one. */
export const NO_JOURNAL: ImportRun['journal'] = {
  accepted: () => new Map(),
  accept: async () => {},
  async openDryRuns(_, { newId, nameOf, asked, archive }) {
    const attempt = newId();
    return { attempt, run_id: asked ?? nameOf(attempt), archive };
  },
  endDryRun: async () => {},
};

/** One way through the files. */
export interface Pass {
  /** Part of every key: a random id, because each dry run evaluates again. */
  readonly attempt: string;
  /** Names the migration that the dry runs are part of; `null` for those of none, which no plan can close. */
  readonly run_id: string | null;
  /** The archive keeps what nobody or no course answers to (§4.12). */
  readonly archive?: boolean | undefined;
}

export interface PassOutcome {
  readonly summary: Summary;
  /** By position. */
  readonly chunks: readonly EndedChunk[];
  /** The part of the summary that was not sent. */
  readonly unsent: SummaryBuilder;
  /** Records that were sent and that the archive keeps, if it is asked to. */
  readonly archivable: number;
  /** Dry runs that were sent now, and those that were sent before. */
  readonly sent: number;
  readonly resumed: number;
}

interface EndedChunk {
  /** `null` for a batch of nothing but repeated ids, which is not sent. */
  readonly import_id: string | null;
  readonly rejected: number;
  /** Rejected records that were not sent. */
  readonly unsent: number;
  /** Shown if the run has several files. */
  readonly file: string | undefined;
  /** Of each record that was sent: its result is read again once the service has applied the plan. */
  readonly lines: Uint32Array;
}

/** The imports, or dry runs, with rejected records, by position of their batch; `null` for a batch that was not sent. */
export const failingChunks = (chunks: PassOutcome['chunks']): ReadonlyMap<number, string | null> =>
  new Map(chunks.flatMap(({ import_id, rejected }, position) => (rejected > 0 ? [[position, import_id]] : [])));

/**
 * Makes a dry run of every batch that has none yet, as `sendAll` does.
 *
 * @throws EngineError if a file has changed since the survey, and the errors of the service
 */
export async function runPass(run: ImportRun, pass: Pass, onProgress?: OnProgress): Promise<PassOutcome> {
  const { set, service, journal, parallel } = run;
  const { attempt, run_id, archive } = pass;
  const unit = set.isGrouped ? 'records' : 'rows';
  const [summary, unsentSummary] = [new SummaryBuilder(unit), new SummaryBuilder(unit)];
  const chunks: EndedChunk[] = [];
  const counts = { archivable: 0, sent: 0, resumed: 0 };
  const placeOf = ({ position, file }: Pick<Batch, 'position' | 'file'>) => ({
    position,
    file: set.sources.length > 1 ? file : undefined,
  });
  async function* sendable(): AsyncGenerator<Chunk> {
    for await (const chunk of set.chunks()) {
      if (run.survey.digests[chunk.position] !== chunk.digest)
        throw refusal('file_changed_meanwhile', { path: chunk.file });
      const unsent = unsentOf(chunk);
      for (const each of [summary, unsentSummary]) each.addUnsent(unsent, placeOf(chunk));
      const { file } = placeOf(chunk);
      const { length } = unsent;
      chunks[chunk.position] = { import_id: null, rejected: length, unsent: length, file, lines: new Uint32Array() };
      if (chunk.records.length > 0) yield chunk;
    }
  }
  const ended = sendAll({
    service,
    batches: sendable(),
    dry_run: true,
    run_id,
    archive,
    keyOf: ({ source: { file, mappingHash: mapping }, index, digest }) =>
      chunkKey({ company_id: run.company_id, attempt, run_id, file: file.hash, mapping, index, digest }),
    parallel,
    accepted: {
      of: (position) => journal.accepted(attempt).get(position),
      add: (position, import_id) => journal.accept(attempt, position, import_id),
    },
    onProgress,
  });
  for await (const each of ended) {
    counts[each.isResumed ? 'resumed' : 'sent'] += 1;
    counts.archivable += each.import.records.filter(({ errors }) => isArchivable(errors)).length;
    summary.add(each.import, { ...placeOf(each), lines: each.lines });
    run.preview.addResults(each.import);
    const { import_id, counts: ofImport } = each.import;
    const unsent = chunks[each.position]?.unsent ?? 0;
    chunks[each.position] = {
      import_id,
      rejected: ofImport.failed + unsent,
      unsent,
      file: placeOf(each).file,
      lines: Uint32Array.from(each.lines),
    };
  }
  return { summary: summary.summary(), chunks, unsent: unsentSummary, ...counts };
}

/** The dry runs of a run, which a plan closes. */
export interface DryRuns extends PassOutcome, Attempt {}

/**
 * The dry runs of the run of these files (§4.11). Those of the same records that were interrupted are resumed: what the service has
 * accepted is not sent again.
 *
 * @param asked name of the run, else the one that these files have had since their last import, or a new one after the files
 */
export async function sendDryRuns(
  run: ImportRun,
  {
    newId,
    now,
    asked,
    archive,
  }: Ambient & { readonly asked?: string | undefined; readonly archive?: boolean | undefined },
  onProgress?: OnProgress,
): Promise<DryRuns> {
  const nameOf = (attempt: string): string => runName(run.set.sources, attempt);
  const begun = await run.journal.openDryRuns(recordsHash(run.survey), { newId, nameOf, asked, archive });
  const dryRuns = await readDryRuns(run, begun, onProgress);
  await run.journal.endDryRun(begun.attempt, dryRuns.summary.rejected, now());
  return dryRuns;
}

/** Dry runs that were sent before, of the same records. One that the service no longer has is sent again. */
export async function readDryRuns(run: ImportRun, begun: Attempt, onProgress?: OnProgress): Promise<DryRuns> {
  const { attempt, run_id, archive } = begun;
  const pass = { attempt, run_id, archive };
  return { ...(await runPass(run, pass, onProgress)), ...pass };
}

interface Ambient {
  readonly newId: () => string;
  readonly now: () => number;
}

export const previewOf = ({ preview, survey: { notes }, set }: ImportRun): Preview =>
  preview.preview(notes.list(), { count: notes.localTimes, zone: set.sources[0]?.mapping?.time_zone ?? 'UTC' });
