const WINDOW_MS = 30_000;

/** How far one thing has come, how fast it goes of late, and how long the rest will take at that rate. */
export class Meter {
  readonly name: string;
  readonly total: number;
  #done = 0;
  readonly #now: () => number;
  #marks: { readonly atMs: number; readonly done: number }[] = [];

  constructor(name: string, total: number, now: () => number) {
    this.name = name;
    this.total = total;
    this.#now = now;
    this.#marks = [{ atMs: now(), done: 0 }];
  }

  get done(): number {
    return this.#done;
  }

  get share(): number {
    return this.total === 0 ? 1 : this.#done / this.total;
  }

  add(count: number): void {
    this.#done += count;
    const atMs = this.#now();
    const last = this.#marks.at(-1);
    // A mark a second is enough, and few.
    if (last !== undefined && atMs - last.atMs < 1000) return;
    this.#marks = [...this.#marks.filter((mark) => atMs - mark.atMs < WINDOW_MS), { atMs, done: this.#done }];
  }

  /** A second; 0 before anything can be said. */
  get rate(): number {
    const [first] = this.#marks;
    const seconds = first === undefined ? 0 : (this.#now() - first.atMs) / 1000;
    return first === undefined || seconds < 0.5 ? 0 : (this.#done - first.done) / seconds;
  }

  get secondsLeft(): number | undefined {
    return this.rate === 0 ? undefined : (this.total - this.#done) / this.rate;
  }
}
