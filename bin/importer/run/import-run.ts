/** A run over the files of a set: every chunk becomes an import, which is followed to its end. */
import { createHash } from 'node:crypto';
import { type Import, ServiceError } from '../../client/index.ts';
import { UsageError } from '../errors.ts';
import { inParallel } from '../../client/in-parallel.ts';
import type { Connection } from '../../cli/session/session.ts';
import { Notes } from '../mapping/notes.ts';
import type { PreviewBuilder } from '../mapping/preview.ts';
import { type Display, displayOn, type OutageNotice, whileShown } from '../../cli/progress/display.ts';
import { Meter } from '../../cli/progress/meter.ts';
import type { Journal } from './journal.ts';
import type { Chunk, RecordSet, Repeat } from '../records/batches.ts';
import type { RowCounts } from '../records/record-source.ts';
import { type Summary, SummaryBuilder } from './summary.ts';

export interface ImportRun {
  readonly connection: Connection;
  readonly set: RecordSet;
  readonly survey: Survey;
  /** Takes the results of a dry run. */
  readonly preview: PreviewBuilder;
  readonly journal: Journal;
  readonly display: Display;
  readonly outage: OutageNotice;
  /** Uploads at once; four times as many imports may be open. */
  readonly parallel: number;
}

/** What a first pass over the whole files has found; nothing is sent before. */
export interface Survey extends RowCounts {
  readonly records: number;
  /** Records whose id occurred before; they are not sent. */
  readonly repeats: number;
  readonly firstRepeat: Repeat | undefined;
  /** The digest of each chunk; it must be the same when the chunk is sent. */
  readonly digests: readonly string[];
  readonly notes: Notes;
}

/**
 * Reads the files to their end.
 *
 * @param onRecord called with each record that would be sent
 * @param display shows how many rows have been read
 * @throws SourceError for the first place that cannot be read, UsageError for files without records
 */
export async function surveyOf(
  set: RecordSet,
  onRecord?: (record: unknown, line: number) => void,
  display: Display = displayOn({ write: () => true }),
): Promise<Survey> {
  const reading = new Meter('reading', undefined, Date.now);
  return whileShown(display, reading, () => surveyed(set, () => reading.add(1), onRecord));
}

async function surveyed(
  set: RecordSet,
  onRow: () => void,
  onRecord?: (record: unknown, line: number) => void,
): Promise<Survey> {
  const notes = new Notes();
  const digests: string[] = [];
  const found = { records: 0, repeats: 0 };
  let firstRepeat: Repeat | undefined;
  const reading = set.read({ notes, onRow });
  for await (const { digest, entries, repeats } of reading.chunks) {
    digests.push(digest);
    found.records += entries.length;
    found.repeats += repeats.length;
    firstRepeat ??= repeats[0];
    if (onRecord !== undefined) for (const { record, row } of entries) onRecord(record, row.line);
  }
  if (found.records === 0) throw new UsageError(`${set.name} contains no rows to import.`);
  return { ...reading.counts(), ...found, firstRepeat, digests, notes };
}

/** One pass of a run: a dry run or the import. */
export interface Pass {
  readonly dry_run: boolean;
  /** Part of every key: see `ChunkIdentity`. */
  readonly id: string;
  /** Names the migration that the imports are part of; `null` for a dry run. */
  readonly run_id: string | null;
}

export interface PassOutcome {
  readonly summary: Summary;
  /** By chunk: its import and how many of its records were rejected. */
  readonly chunks: readonly EndedChunk[];
  /** Imports sent by this run, and imports that an earlier run had sent. */
  readonly sent: number;
  readonly resumed: number;
}

interface EndedChunk {
  /** `null` for a chunk of nothing but repeated ids, which is not sent. */
  readonly import_id: string | null;
  readonly rejected: number;
}

const FOLLOWED_FOR_EACH_UPLOAD = 3;

/**
 * Sends every chunk that was not accepted before and follows all of them to their end. After an error no further chunk is
 * sent; uploads in progress complete.
 *
 * @throws UsageError if the file has changed since the survey, and what the client throws
 */
export async function runPass(run: ImportRun, pass: Pass): Promise<PassOutcome> {
  const { display, parallel, set, survey } = run;
  const processing = new Meter(pass.dry_run ? 'dry run' : 'processing', survey.records, Date.now);
  const upload = new Meter('upload', survey.records, Date.now);
  const summary = new SummaryBuilder(set.isGrouped ? 'records' : 'rows');
  const chunks: EndedChunk[] = [];
  const counts = { sent: 0, resumed: 0 };
  const placeOf = (position: number, path: string): { position: number; file: string | undefined } => ({
    position,
    file: set.sources.length > 1 ? path : undefined,
  });
  async function* sendable(): AsyncGenerator<Chunk> {
    for await (const chunk of set.chunks()) {
      summary.addRepeats(chunk.repeats, placeOf(chunk.position, chunk.source.file.path));
      chunks[chunk.position] = { import_id: null, rejected: chunk.repeats.length };
      if (chunk.records.length > 0) yield chunk;
    }
  }
  display.show(pass.dry_run ? [processing] : [upload, processing]);
  try {
    const started = inParallel(sendable(), parallel, (chunk) => start(run, pass, upload, chunk));
    const followed = inParallel(started, parallel * FOLLOWED_FOR_EACH_UPLOAD, (each) => follow(run, processing, each));
    for await (const { position, file, lines, isResumed, import: ended } of followed) {
      refuseTakenBack(ended, pass);
      counts[isResumed ? 'resumed' : 'sent'] += 1;
      summary.add(ended, { ...placeOf(position, file), lines });
      if (pass.dry_run) run.preview.addResults(ended);
      chunks[position] = {
        import_id: ended.import_id,
        rejected: ended.counts.failed + (chunks[position]?.rejected ?? 0),
      };
    }
  } finally {
    display.end();
  }
  return { summary: summary.summary(), chunks, ...counts };
}

