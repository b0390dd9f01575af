import { SourceError } from '../errors.ts';
import { jsonErrorOffset } from './json-error-offset.ts';
import { decodedText, type Encoding, MAX_ROW_BYTES } from './text-file.ts';

interface JsonFile {
  readonly path: string;
  readonly encoding: Encoding;
}

export interface JsonRow {
  /** Line of the file on which the value ends, from 1. */
  readonly line: number;
  readonly value: unknown;
}

/** The values of an NDJSON file, one on each line; empty lines are skipped. @throws SourceError for a line that is not JSON */
export async function* ndjsonRows(file: JsonFile): AsyncGenerator<JsonRow> {
  let line = 0;
  for await (const text of textLines(file)) {
    line += 1;
    if (text.trim() !== '') yield { line, value: parseJsonText(file.path, text, { line, column: 1 }) };
  }
}

async function* textLines({ path, encoding }: JsonFile): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of decodedText(path, encoding)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/**
 * The items of one JSON array of any size and layout: only the current item is in memory.
 *
 * @throws SourceError for anything but one array of JSON values, and for an item over 1 MiB
 */
export async function* jsonArrayRows(file: JsonFile): AsyncGenerator<JsonRow> {
  const cutter = new ItemCutter(file.path);
  for await (const piece of decodedText(file.path, file.encoding)) {
    for (const { text, start, line } of cutter.read(piece))
      yield { line, value: parseJsonText(file.path, text, start) };
  }
  cutter.end();
}

interface Item {
  readonly text: string;
  readonly start: { readonly line: number; readonly column: number };
  /** Where it ends. */
  readonly line: number;
}

const BLANK = /\s/;

/** Finds where each item of the outermost array begins and ends; `JSON.parse` validates the item. */
class ItemCutter {
  readonly #path: string;
  #state: 'before' | 'inside' | 'after' = 'before';
  #depth = 0;
  #inText = false;
  #escaped = false;
  #item = '';
  #items = 0;
  #start = { line: 1, column: 1 };
  #line = 1;
  #column = 0;

  constructor(path: string) {
    this.#path = path;
  }

  *read(piece: string): Generator<Item> {
    for (const character of piece) {
      this.#move(character);
      if (this.#state !== 'inside') this.#outside(character);
      else if (this.#endsItem(character)) yield* this.#cut(character);
      else this.#keep(character);
    }
  }

  end(): void {
    if (this.#state !== 'after') throw this.#error('the file ends inside the array. It is incomplete.');
  }

  #move(character: string): void {
    this.#line += character === '\n' ? 1 : 0;
    this.#column = character === '\n' ? 0 : this.#column + 1;
  }

  #outside(character: string): void {
    if (BLANK.test(character)) return;
    if (this.#state === 'after') throw this.#error('there is text after the end of the array.');
    if (character !== '[') throw this.#error('a JSON file must contain one array of records.');
    this.#state = 'inside';
  }

  #endsItem(character: string): boolean {
    return !this.#inText && this.#depth === 0 && (character === ',' || character === ']');
  }

  *#cut(character: string): Generator<Item> {
    const isEmptyArray = character === ']' && this.#items === 0 && this.#item === '';
    if (this.#item === '' && !isEmptyArray) throw this.#error('a value is missing.');
    if (this.#item !== '') yield { text: this.#item, start: this.#start, line: this.#line };
    this.#items += 1;
    this.#item = '';
    if (character === ']') this.#state = 'after';
  }

  #keep(character: string): void {
    if (this.#item === '') {
      if (BLANK.test(character)) return;
      this.#start = { line: this.#line, column: this.#column };
    }
    this.#item += character;
    if (this.#item.length > MAX_ROW_BYTES)
      throw new SourceError(this.#path, this.#start, 'this record is longer than 1 MiB.');
    if (this.#inText) this.#readText(character);
    else this.#readStructure(character);
  }

  #readText(character: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (character === '\\') this.#escaped = true;
    else if (character === '"') this.#inText = false;
  }

  #readStructure(character: string): void {
    if (character === '"') this.#inText = true;
    else if (character === '{' || character === '[') this.#depth += 1;
    else if (character === '}' || character === ']') this.#depth -= 1;
  }

  #error(problem: string): SourceError {
    return new SourceError(this.#path, { line: this.#line, column: this.#column }, problem);
  }
}

/** The service limits the depth of whole requests, so one deeper record would make it refuse a whole batch. */
const MAX_RECORD_LEVELS = 30;

/**
 * The value of a JSON text that begins at this place of the file.
 *
 * @throws SourceError naming the place of the error
 */
function parseJsonText(path: string, text: string, start: { line: number; column: number }): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SourceError(path, placeIn(text, jsonErrorOffset(text), start), 'this is not JSON.');
  }
  if (levels(value) > MAX_RECORD_LEVELS)
    throw new SourceError(path, start, `this record is nested deeper than ${MAX_RECORD_LEVELS} levels.`);
  return value;
}

function placeIn(text: string, offset: number, { line, column }: { line: number; column: number }) {
  const before = text.slice(0, offset).split('\n');
  const last = before.at(-1) ?? '';
  return before.length === 1
    ? { line, column: column + offset }
    : { line: line + before.length - 1, column: last.length + 1 };
}

function levels(value: unknown, limit = MAX_RECORD_LEVELS + 1): number {
  if (typeof value !== 'object' || value === null || limit === 0) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((member) => levels(member, limit - 1)));
}
