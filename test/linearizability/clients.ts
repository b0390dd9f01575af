/** Clients of one company that work at the same time, and what each of them saw; the same against a simulated and a running stack. */
import type { Dice } from '../kit/dice.ts';

/** An answer, its body as the document has it; `undefined` where none came back. */
export type Answer = { readonly status: number; readonly body: Body } | undefined;
// oxlint-disable-next-line typescript/no-explicit-any -- of another operation each time; the HTTP suites check the shapes
type Body = any;

/** A service as clients reach it. Imports are named by their keys. */
export interface Service {
  /** In millionths of a second. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly startImport: (key: string, records: readonly object[]) => Promise<Answer>;
  readonly getImport: (key: string) => Promise<Answer>;
  readonly listRecords: (key: string) => Promise<Answer>;
  readonly cancelImport: (key: string) => Promise<Answer>;
  readonly revertImport: (key: string) => Promise<Answer>;
  readonly audit: (external_record_id: string) => Promise<Answer>;
  readonly transcript: (email: string) => Promise<Answer>;
}

/** A learner in a course. Each has one record id of its own, so no record loses its id. */
export interface Pair {
  readonly email: string;
  readonly platform_course_id: number;
}

/** An operation as the checker reads it. An import and a revert last until a client knows of them; a read returns `pct`. */
export interface Operation {
  readonly client: number;
  readonly kind: 'import' | 'revert' | 'read';
  readonly import: number;
  readonly pct: number;
  readonly call: number;
  readonly return: number;
}

/** What a poll said of an import: how far it is. */
export interface Poll {
  readonly import: number;
  readonly call: number;
  readonly return: number;
  readonly ended: boolean;
  readonly reverted: boolean;
  readonly done: number;
}

export interface ClientHistory {
  /** How many requests were answered. */
  readonly requests: number;
  readonly byPair: readonly (readonly Operation[])[];
  readonly polls: readonly Poll[];
}

/** An import of the history: what it says of each pair, and when it was sent, reverted, and known to have ended or to be reverted. */
interface Made {
  readonly key: string;
  readonly pcts: ReadonlyMap<number, number>;
  sent?: number;
  knownEnd?: number;
  revertSent?: number;
  knownRevert?: number;
  isReverting?: true;
}

const ATTEMPTS = 6;
const POLLS = 8;
const READERS = 3;
const PCTS = [10, 25, 40, 55, 70, 85];
const THINKS_MS = [5, 20, 60, 150, 400, 1_000, 3_000];

export class Clients {
  readonly #service: Service;
  readonly #pairs: readonly Pair[];
  readonly #dice: Dice;
  readonly #made: readonly Made[];
  readonly #reads: (Operation & { readonly pair: number })[] = [];
  readonly #polls: Poll[] = [];
  #requests = 0;

