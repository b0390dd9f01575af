/**
 * What reading a file may cost. Whatever a stranger's file finds to make the reader slow, reading it ends: refused by name. Ordinary
 * files are far below: a million rows (94 MB) take half a minute of three quarters of an hour.
 */
import { refusal } from '../ground/errors.ts';
import type { InputFile } from './bytes.ts';
import type { Pieces } from './pieces.ts';

/** What measures the work. */
export interface Meter {
  /** Milliseconds, of the processor where they can be known. */
  ms(): number;
  /** The share of the memory that is used, from 0 to 1. */
  memory?(): number;
}

const SECOND = 1000;
/** For a file of any size, and for each mebibyte of it, packed as it is. */
const FREE_MS = 120 * SECOND;
const MS_PER_MEBIBYTE = 30 * SECOND;
const MEBIBYTE = 2 ** 20;
/** Beyond it, a program ends without a word. */
const MOST_MEMORY = 0.9;
/** Rows between two looks at the meter. */
const ROWS = 64;

/**
 * The same rows, for as long as the work on them stays within its budget: that of the reader, and that of who takes the rows. Waiting
 * between two pieces, as for a response of the service, costs nothing. @throws EngineError
 */
export const within = <Row>(pieces: Pieces<Row>, file: InputFile, meter: Meter | undefined): Pieces<Row> =>
  meter === undefined ? pieces : measured(pieces, file, meter);

async function* measured<Row>(
  pieces: Pieces<Row>,
  { name: path, size }: InputFile,
  meter: Meter,
): AsyncGenerator<Iterable<Row>> {
  const mostMs = FREE_MS + (size / MEBIBYTE) * MS_PER_MEBIBYTE;
  let spentMs = 0;
  let sinceMs = 0;
  const begin = (): void => {
    sinceMs = meter.ms();
  };
  const check = (): void => {
    const nowMs = meter.ms();
    spentMs += nowMs - sinceMs;
    sinceMs = nowMs;
    if (spentMs > mostMs) throw refusal('reading_takes_too_long', { path, seconds: Math.round(mostMs / SECOND) });
  };
  function* each(rows: Iterable<Row>): Generator<Row> {
    begin();
    let count = 0;
    for (const row of rows) {
      yield row;
      count += 1;
      if (count % ROWS === 0) check();
    }
    check();
  }
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      begin();
      const { done, value } = await iterator.next();
      check();
      if (done === true) return;
      if ((meter.memory?.() ?? 0) > MOST_MEMORY) throw refusal('reading_takes_too_much_memory', { path });
      yield each(value);
    }
  } finally {
    await iterator.return?.();
  }
}
