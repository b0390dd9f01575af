import { duration, grouped } from '../../engine/text.ts';

const WINDOW_MS = 30_000;

/** Progress of one task: the share that is done, the rate over the last 30 s, and the time left at that rate. */
export class Meter {
  readonly name: string;
  /** `undefined` if it is only known at the end. */
  readonly total: number | undefined;
  #done = 0;
  readonly #now: () => number;
  #marks: { readonly atMs: number; readonly done: number }[] = [];

  constructor(name: string, total: number | undefined, now: () => number) {
    this.name = name;
    this.total = total;
    this.#now = now;
    this.#marks = [{ atMs: now(), done: 0 }];
  }

  get done(): number {
    return this.#done;
  }

  /** `undefined` if the total is. */
  get share(): number | undefined {
    return this.total === 0 ? 1 : this.total === undefined ? undefined : this.#done / this.total;
  }

  /** Counts the progress of an earlier run of the command, which the rate leaves out. */
  restore(count: number): void {
    this.#done += count;
    this.#marks = this.#marks.map(({ atMs, done }) => ({ atMs, done: done + count }));
  }

  add(count: number): void {
    this.#done += count;
    const atMs = this.#now();
    const last = this.#marks.at(-1);
    // One mark a second is enough.
    if (last !== undefined && atMs - last.atMs < 1000) return;
    this.#marks = [...this.#marks.filter((mark) => atMs - mark.atMs < WINDOW_MS), { atMs, done: this.#done }];
  }

  /** Rows a second; 0 until it can be computed. */
  get rate(): number {
    const [first] = this.#marks;
    const seconds = first === undefined ? 0 : (this.#now() - first.atMs) / 1000;
    return first === undefined || seconds < 0.5 ? 0 : (this.#done - first.done) / seconds;
  }

  get secondsLeft(): number | undefined {
    return this.rate === 0 || this.total === undefined ? undefined : (this.total - this.#done) / this.rate;
  }
}

const BAR_WIDTH = 24;

/** `upload      ██████████░░░░  42 %  42,000 of 100,000  3,100 rows/s  19 s left` */
export function barLine(meter: Meter): string {
  const { name, share } = meter;
  if (share === undefined) return `${name.padEnd(11)} ${figures(meter)}`;
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  return `${name.padEnd(11)} ${bar} ${percentage(share).padStart(5)}  ${figures(meter)}`;
}

export function plainLine(meter: Meter): string {
  const { name, share } = meter;
  return `${name}: ${share === undefined ? '' : `${percentage(share)}, `}${figures(meter)}`;
}

const percentage = (share: number): string => `${Math.floor(share * 100)} %`;

function figures(meter: Meter): string {
  const { done, total, rate, secondsLeft } = meter;
  if (total === undefined) return `${grouped(done)} rows${rate === 0 ? '' : `  ${grouped(rate)} rows/s`}`;
  const count = `${grouped(done)} of ${grouped(total)}`;
  if (done >= total || rate === 0 || secondsLeft === undefined) return count;
  return `${count}  ${grouped(rate)} rows/s  ${duration(secondsLeft)} left`;
}
