import { SourceFault } from '../faults.ts';
import { type Encoding, decodedText } from './encoding.ts';
import { parseJsonText } from './json-text.ts';
import { MAX_ROW_BYTES, type Row } from './row.ts';

/**
 * The items of one JSON array, whatever its size and layout: only the item being read is in memory.
 *
 * @throws SourceFault for anything that is not one array of JSON values, and for an item over 1 MiB
 */
export async function* jsonArrayRows(file: { path: string; encoding: Encoding }): AsyncGenerator<Row> {
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

/** Finds where each item of the outermost array begins and ends; whether it is JSON inside is for the parser to say. */
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
    if (this.#state !== 'after') throw this.#fault('the file ends inside the array: it is cut short');
  }

  #move(character: string): void {
    this.#line += character === '\n' ? 1 : 0;
    this.#column = character === '\n' ? 0 : this.#column + 1;
  }

  #outside(character: string): void {
    if (BLANK.test(character)) return;
    if (this.#state === 'after') throw this.#fault('something follows the end of the array');
    if (character !== '[') throw this.#fault('a JSON file must hold one array of records');
    this.#state = 'inside';
  }

  #endsItem(character: string): boolean {
    return !this.#inText && this.#depth === 0 && (character === ',' || character === ']');
  }

  *#cut(character: string): Generator<Item> {
    const isEmptyArray = character === ']' && this.#items === 0 && this.#item === '';
    if (this.#item === '' && !isEmptyArray) throw this.#fault('a value is missing');
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
      throw new SourceFault(this.#path, this.#start, 'this record is longer than 1 MiB');
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

  #fault(problem: string): SourceFault {
    return new SourceFault(this.#path, { line: this.#line, column: this.#column }, problem);
  }
}
