import type { OnProgress, Progress } from '../../engine/run/send.ts';
import type { RetryPolicy } from '../../client/index.ts';
import { barLine, Meter, plainLine } from './meter.ts';
import { shown } from '../../engine/text.ts';

/** Shows progress on a terminal or in a log. */
export interface Display {
  show(meters: readonly Meter[]): void;
  /** Prints a line that stays. */
  note(text: string): void;
  /** Leaves the figures of the end. */
  end(): void;
  /** Ends, and leaves nothing. */
  clear(): void;
}

interface Terminal {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const FRAME_MS = 100;
const PLAIN_LINE_MS = 5000;
const REMIND_MS = 30_000;

export function displayOn(terminal: Terminal): Display {
  return terminal.isTTY === true ? new LiveDisplay(terminal, FRAME_MS) : new PlainDisplay(terminal, PLAIN_LINE_MS);
}

/** Shows a meter while a step runs, and clears it afterwards. */
export async function whileShown<T>(display: Display, meter: Meter, step: () => Promise<T>): Promise<T> {
  display.show([meter]);
  try {
    return await step();
  } finally {
    display.clear();
  }
}

/** The same for a step that counts its progress without knowing the total. */
export function whileCounting<T>(
  display: Display,
  name: string,
  step: (add: (count: number) => void) => Promise<T>,
): Promise<T> {
  const meter = new Meter(name, undefined, Date.now);
  return whileShown(display, meter, () => step((count) => meter.add(count)));
}

/** Shows the progress of the engine while a step runs, a meter for each of its steps; progress ends an outage. */
export async function whileMetered<T>(
  { display, outage }: { readonly display: Display; readonly outage: OutageNotice },
  meters: Readonly<Partial<Record<Progress['step'], Meter>>>,
  step: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  display.show(Object.values(meters));
  try {
    return await step(({ step: name, records, isResumed }) => {
      outage.over();
      if (isResumed) meters[name]?.restore(records);
      else meters[name]?.add(records);
    });
  } finally {
    display.end();
  }
}

abstract class TimedDisplay implements Display {
  protected readonly terminal: Terminal;
  protected meters: readonly Meter[] = [];
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal, everyMs: number) {
    this.terminal = terminal;
    this.#everyMs = everyMs;
  }

  show(meters: readonly Meter[]): void {
    this.meters = meters;
    this.#timer ??= setInterval(() => this.draw(), this.#everyMs).unref();
  }

  note(text: string): void {
    this.terminal.write(`${shown(text)}\n`);
  }

  end(): void {
    this.draw();
    this.clear();
  }

  clear(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.meters = [];
  }

  protected abstract draw(): void;
}

/** Progress bars, redrawn in place. */
class LiveDisplay extends TimedDisplay {
  #drawn = 0;

  override note(text: string): void {
    this.#erase();
    super.note(text);
    this.draw();
  }

  override end(): void {
    this.draw();
    this.#drawn = 0;
    this.clear();
  }

  override clear(): void {
    super.clear();
    this.#erase();
  }

  protected override draw(): void {
    this.#erase();
    // A line that wraps would need two lines to be erased.
    const width = (this.terminal.columns || 120) - 1;
    for (const meter of this.meters) this.terminal.write(`${barLine(meter).slice(0, width)}\n`);
    this.#drawn = this.meters.length;
  }

  #erase(): void {
    if (this.#drawn > 0) this.terminal.write(`\u{1b}[${this.#drawn}A\u{1b}[J`);
    this.#drawn = 0;
  }
}

/** A line every few seconds, for logs. */
class PlainDisplay extends TimedDisplay {
  protected override draw(): void {
    for (const meter of this.meters) this.terminal.write(`${plainLine(meter)}\n`);
  }
}

/** Notes that the service is unreachable, once for all requests that notice it, and once that it is back. */
export class OutageNotice {
  readonly #note: (text: string) => void;
  readonly #now: () => number;
  #lastNotedAtMs: number | undefined;

  constructor(note: (text: string) => void, now: () => number) {
    this.#note = note;
    this.#now = now;
  }

  /** Waits for a service that is unreachable, and for quotas, and shows a note. */
  policy(minutes: number): RetryPolicy {
    return {
      patienceMs: minutes * 60_000,
      waitsOutThrottles: true,
      onWait: (reason, delayMs) => this.waiting(reason, delayMs),
    };
  }

  waiting(reason: string, delayMs: number): void {
    const isFirst = this.#lastNotedAtMs === undefined;
    if (this.#lastNotedAtMs !== undefined && this.#now() - this.#lastNotedAtMs < REMIND_MS) return;
    const seconds = Math.max(1, Math.round(delayMs / 1000));
    this.#note(isFirst ? `${reason}; retrying in ${seconds} s` : `still waiting: ${reason}`);
    this.#lastNotedAtMs = this.#now();
  }

  over(): void {
    if (this.#lastNotedAtMs === undefined) return;
    this.#lastNotedAtMs = undefined;
    this.#note('The service is back; resuming.');
  }
}
