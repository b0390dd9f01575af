import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the rows of an import came from; `report` uses it to read the original rows. */
export interface Origin {
  readonly file: string;
  readonly mapping: string | null;
  readonly options: {
    readonly format?: 'csv' | 'json' | 'ndjson';
    readonly encoding?: string;
    readonly delimiter?: string;
    readonly sheet?: string;
  };
  readonly base_url: string;
  readonly company_id: string;
}

type Entry =
  | ({ readonly kind: 'origin' } & Origin)
  | { readonly kind: 'named'; readonly run: string; readonly run_id: string }
  | { readonly kind: 'dry_run'; readonly run: string; readonly records?: string }
  | { readonly kind: 'dry_run_done'; readonly run: string; readonly atMs?: number; readonly rejected?: number }
  | { readonly kind: 'accepted'; readonly run: string; readonly chunk: number; readonly import_id: string };

interface DryRun {
  readonly run: string;
  /** Identifies its records. */
  readonly records?: string | undefined;
  readonly ended?: { readonly atMs?: number | undefined; readonly rejected?: number | undefined };
}

/** Later the platform may have changed. */
const DRY_RUN_HOLDS_MS = 60 * 60_000;

/**
 * Stores which chunks the service has accepted, so that an interrupted run does not send them again. It only saves work:
 * without it the same chunks are sent with the same keys, and the service returns the same imports.
 */
export class Journal {
  readonly #path: string;
  readonly #accepted = new Map<string, Map<number, string>>();
  readonly #names = new Map<string, string>();
  #dryRun: DryRun | undefined;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Opens the journal of everything with this identity. */
  static open(folder: string, identity: readonly string[], origin: Origin): Journal {
    const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
    const journal = new Journal(join(folder, `${name}.ndjson`));
    if (existsSync(journal.#path)) for (const entry of entriesOf(journal.#path)) journal.#take(entry);
    journal.#write({ kind: 'origin', ...origin });
    return journal;
  }

  /** The `run_id` under which an import was begun. */
  name(run: string): string | undefined {
    return this.#names.get(run);
  }

  /** Notes the `run_id` of an import that begins. */
  begin(run: string, run_id: string): void {
    if (this.name(run) !== run_id) this.#write({ kind: 'named', run, run_id });
  }

  accepted(run: string): ReadonlyMap<number, string> {
    return this.#accepted.get(run) ?? new Map();
  }

  accept(run: string, chunk: number, import_id: string): void {
    this.#write({ kind: 'accepted', run, chunk, import_id });
  }

  /**
   * The last dry run, if it is still true of these records: it was of the same, rejected none (what made the platform reject
   * one may have been corrected there), and ended in the last hour.
   */
  recentDryRun(records: string, nowMs: number): { readonly run: string; readonly endedAtMs: number } | undefined {
    const { run, records: its, ended } = this.#dryRun ?? {};
    if (run === undefined || its !== records || ended?.rejected !== 0 || ended.atMs === undefined) return undefined;
    return nowMs - ended.atMs < DRY_RUN_HOLDS_MS ? { run, endedAtMs: ended.atMs } : undefined;
  }

  /** The id of the dry run of these records that was interrupted, else a new one. */
  beginDryRun(records: string): string {
    const last = this.#dryRun;
    if (last !== undefined && last.ended === undefined && last.records === records) return last.run;
    const run = randomUUID();
    this.#write({ kind: 'dry_run', run, records });
    return run;
  }

  endDryRun(run: string, rejected: number, atMs: number): void {
    this.#write({ kind: 'dry_run_done', run, atMs, rejected });
  }

  #write(entry: Entry): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    // Written synchronously, so that the entry exists if the process is killed right after it.
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    this.#take(entry);
  }

  #take(entry: Entry): void {
    if (entry.kind === 'dry_run') this.#dryRun = entry;
    if (entry.kind === 'dry_run_done' && this.#dryRun?.run === entry.run)
      this.#dryRun = { ...this.#dryRun, ended: entry };
    if (entry.kind === 'named') this.#names.set(entry.run, entry.run_id);
    if (entry.kind !== 'accepted') return;
    const chunks = this.#accepted.get(entry.run) ?? new Map<number, string>();
    this.#accepted.set(entry.run, chunks.set(entry.chunk, entry.import_id));
  }
}

/** The origin of an import that was sent from this machine. */
export function originOf(folder: string, import_id: string): Origin | undefined {
  if (!existsSync(folder)) return undefined;
  for (const name of readdirSync(folder)) {
    const entries = entriesOf(join(folder, name));
    const isFrom = entries.some((entry) => entry.kind === 'accepted' && entry.import_id === import_id);
    const origin = entries.findLast((entry) => entry.kind === 'origin');
    if (isFrom && origin !== undefined) return origin;
  }
  return undefined;
}

/** A line that is incomplete because the process was killed is ignored. */
function entriesOf(path: string): Entry[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Entry];
      } catch {
        return [];
      }
    });
}
