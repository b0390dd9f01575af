/** The state of a run: its name, its dry runs that the service has accepted, and the plan of them that was agreed to. */
import * as v from 'valibot';
import { jsonOf } from '../ground/text.ts';

/** An entry as it is stored: one line of JSON. `run` is the id of the attempt. */
const entry = v.variant('kind', [
  v.object({ kind: v.literal('ended'), run: v.string() }),
  v.object({
    kind: v.literal('dry_run'),
    run: v.string(),
    records: v.string(),
    run_id: v.string(),
    archive: v.exactOptional(v.literal(true)),
  }),
  v.object({ kind: v.literal('dry_run_done'), run: v.string(), atMs: v.number(), rejected: v.number() }),
  v.object({ kind: v.literal('agreed'), run: v.string(), plan_digest: v.string() }),
  v.object({ kind: v.literal('accepted'), run: v.string(), chunk: v.number(), import_id: v.string() }),
]);
type JournalEntry = v.InferOutput<typeof entry>;
type EntryOf<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { kind: Kind }>;

/** The storage of a journal: lines of text, in the order in which they were appended. */
export interface JournalStore {
  read(): Promise<readonly string[]>;
  /** Resolves once the line is stored: it exists if the process is killed right after that. */
  append(line: string): Promise<void>;
}

/** Later the platform may have changed. */
const DRY_RUN_HOLDS_MS = 60 * 60_000;

/** Dry runs of the files: all their keys contain the id, and all are of this run. */
export interface Attempt {
  readonly attempt: string;
  readonly run_id: string;
  /** See `Pass`. */
  readonly archive?: boolean | undefined;
}

/** A plan that a person has agreed to: from then on it may be applied at any time, also by somebody else. */
export interface Agreed extends Attempt {
  readonly plan_digest: string;
}

/** It only saves work: without it all records are validated again, and those that were applied are `unchanged`. */
export class Journal {
  readonly #store: JournalStore;
  readonly #accepted = new Map<string, Map<number, string>>();
  #dryRun: EntryOf<'dry_run'> | undefined;
  #dryRunEnd: EntryOf<'dry_run_done'> | undefined;
  #agreed: (Agreed & { readonly records: string }) | undefined;

  private constructor(store: JournalStore) {
    this.#store = store;
  }

  static async read(store: JournalStore): Promise<Journal> {
    const journal = new Journal(store);
    for (const line of await store.read()) {
      const stored = entryOf(line);
      if (stored !== undefined) journal.#take(stored);
    }
    return journal;
  }

  /** The run of the attempt has ended: the next import of the files is another one. */
  async end(attempt: string): Promise<void> {
    await this.#write({ kind: 'ended', run: attempt });
  }

  /** The dry runs of an attempt that the service has accepted, by position of their batch. */
  accepted(attempt: string): ReadonlyMap<number, string> {
    return this.#accepted.get(attempt) ?? new Map();
  }

  async accept(attempt: string, position: number, import_id: string): Promise<void> {
    await this.#write({ kind: 'accepted', run: attempt, chunk: position, import_id });
  }

  /** Resolves once it is stored, so that the same command goes on with this plan, whenever it is killed. */
  async agree({ attempt, plan_digest }: Agreed): Promise<void> {
    await this.#write({ kind: 'agreed', run: attempt, plan_digest });
  }

  /** The plan of these records that was agreed to. @param archive it has to keep what nobody or no course answers to */
  agreed(records: string, archive = false): Agreed | undefined {
    const agreed = this.#agreed?.records === records ? this.#agreed : undefined;
    return archive && agreed?.archive !== true ? undefined : agreed;
  }

  /** The last dry runs of these records, if they ended in the last hour and rejected none: causes may be corrected. */
  recentDryRun(records: string, nowMs: number): (Attempt & { readonly endedAtMs: number }) | undefined {
    if (this.#dryRun?.records !== records || this.#dryRunEnd?.rejected !== 0) return undefined;
    const { run_id, archive } = this.#dryRun;
    const { run: attempt, atMs: endedAtMs } = this.#dryRunEnd;
    return nowMs - endedAtMs < DRY_RUN_HOLDS_MS ? { attempt, run_id, archive, endedAtMs } : undefined;
  }

  /** The dry runs of these records, and of this run, that were interrupted; else new ones, of the run that these files have by now. */
  async openDryRuns(
    records: string,
    {
      newId,
      nameOf,
      asked,
      archive = false,
    }: {
      readonly newId: () => string;
      readonly nameOf: (attempt: string) => string;
      readonly asked: string | undefined;
      readonly archive?: boolean | undefined;
    },
  ): Promise<Attempt> {
    const run_id = asked ?? this.#dryRun?.run_id;
    const kept = archive ? { archive } : {};
    const open = this.#openDryRun(records, archive);
    if (open !== undefined && open.run_id === run_id) return { attempt: open.run, run_id, ...kept };
    const attempt = newId();
    const begun = { run_id: run_id ?? nameOf(attempt), ...kept };
    await this.#write({ kind: 'dry_run', run: attempt, records, ...begun });
    return { attempt, ...begun };
  }

  #openDryRun(records: string, archive: boolean): EntryOf<'dry_run'> | undefined {
    const last = this.#dryRunEnd === undefined ? this.#dryRun : undefined;
    return last?.records === records && (last.archive ?? false) === archive ? last : undefined;
  }

  async endDryRun(id: string, rejected: number, atMs: number): Promise<void> {
    await this.#write({ kind: 'dry_run_done', run: id, atMs, rejected });
  }

  async #write(written: JournalEntry): Promise<void> {
    await this.#store.append(JSON.stringify(written));
    this.#take(written);
  }

  #take(stored: JournalEntry): void {
    if (stored.kind === 'dry_run') [this.#dryRun, this.#dryRunEnd] = [stored, undefined];
    if (stored.kind === 'dry_run_done' && this.#dryRun?.run === stored.run) this.#dryRunEnd = stored;
    if (stored.kind === 'agreed') this.#agree(stored);
    if (stored.kind === 'ended') this.#end(stored.run);
    if (stored.kind === 'accepted') this.#accept(stored);
  }

  #agree({ run: attempt, plan_digest }: EntryOf<'agreed'>): void {
    if (this.#dryRun?.run !== attempt) return;
    const { run_id, records, archive } = this.#dryRun;
    this.#agreed = { attempt, run_id, plan_digest, records, archive };
  }

  #accept({ run, chunk, import_id }: EntryOf<'accepted'>): void {
    const accepted = this.#accepted.get(run) ?? new Map<number, string>();
    this.#accepted.set(run, accepted.set(chunk, import_id));
  }

  #end(attempt: string): void {
    this.#accepted.delete(attempt);
    if (this.#agreed?.attempt === attempt) this.#agreed = undefined;
    // It was of the platform before this attempt.
    [this.#dryRun, this.#dryRunEnd] = [undefined, undefined];
  }
}

/** `undefined` for a line that is incomplete because the process was killed. */
function entryOf(line: string): JournalEntry | undefined {
  const { success, output } = v.safeParse(entry, jsonOf(line));
  return success ? output : undefined;
}
