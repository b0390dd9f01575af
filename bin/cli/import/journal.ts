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
  | { readonly kind: 'dry_run'; readonly run: string }
  | { readonly kind: 'dry_run_done'; readonly run: string }
  | { readonly kind: 'accepted'; readonly run: string; readonly chunk: number; readonly import_id: string };

/**
 * Stores which chunks the service has accepted, so that an interrupted run does not send them again. It only saves work:
 * without it the same chunks are sent with the same keys, and the service returns the same imports.
 */
export class Journal {
  readonly #path: string;
  readonly #accepted = new Map<string, Map<number, string>>();
  readonly #names = new Map<string, string>();
  #openDryRun: string | undefined;

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

  /** The id of the dry run that was interrupted, else a new one. */
  beginDryRun(): string {
    if (this.#openDryRun === undefined) this.#write({ kind: 'dry_run', run: randomUUID() });
    return this.#openDryRun ?? randomUUID();
  }

  endDryRun(run: string): void {
    this.#write({ kind: 'dry_run_done', run });
  }

  #write(entry: Entry): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    // Written synchronously, so that the entry exists if the process is killed right after it.
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    this.#take(entry);
  }

  #take(entry: Entry): void {
    if (entry.kind === 'dry_run') this.#openDryRun = entry.run;
    if (entry.kind === 'dry_run_done' && this.#openDryRun === entry.run) this.#openDryRun = undefined;
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
