import { duration } from './terminal.ts';
import type { RetryPolicy } from '../client/index.ts';
import type { OnProgress, Progress } from '../engine/run/send.ts';
import { grouped, shown } from '../engine/ground/text.ts';

const WINDOW_MS = 30_000;

/** Progress of one task: the share that is done, the rate over the last 30 s, and the time left at that rate. */
export class Meter {
  readonly name: string;
  /** `undefined` if it is only known at the end. */
  readonly total: number | undefined;
  #done = 0;
  readonly #now: () => number;
  #marks: { readonly atMs: number; readonly done: number }[] = [];

  constructor(name: string, total: number | undefined, now = Date.now) {
    this.name = name;
    this.total = total;
    this.#now = now;
    this.#marks = [{ atMs: now(), done: 0 }];
  }

  get done(): number {
    return this.#done;
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
    if (last !== undefined && atMs - last.atMs < 1000) return;
    this.#marks = [...this.#marks.filter((mark) => atMs - mark.atMs < WINDOW_MS), { atMs, done: this.#done }];
  }

  /** Rows a second; 0 until it can be computed. */
  get rate(): number {
    const [first] = this.#marks;
    const seconds = first === undefined ? 0 : (this.#now() - first.atMs) / 1000;
    return first === undefined || seconds < 0.5 ? 0 : (this.#done - first.done) / seconds;
  }

  /** `upload: 42 %, 42,000 of 100,000  3,100 rows/s  19 s left` */
  line(): string {
    const { name, total, done, rate } = this;
    const speed = rate === 0 ? '' : `  ${grouped(rate)} rows/s`;
    if (total === undefined) return `${name}: ${grouped(done)} rows${speed}`;
    const share = Math.floor((total === 0 ? 1 : done / total) * 100);
    const left = done >= total || rate === 0 ? '' : `${speed}  ${duration((total - done) / rate)} left`;
    return `${name}: ${share} %, ${grouped(done)} of ${grouped(total)}${left}`;
  }
}

export type Display = ReturnType<typeof displayOn>;

interface Terminal {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const FRAME_MS = 100;
const PLAIN_LINE_MS = 5000;

/** Lines of meters while a step runs: redrawn in place on a terminal, elsewhere one every few seconds. */
export function displayOn(terminal: Terminal) {
  const isLive = terminal.isTTY === true;
  let meters: readonly Meter[] = [];
  let drawn = 0;
  const erase = (): void => {
    if (drawn > 0) terminal.write(`\u{1b}[${drawn}A\u{1b}[J`);
    drawn = 0;
  };
  const draw = (): void => {
    erase();
    // A line that wraps would need two lines to be erased.
    const width = (terminal.columns || 120) - 1;
    for (const meter of meters) terminal.write(`${isLive ? meter.line().slice(0, width) : meter.line()}\n`);
    drawn = isLive ? meters.length : 0;
  };
  return {
    note(text: string): void {
      erase();
      terminal.write(`${shown(text)}\n`);
      if (isLive) draw();
    },
    /** @param isKept at the end the lines stay */
    async during<T>(wanted: readonly Meter[], step: () => Promise<T>, isKept = false): Promise<T> {
      meters = wanted;
      const timer = setInterval(draw, isLive ? FRAME_MS : PLAIN_LINE_MS).unref();
      try {
        return await step();
      } finally {
        clearInterval(timer);
        if (isKept) draw();
        else erase();
        [meters, drawn] = [[], 0];
      }
    },
  };
}

export function whileCounting<T>(
  display: Display,
  name: string,
  step: (add: (count: number) => void) => Promise<T>,
): Promise<T> {
  const meter = new Meter(name, undefined);
  return display.during([meter], () => step((count) => meter.add(count)));
}

/** Shows the progress of the engine while a step runs, a meter for each of its steps; progress ends an outage. */
export function whileMetered<T>(
  { display, outage }: { readonly display: Display; readonly outage: OutageNotice },
  meters: Readonly<Partial<Record<Progress['step'], Meter>>>,
  step: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  const onProgress: OnProgress = ({ step: name, records, isResumed }) => {
    outage.over();
    if (isResumed) meters[name]?.restore(records);
    else meters[name]?.add(records);
  };
  return display.during(Object.values(meters), () => step(onProgress), true);
}

const REMIND_MS = 30_000;

export type OutageNotice = ReturnType<typeof outageNotice>;

/** Notes that the service is unreachable, once for all requests that notice it, and once that it is back. */
export function outageNotice(note: (text: string) => void, now = Date.now) {
  let lastNotedAtMs: number | undefined;
  const waiting = (reason: string, delayMs: number): void => {
    if (lastNotedAtMs !== undefined && now() - lastNotedAtMs < REMIND_MS) return;
    const seconds = Math.max(1, Math.round(delayMs / 1000));
    note(lastNotedAtMs === undefined ? `${reason}; retrying in ${seconds} s` : `still waiting: ${reason}`);
    lastNotedAtMs = now();
  };
  return {
    waiting,
    /** Waits for a service that is unreachable, and for quotas, and shows a note. */
    policy: (minutes: number): RetryPolicy => ({
      patienceMs: minutes * 60_000,
      waitsOutThrottles: true,
      onWait: waiting,
    }),
    over(): void {
      if (lastNotedAtMs === undefined) return;
      lastNotedAtMs = undefined;
      note('The service is back; resuming.');
    },
  };
}