interface StartedChunk {
  readonly position: number;
  readonly file: string;
  /** Of each record. */
  readonly lines: readonly number[];
  readonly isResumed: boolean;
  readonly import: Import;
  readonly retryAfterSeconds?: number | undefined;
}

/** The import of a chunk: the one that an earlier run has sent, else a new one. */
async function start(run: ImportRun, pass: Pass, upload: Meter, chunk: Chunk): Promise<StartedChunk> {
  const { survey, journal, outage } = run;
  const { position, digest, records, source, entries } = chunk;
  if (survey.digests[position] !== digest)
    throw new UsageError(`${source.file.path} has changed while it was being imported. Run the command again.`);
  const accepted = journal.accepted(pass.id).get(position);
  const found = accepted === undefined ? undefined : await findImport(run, accepted);
  const begun = { position, file: source.file.path, lines: entries.map(({ row }) => row.line) };
  const started: StartedChunk =
    found === undefined
      ? { ...begun, isResumed: false, ...(await send(run, pass, chunk)) }
      : { ...begun, isResumed: true, import: found };
  outage.over();
  if (found === undefined) upload.add(records.length);
  else upload.restore(records.length);
  return started;
}

/** @throws UsageError for an import that somebody has cancelled or reverted: going on, or showing its results, would mislead */
function refuseTakenBack({ cancelled_at, reverted_at, run_id }: Import, { id }: Pass): void {
  const again = `to import the file again, use --attempt ${Number(id) + 1}`;
  if (reverted_at !== null)
    throw new UsageError(
      `Run ${run_id} was reverted, so what it had applied is no longer on the platform. If you want it back, import again: ${again}.`,
    );
  if (cancelled_at !== null)
    throw new UsageError(
      `Run ${run_id} was cancelled: nothing more of it is sent, and what was applied before stays. To take that back, revert the run; ${again}.`,
    );
}

/** A service that lost its data does not know what it had accepted; then the chunk is sent again. */
async function findImport({ connection: { client } }: ImportRun, import_id: string): Promise<Import | undefined> {
  try {
    return await client.getImport(import_id);
  } catch (error) {
    if (error instanceof ServiceError && error.has('import_not_found')) return undefined;
    throw error;
  }
}

/** The one place where records are sent. */
async function send({ connection, journal }: ImportRun, pass: Pass, chunk: Chunk) {
  const { client, login } = connection;
  const { position, index, digest, records } = chunk;
  const { file, mappingHash: mapping } = chunk.source;
  const { dry_run, id: run, run_id } = pass;
  const { company_id } = login;
  const key = chunkKey({ company_id, run, run_id, dry_run, file: file.hash, mapping, index, digest });
  const started = await client.startImport({ dry_run, records, ...(run_id !== null && { run_id }) }, key);
  journal.accept(run, position, started.import.import_id);
  return started;
}

/** Waits for the end of an import; reports each row once, however often the import is polled. */
async function follow({ connection, outage }: ImportRun, processing: Meter, chunk: StartedChunk) {
  let reported = 0;
  const onProgress = ({ counts }: Import): void => {
    if (counts.processed <= reported) return;
    outage.over();
    processing.add(counts.processed - reported);
    reported = counts.processed;
  };
  const { import: started, isResumed, retryAfterSeconds: afterSeconds } = chunk;
  if (isResumed) {
    reported = started.counts.processed;
    processing.restore(reported);
  }
  const ended =
    started.status === 'processing'
      ? await connection.client.waitForImport(started.import_id, { afterSeconds, onProgress })
      : started;
  onProgress(ended);
  return { ...chunk, import: ended };
}

/** What identifies a chunk: if all of it is equal, sending the chunk again finds the first import. */
export interface ChunkIdentity {
  readonly company_id: string;
  /** Of a dry run its random id, because a new dry run must evaluate again. Of an import its `--attempt`. */
  readonly run: string;
  readonly run_id: string | null;
  readonly dry_run: boolean;
  /** SHA-256 of the file. */
  readonly file: string;
  /** SHA-256 of the mapping. */
  readonly mapping: string;
  /** Position in the file. */
  readonly index: number;
  /** SHA-256 of its records. */
  readonly digest: string;
}

/** The Idempotency-Key of a chunk: derived, not stored, so that any machine that runs the same command sends the same key. */
export function chunkKey({ company_id, run, run_id, dry_run, file, mapping, index, digest }: ChunkIdentity): string {
  const parts = [company_id, run, run_id, dry_run, file, mapping, index, digest];
  return `cpm-${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;
}