  /** @param name before each key */
  constructor(service: Service, pairs: readonly Pair[], dice: Dice, { name = '' } = {}) {
    this.#service = service;
    this.#pairs = pairs;
    this.#dice = dice;
    this.#made = Array.from({ length: dice.between(2, 4) }, (_, at) => {
      const said = pairs.map((__, pair) => pair).filter(() => dice.chance(0.8));
      return { key: `${name}key-${at}`, pcts: new Map(said.map((pair) => [pair, dice.pick(PCTS)])) };
    }).map((made) => (made.pcts.size > 0 ? made : { ...made, pcts: new Map([[0, 40]]) }));
  }

  /** Everything that the clients do, until each has finished. */
  async work(): Promise<void> {
    await Promise.all([
      ...this.#made.map((_, at) => this.#send(at)),
      ...Array.from({ length: READERS }, (_, reader) => this.#read(this.#made.length + reader)),
    ]);
  }

  /** Until no import is open, and none of those whose revert was accepted is waiting for it. */
  async ended(): Promise<void> {
    for (const { key, sent, isReverting } of this.#made) {
      for (;;) {
        const response = sent === undefined ? undefined : await this.#service.getImport(key);
        const isOpen = response?.body.status === 'processing' || (isReverting && response?.body.reverted_at === null);
        if (!isOpen) break;
        await this.#service.sleep(200);
      }
    }
  }

  /** Once the service has come to rest. */
  async history(): Promise<ClientHistory> {
    const end = this.#service.now() + 1;
    const byPair: Operation[][] = this.#pairs.map(() => []);
    for (const { pair, ...read } of this.#reads) byPair[pair]?.push(read);
    for (const at of this.#made.keys())
      for (const [pair, operation] of await this.#outcomesOf(at, end)) byPair[pair]?.push(operation);
    return { requests: this.#requests, byPair, polls: this.#polls };
  }

  /** What became of an import, by pair. */
  async #outcomesOf(at: number, end: number): Promise<[pair: number, operation: Operation][]> {
    const made = this.#made[at] as Made;
    const response = await this.#answered(() => this.#service.getImport(made.key));
    const listed = await this.#answered(() => this.#service.listRecords(made.key));
    if (response?.status !== 200 || listed === undefined) return [];
    const isReverted = response.body.reverted_at !== null;
    return [...made.pcts].flatMap(([pair, pct], position) => {
      if (listed.body.records[position]?.status !== 'success') return [];
      const operations = operationsOf(made, { client: at, import: at, pct }, isReverted, end);
      return operations.map((operation): [number, Operation] => [pair, operation]);
    });
  }

  #think(): Promise<void> {
    return this.#service.sleep(this.#dice.pick(THINKS_MS));
  }

  async #answered(request: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const response = await request();
      this.#requests += 1;
      if (response !== undefined) return response;
      await this.#think();
    }
    return undefined;
  }

  /** Sends an import, polls it, and in some histories cancels or reverts it. */
  async #send(at: number): Promise<void> {
    const { key, pcts } = this.#made[at] as Made;
    await this.#think();
    this.#mark(at, { sent: this.#service.now() });
    const records = [...pcts].map(([pair, completion_pct]) =>
      recordOf(this.#pairs[pair] as Pair, pair, completion_pct),
    );
    if ((await this.#answered(() => this.#service.startImport(key, records)))?.status !== 202) return;
    if (this.#dice.chance(0.15)) await this.#answered(() => this.#service.cancelImport(key));
    for (let asked = 0; asked < POLLS && this.#made[at]?.knownEnd === undefined; asked += 1) {
      await this.#think();
      await this.#poll(at);
    }
    if (this.#dice.chance(0.4)) await this.#revert(at);
  }

  async #revert(at: number): Promise<void> {
    const { key } = this.#made[at] as Made;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      this.#mark(at, { revertSent: this.#made[at]?.revertSent ?? this.#service.now() });
      if ((await this.#answered(() => this.#service.revertImport(key)))?.status === 202) {
        this.#mark(at, { isReverting: true });
        break;
      }
      await this.#service.sleep(2_000);
    }
    for (let asked = 0; asked < POLLS && this.#made[at]?.knownRevert === undefined; asked += 1) {
      await this.#service.sleep(this.#dice.pick([2_000, 6_000, 12_000]));
      await this.#poll(at);
    }
  }

  #mark(at: number, marks: Partial<Made>): void {
    Object.assign(this.#made[at] as Made, marks);
  }

  async #poll(at: number): Promise<void> {
    const { key, knownEnd, knownRevert } = this.#made[at] as Made;
    const call = this.#service.now();
    const response = await this.#answered(() => this.#service.getImport(key));
    const known = this.#service.now();
    if (response?.status !== 200) return;
    const { status, reverted_at, counts } = response.body;
    const [ended, reverted] = [status !== 'processing', reverted_at !== null];
    this.#polls.push({ import: at, call, return: known, ended, reverted, done: counts.succeeded + counts.failed });
    if (ended) this.#mark(at, { knownEnd: Math.min(knownEnd ?? known, known) });
    if (reverted) this.#mark(at, { knownRevert: Math.min(knownRevert ?? known, known) });
  }

  /** Reads learners and records, and polls what others have sent. */
  async #read(client: number): Promise<void> {
    const times = this.#dice.between(4, 9);
    for (let time = 0; time < times; time += 1) {
      await (this.#dice.chance(0.15) ? this.#service.sleep(20_000) : this.#think());
      const kind = this.#dice.pick(['audit', 'transcript', 'transcript', 'poll']);
      if (kind === 'poll') {
        const at = this.#dice.below(this.#made.length);
        if (this.#made[at]?.sent !== undefined) await this.#poll(at);
        continue;
      }
      const pair = this.#dice.below(this.#pairs.length);
      const call = this.#service.now();
      const seen = await (kind === 'audit' ? this.#audit(pair) : this.#transcript(pair));
      const read = { client, kind: 'read', import: 0, call, return: this.#service.now() } as const;
      for (const [each, pct] of seen) this.#reads.push({ ...read, pair: each, pct });
    }
  }

  async #audit(pair: number): Promise<[pair: number, pct: number][]> {
    const response = await this.#service.audit(idOf(pair));
    this.#requests += 1;
    if (response?.status === 404) return [[pair, -1]];
    return response === undefined ? [] : [[pair, response.body.effective.completion_pct]];
  }

  /** Of every course of the learner. */
  async #transcript(pair: number): Promise<[pair: number, pct: number][]> {
    const { email } = this.#pairs[pair] as Pair;
    const response = await this.#service.transcript(email);
    this.#requests += 1;
    // A read of the directory may miss a learner who was registered a moment ago.
    if (response?.status !== 200) return [];
    const courses: { platform_course_id: number; effective: { completion_pct: number } }[] = response.body.courses;
    return [...this.#pairs.entries()].flatMap(([each, named]) => {
      if (named.email !== email) return [];
      const course = courses.find(({ platform_course_id }) => platform_course_id === named.platform_course_id);
      return [[each, course?.effective.completion_pct ?? -1] as [number, number]];
    });
  }
}

/** What became of a record: the import, and its revert. */
function operationsOf(
  { sent = 0, knownEnd, revertSent, knownRevert }: Made,
  of: Pick<Operation, 'client' | 'import' | 'pct'>,
  isReverted: boolean,
  end: number,
): Operation[] {
  const made: Operation = { ...of, kind: 'import', call: sent, return: knownEnd ?? end };
  const reverted: Operation = { ...of, kind: 'revert', call: revertSent ?? end, return: knownRevert ?? end };
  return isReverted ? [made, reverted] : [made];
}

const idOf = (pair: number): string => `of-${pair}`;

function recordOf({ email, platform_course_id }: Pair, pair: number, completion_pct: number): object {
  return {
    external_record_id: idOf(pair),
    user: { email },
    content: { type: 'course', platform_course_id },
    progress: { completion_pct },
  };
}

/** The pairs of polls of which the later one, which was sent when the earlier one was answered, says less. */
export function goingBack(polls: readonly Poll[]): [earlier: Poll, later: Poll][] {
  return polls.flatMap((earlier) =>
    polls
      .filter((later) => later.import === earlier.import && later.call >= earlier.return)
      .filter(
        ({ ended, reverted, done }) => ended < earlier.ended || reverted < earlier.reverted || done < earlier.done,
      )
      .map((later): [Poll, Poll] => [earlier, later]),
  );
}
