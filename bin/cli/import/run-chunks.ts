import { type Import, type MigrationClient, ServiceError } from '../../client/index.ts';
import { UsageFault } from '../faults.ts';
import { chunkKey } from './chunk-key.ts';
import type { Journal } from './journal.ts';
import type { Chunk, Reading } from './reading.ts';
import { Slots } from './slots.ts';
import type { Survey } from './survey.ts';
import { type Tally, TallySheet } from './tally.ts';

export interface ChunkRun {
  readonly client: Pick<MigrationClient, 'startImport' | 'getImport' | 'waitForImport'>;
  readonly company_id: string;
  readonly reading: Reading;
  readonly survey: Survey;
  readonly journal: Journal;
  readonly dry_run: boolean;
  /** Part of every key: see ChunkIdentity. */
  readonly run: string;
  /** Uploads at once; four times as many imports may be open. */
  readonly parallel: number;
  readonly progress: RunProgress;
}

export interface RunProgress {
  uploaded(rows: number): void;
  processed(rows: number): void;
}

/** What a chunk became. */
export interface ChunkOutcome {
  readonly import_id: string;
  readonly rejected: number;
}

export interface RunOutcome {
  readonly tally: Tally;
  /** By chunk. */
  readonly chunks: readonly ChunkOutcome[];
  /** Imports that this run sent, and those that had been accepted before. */
  readonly sent: number;
  readonly resumed: number;
}

const OPEN_FOR_EACH_UPLOAD = 4;

/**
 * Sends every chunk of a file that was not accepted before, and follows all of them to their end. After a failure no further
 * chunk is sent; what is on its way is awaited.
 */
export async function runChunks(run: ChunkRun): Promise<RunOutcome> {
  const open = new Slots(run.parallel * OPEN_FOR_EACH_UPLOAD);
  const settler = new Settler(run);
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];

  for await (const chunk of run.reading.chunks()) {
    refuseIfChanged(run, chunk);
    await open.take();
    if (failures.length > 0) break;
    const settling = settler
      .settle(chunk)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        running.delete(settling);
        open.release();
      });
    running.add(settling);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  return settler.outcome();
}

/** What was looked through must be what is sent. */
function refuseIfChanged({ survey, reading }: ChunkRun, { index, digest }: Chunk): void {
  if (survey.digests[index] !== digest)
    throw new UsageFault(`${reading.source.path} has changed while it was being imported`);
}

class Settler {
  readonly #counts = { sent: 0, resumed: 0 };
  readonly #tally = new TallySheet();
  readonly #chunks: ChunkOutcome[] = [];
  readonly #run: ChunkRun;
  readonly #uploads: Slots;

  constructor(run: ChunkRun) {
    this.#run = run;
    this.#uploads = new Slots(run.parallel);
  }

  outcome(): RunOutcome {
    return { tally: this.#tally.total(), chunks: this.#chunks, ...this.#counts };
  }

  /** Sees a chunk through to the end of its import. */
  async settle(chunk: Chunk): Promise<void> {
    const progress = new ChunkProgress(this.#run.progress, chunk.records.length);
    const known = this.#run.journal.accepted(this.#run.run).get(chunk.index);
    const standing = known === undefined ? undefined : await this.#find(known);
    if (standing !== undefined) this.#counts.resumed += 1;
    const begun = standing === undefined ? await this.#uploads.within(() => this.#send(chunk)) : { import: standing };
    progress.uploaded();
    const ended = begun.import.status === 'processing' ? await this.#follow(begun, progress) : begun.import;
    progress.processed(ended.counts.processed);
    this.#tally.add(ended);
    this.#chunks[chunk.index] = { import_id: ended.import_id, rejected: ended.counts.failed };
  }

  /** A service that lost its data no longer knows what it accepted: then the chunk goes out again. */
  async #find(import_id: string): Promise<Import | undefined> {
    try {
      return await this.#run.client.getImport(import_id);
    } catch (error) {
      if (error instanceof ServiceError && error.has('import_not_found')) return undefined;
      throw error;
    }
  }

  async #send({ index, digest, records }: Chunk): Promise<Begun> {
    const { client, company_id, dry_run, run, reading, journal } = this.#run;
    const file = reading.source.hash;
    const key = chunkKey({ company_id, run, dry_run, file, mapping: reading.mappingHash, index, digest });
    const started = await client.startImport({ dry_run, records }, key);
    journal.accept(run, index, started.import.import_id);
    this.#counts.sent += 1;
    return started;
  }

  #follow({ import: { import_id }, retryAfterSeconds: afterSeconds }: Begun, progress: ChunkProgress): Promise<Import> {
    const onProgress = ({ counts }: Import): void => progress.processed(counts.processed);
    return this.#run.client.waitForImport(import_id, { afterSeconds, onProgress });
  }
}

type Begun = { readonly import: Import; readonly retryAfterSeconds?: number | undefined };

/** Reports each row once, however often its import is looked at. */
class ChunkProgress {
  readonly #progress: RunProgress;
  readonly #size: number;
  #processed = 0;

  constructor(progress: RunProgress, size: number) {
    this.#progress = progress;
    this.#size = size;
  }

  uploaded(): void {
    this.#progress.uploaded(this.#size);
  }

  processed(count: number): void {
    if (count <= this.#processed) return;
    this.#progress.processed(count - this.#processed);
    this.#processed = count;
  }
}
