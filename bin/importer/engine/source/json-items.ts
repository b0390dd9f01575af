import { SourceError } from '../errors.ts';
import { MAX_ROW_BYTES } from './text-file.ts';

interface Item {
  readonly text: string;
  readonly start: { readonly line: number; readonly column: number };
  /** The line on which it ends. */
  readonly line: number;
}

const BLANK = /\s/;
/** What is around an array is a few names and titles. */
const MOST_AROUND = 64 * 1024;

/** Finds the start and the end of each item of an array; `JSON.parse` validates the item. */
export class ItemCutter {
  readonly #path: string;
  readonly #outside: Outside;
  #state: 'before' | 'inside' | 'after' = 'before';
  #depth = 0;
  #inText = false;
  #escaped = false;
  #item = '';
  #items = 0;
  #start = { line: 1, column: 1 };
  #line = 1;
  #column = 0;
  #before = '';
  #around: unknown;

  constructor(path: string, wanted: string | undefined) {
    this.#path = path;
    this.#outside = new Outside(wanted);
  }

  *read(piece: string): Generator<Item> {
    for (const character of piece) {
      this.#move(character);
      if (this.#state !== 'inside') this.#readOutside(character);
      else if (this.#endsItem(character)) yield* this.#cut(character);
      else this.#keep(character);
    }
  }

  /** What the objects around the array say before it; `undefined` for nothing. */
  get around(): unknown {
    return this.#around;
  }

  end(): void {
    if (this.#state === 'inside' || !this.#outside.isComplete)
      throw this.#error('the file ends inside the array. It is incomplete.');
    if (this.#state === 'before')
      throw this.#error(`there is no array ${this.#outside.wanted ?? 'of records'} in this file.`);
  }

  #move(character: string): void {
    this.#line += character === '\n' ? 1 : 0;
    this.#column = character === '\n' ? 0 : this.#column + 1;
  }

  #readOutside(character: string): void {
    if (BLANK.test(character) && !this.#outside.inText) return;
    if (this.#outside.isComplete && this.#state === 'after')
      throw this.#error('there is text after the end of the array.');
    const isArray = this.#outside.read(character);
    if (isArray === 'nothing') throw this.#error('a JSON file must contain one array of records.');
    if (this.#state !== 'before') return;
    if (isArray) {
      this.#state = 'inside';
      this.#around = this.#before.length < MOST_AROUND ? this.#outside.complete(this.#before) : undefined;
    } else if (this.#before.length < MOST_AROUND) this.#before += character;
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
    if (character !== ']') return;
    this.#state = 'after';
    this.#outside.read(character);
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

/** The surroundings of the array: objects in which it is a member. */
class Outside {
  readonly wanted: string | undefined;
  /** Open objects and arrays; of an object the name of its current member. */
  readonly #open: { readonly isObject: boolean; name: string }[] = [];
  #started = false;
  #text: string | undefined;
  #escaped = false;
  #last = '';

  constructor(wanted: string | undefined) {
    this.wanted = wanted;
  }

  get inText(): boolean {
    return this.#text !== undefined;
  }

  get isComplete(): boolean {
    return this.#started && this.#open.length === 0;
  }

  /** `true` if the wanted array begins with this character; `nothing` if the file is neither an array nor an object. */
  read(character: string): boolean | 'nothing' {
    if (this.#text !== undefined) return this.#readText(character);
    if (!this.#started && character !== '{' && character !== '[') return 'nothing';
    this.#started = true;
    const begins = character === '[' && this.#isWanted();
    this.#readStructure(character);
    return begins;
  }

  /** The object of a text that ends before the wanted array; `undefined` if it says nothing else. */
  complete(before: string): unknown {
    try {
      const value: unknown = JSON.parse(`${before}null${'}'.repeat(this.#open.length - 1)}`);
      return /"\s*:\s*(?![\s{[]|null)/.test(before) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  #readStructure(character: string): void {
    if (character === '"') this.#text = '';
    else if ('{['.includes(character)) this.#open.push({ isObject: character === '{', name: '' });
    else if ('}]'.includes(character)) this.#open.pop();
    else if (character === ':') this.#name(this.#last);
  }

  #readText(character: string): false {
    if (character === '"' && !this.#escaped) {
      this.#last = this.#text ?? '';
      this.#text = undefined;
      return false;
    }
    this.#escaped = !this.#escaped && character === '\\';
    if ((this.#text?.length ?? 0) < 1000) this.#text += character;
    return false;
  }

  #name(name: string): void {
    const object = this.#open.at(-1);
    if (object !== undefined) object.name = name;
  }

  #isWanted(): boolean {
    if (this.wanted === undefined)
      return this.#open.length === 0 || (this.#open.length === 1 && this.#open[0]?.isObject === true);
    return this.#open.every(({ isObject }) => isObject) && this.#open.map(({ name }) => name).join('.') === this.wanted;
  }
}
