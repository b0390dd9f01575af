import type { Meter } from './meter.ts';
import { barLine, plainLine } from './words.ts';

/** Shows how work goes on. */
export interface Display {
  show(meters: readonly Meter[]): void;
  /** A line that stays. */
  note(text: string): void;
  end(): void;
}

export interface Terminal {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const FRAME_MS = 100;
const PLAIN_LINE_MS = 5000;

export function displayOn(terminal: Terminal): Display {
  return terminal.isTTY === true ? new LiveDisplay(terminal) : new PlainDisplay(terminal);
}

/** Bars that are redrawn where they stand. */
class LiveDisplay implements Display {
  readonly #terminal: Terminal;
  #meters: readonly Meter[] = [];
  #drawn = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(meters: readonly Meter[]): void {
    this.#meters = meters;
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS).unref();
  }

  note(text: string): void {
    this.#erase();
    this.#terminal.write(`${text}\n`);
    this.#draw();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#draw();
    this.#meters = [];
    this.#drawn = 0;
  }

  #draw(): void {
    this.#erase();
    // A line that wraps would be two to erase.
    const width = (this.#terminal.columns || 120) - 1;
    for (const meter of this.#meters) this.#terminal.write(`${barLine(meter).slice(0, width)}\n`);
    this.#drawn = this.#meters.length;
  }

  #erase(): void {
    if (this.#drawn > 0) this.#terminal.write(`\u{1b}[${this.#drawn}A\u{1b}[J`);
    this.#drawn = 0;
  }
}

/** A line now and then, for logs. */
class PlainDisplay implements Display {
  readonly #terminal: Terminal;
  #meters: readonly Meter[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(meters: readonly Meter[]): void {
    this.#meters = meters;
    this.#timer ??= setInterval(() => this.#print(), PLAIN_LINE_MS).unref();
  }

  note(text: string): void {
    this.#terminal.write(`${text}\n`);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#print();
    this.#meters = [];
  }

  #print(): void {
    for (const meter of this.#meters) this.#terminal.write(`${plainLine(meter)}\n`);
  }
}
