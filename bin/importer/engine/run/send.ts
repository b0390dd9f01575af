/** The one place where records are sent: each batch becomes an import, which is followed to its end. */
import { ServiceError } from '../../wire/errors.ts';
import type { Import, StartedImport, WaitOptions } from '../../wire/types.ts';
import type { Batch } from '../apply/batches.ts';

export interface ImportService {
  startImport(
    body: { dry_run: boolean; replace?: boolean; archive?: boolean; run_id?: string; records: readonly unknown[] },
    idempotencyKey: string,
  ): Promise<StartedImport>;
  /** @throws ServiceError `import_not_found` */
  getImport(import_id: string): Promise<Import>;
  waitForImport(import_id: string, options: WaitOptions<Import>): Promise<Import>;
}

/** Records that were read, sent or processed since the last report. */
export interface Progress {
  readonly step: 'read' | 'upload' | 'process';
  readonly records: number;
  /** An earlier run did it, so it does not count for the rate of this one. */
  readonly isResumed: boolean;
}

export type OnProgress = (progress: Progress) => void;

interface Sending<Sent extends Batch> {
  readonly service: ImportService;
  readonly batches: AsyncIterable<Sent>;
  readonly dry_run: boolean;
  readonly run_id: string | null;
  /** See `Pass`. */
  readonly archive?: boolean | undefined;
  readonly keyOf: (batch: Sent) => string;
  /** Uploads at once; four times as many imports may be open. */
  readonly parallel: number;
  /** Imports accepted before, by position of their batch. Without it every batch is sent: a known key returns it. */
  readonly accepted?: {
    of(position: number): string | undefined;
    /** Resolves once the import is stored, so that a run that is interrupted then does not send it again. */
    add(position: number, import_id: string): Promise<void>;
  };
  readonly onProgress?: OnProgress | undefined;
}

/** The records are not part of it, so that only those of batches that are being uploaded are in memory. */
interface EndedImport extends Pick<Batch, 'position' | 'file'> {
  readonly lines: readonly number[];
  /** An earlier run had sent it. */
  readonly isResumed: boolean;
  readonly import: Import;
}

const FOLLOWED_FOR_EACH_UPLOAD = 3;

/**
 * Sends every batch that was not accepted before, follows all of them, and yields the imports as they end. After an error no
 * further batch is sent; uploads in progress complete.
 *
 * @throws the errors of the service and of the batches
 */
export function sendAll<Sent extends Batch>(sending: Sending<Sent>): AsyncGenerator<EndedImport> {
  const { service, dry_run, run_id, archive, parallel, accepted, onProgress } = sending;

  /** The import of a batch: the one that an earlier run has sent, else a new one. */
  async function start(batch: Sent) {
    const { position, file, entries } = batch;
    const found = await findAccepted(position);
    const started = found === undefined ? await send(batch) : { import: found, retryAfterSeconds: undefined };
    const isResumed = found !== undefined;
    onProgress?.({ step: 'upload', records: entries.length, isResumed });
    const { import: own, retryAfterSeconds } = started;
    return { position, file, lines: entries.map(({ row }) => row.line), isResumed, import: own, retryAfterSeconds };
  }

  /** A service that lost its data does not know the imports that it had accepted; then the batch is sent again. */
  async function findAccepted(position: number): Promise<Import | undefined> {
    const import_id = accepted?.of(position);
    if (import_id === undefined) return undefined;
    try {
      return await service.getImport(import_id);
    } catch (error) {
      if (error instanceof ServiceError && error.has('import_not_found')) return undefined;
      throw error;
    }
  }

  async function send(batch: Sent): Promise<StartedImport> {
    const sent = { ...(run_id !== null && { run_id }), ...(archive === true && { archive }) };
    const body = { dry_run, records: batch.records, ...sent };
    const started = await service.startImport(body, sending.keyOf(batch));
    await accepted?.add(batch.position, started.import.import_id);
    return started;
  }

  /** Waits for the end of an import; reports each record once, however often the import is polled. */
  async function follow({ retryAfterSeconds, ...started }: Awaited<ReturnType<typeof start>>): Promise<EndedImport> {
    let reported = 0;
    const report = ({ counts: { processed } }: Import, isResumed = false): void => {
      if (processed > reported) onProgress?.({ step: 'process', records: processed - reported, isResumed });
      reported = Math.max(reported, processed);
    };
    if (started.isResumed) report(started.import, true);
    if (started.import.status !== 'processing') {
      report(started.import);
      return started;
    }
    const options = { afterSeconds: retryAfterSeconds, onProgress: (current: Import) => report(current) };
    const ended = await service.waitForImport(started.import.import_id, options);
    report(ended);
    return { ...started, import: ended };
  }

  return asCompleted(asCompleted(sending.batches, parallel, start), parallel * FOLLOWED_FOR_EACH_UPLOAD, follow);
}

/**
 * Runs a step for each item, at most `most` at a time, and yields the results as they complete. The next item is read only
 * when a result is asked for and a step can start. After an error no further step starts, and the first error is thrown once
 * the steps in progress have ended.
 */
export async function* asCompleted<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  most: number,
  step: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running = new Set<Promise<void>>();
  const results: Result[] = [];
  const errors: unknown[] = [];
  const start = (item: Item): void => {
    const run = step(item)
      .then(
        (result) => void results.push(result),
        (error: unknown) => void errors.push(error),
      )
      .finally(() => running.delete(run));
    running.add(run);
  };
  try {
    for await (const item of items) {
      start(item);
      if (running.size >= most) await Promise.race(running);
      if (errors.length > 0) break;
      yield* results.splice(0);
    }
    while (running.size > 0 && errors.length === 0) {
      await Promise.race(running);
      yield* results.splice(0);
    }
  } finally {
    await Promise.all(running);
  }
  if (errors.length > 0) throw errors[0];
  yield* results;
}
