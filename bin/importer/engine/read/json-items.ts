import type { Code, Codes } from '../ground/codes.ts';
import { type EngineError, refusalAt } from '../ground/errors.ts';
import { KEY_COLUMN, SHEET_COLUMN } from '../ground/columns.ts';
import { isObject } from '../ground/fields.ts';
import { MAX_ROW_BYTES } from './text-file.ts';

const BLANK = /\s/;
/** A member that is an object. */
const MEMBER = /^\{"(?:[^"\\]|\\.)*"\s*:\s*\{/s;
/** What is around an array is a few names and titles. */
const MOST_AROUND = 64 * 1024;

/** Follows a JSON text by character: the open objects and arrays, and the current member of each object. */
export class Nesting {
  readonly open: { readonly isObject: boolean; name: string }[] = [];
  inText = false;
  #text = '';
  #isEscaped = false;
  /** The text is a value, so it is not kept. */
  #isValue = false;

  read(character: string): void {
    if (this.inText) this.#readText(character);
    else if (character === '"') [this.inText, this.#text] = [true, ''];
    else if (character === '{' || character === '[') this.#begin(character === '{');
    else if (character === '}' || character === ']') this.open.pop();
    else if (character === ':') this.#nameMember();
    else if (character === ',') this.#isValue = false;
  }

  #begin(isObject: boolean): void {
    this.open.push({ isObject, name: '' });
    this.#isValue = false;
  }

  #readText(character: string): void {
    if (character === '"' && !this.#isEscaped) this.inText = false;
    else {
      this.#isEscaped = !this.#isEscaped && character === '\\';
      if (!this.#isValue && this.#text.length < 1000) this.#text += character;
    }
  }

  #nameMember(): void {
    const object = this.open.at(-1);
    if (object !== undefined) object.name = this.#text;
    this.#isValue = true;
  }
}

/** The path of a place in objects and arrays, like `data.statements`. */
export const pathOf = (open: Nesting['open']): string =>
  open
    .filter(({ isObject, name }) => isObject && name !== '')
    .map(({ name }) => name)
    .join('.');

/** Finds the start and the end of each item of an array; `JSON.parse` validates the item. */
export class ItemCutter {
  readonly #path: string;
  readonly #wanted: string | undefined;
  /** Cuts the items of every array of the object at the path. */
  readonly #isKeyed: boolean;
  /** Cuts the members of the object at the path. */
  readonly #ofMembers: boolean;
  #name = '';
  readonly #nesting = new Nesting();
  #state: 'before' | 'inside' | 'after' = 'before';
  /** The number of objects and arrays around an item. */
  #depth = 0;
  #item = '';
  #items = 0;
  #start = { line: 1, column: 1 };
  #line = 1;
  #column = 0;
  #before = '';
  #around: unknown;

  /** @param wanted path of the array; with `{}`, of an object; without it the file itself, or its first array */
  constructor(path: string, wanted: string | undefined) {
    this.#path = path;
    this.#isKeyed = wanted?.endsWith('*') === true;
    this.#ofMembers = wanted?.endsWith('{}') === true;
    this.#wanted = wanted?.replace(/\.?(?:\*|\{\})$/, '');
  }

  /** The items, each with the place where it starts and the line on which it ends. */
  *read(piece: string) {
    for (const character of piece) {
      this.#line += character === '\n' ? 1 : 0;
      this.#column = character === '\n' ? 0 : this.#column + 1;
      if (this.#state !== 'inside') this.#readOutside(character);
      else if (this.#endsItem(character)) yield* this.#cut(character);
      else this.#keep(character);
    }
  }

  /** An item with its own name, or with that of its array, if all arrays of an object are read. */
  named(item: unknown): unknown {
    if (this.#ofMembers && isObject(item)) {
      const [[name, member] = []] = Object.entries(item);
      return isObject(member) ? { [KEY_COLUMN]: name, ...member } : member;
    }
    return this.#isKeyed && isObject(item) && !Array.isArray(item) ? { [SHEET_COLUMN]: this.#name, ...item } : item;
  }

  /** What the objects around the array say before it; `undefined` for nothing. */
  get around(): unknown {
    return this.#around;
  }

  end(): void {
    const isEmpty = this.#state === 'before' && this.#before === '';
    if (isEmpty || this.#state === 'inside' || this.#nesting.open.length > 0)
      throw this.#refusal('json_incomplete', {});
    if (this.#state === 'before') throw this.#refusal('json_without_array', { array: this.#wanted });
  }

  #readOutside(character: string): void {
    if (BLANK.test(character) && !this.#nesting.inText) return;
    const isAnother = this.#isKeyed && this.#state === 'after' && this.#nesting.open.length > 0;
    if (this.#state === 'before' || isAnother) this.#readBefore(character);
    else if (this.#nesting.open.length > 0) this.#nesting.read(character);
    else throw this.#refusal('text_after_array', {});
  }

  #readBefore(character: string): void {
    if (this.#before === '' && character !== '{' && character !== '[') throw this.#refusal('json_of_no_records', {});
    const begin = this.#ofMembers ? '{' : '[';
    const begins = character === begin && !this.#nesting.inText && this.#isWanted();
    this.#nesting.read(character);
    if (begins) this.#begin();
    else if (this.#before.length < MOST_AROUND) this.#before += character;
  }

  #isWanted(): boolean {
    const { open } = this.#nesting;
    if (this.#ofMembers) return pathOf(open) === this.#wanted && open.every((each) => each.isObject);
    if (this.#wanted === undefined) return open.length === 0 || (open.length === 1 && open[0]?.isObject === true);
    const names = (this.#isKeyed ? open.slice(0, -1) : open).map(({ name }) => name);
    return open.length > 0 && open.every((each) => each.isObject) && names.join('.') === this.#wanted;
  }

  #begin(): void {
    this.#state = 'inside';
    this.#items = 0;
    this.#name = this.#nesting.open.at(-2)?.name ?? '';
    this.#depth = this.#nesting.open.length;
    // Names alone, and members that are empty, say nothing.
    if (this.#isKeyed || this.#before.length >= MOST_AROUND || !/"\s*:\s*(?![\s{[]|null)/.test(this.#before)) return;
    try {
      this.#around = JSON.parse(`${this.#before}null${'}'.repeat(this.#depth - 1)}`);
    } catch {
      // The text before the array is not JSON: it says nothing.
    }
  }

  #endsItem(character: string): boolean {
    const { open, inText } = this.#nesting;
    return !inText && open.length === this.#depth && (character === ',' || character === (this.#ofMembers ? '}' : ']'));
  }

  *#cut(character: string) {
    const isEnd = character !== ',';
    const isEmptyArray = isEnd && this.#items === 0 && this.#item === '';
    if (this.#item === '' && !isEmptyArray) throw this.#refusal('json_value_missing', {});
    const text = this.#ofMembers ? `{${this.#item}}` : this.#item;
    if (this.#item !== '' && (!this.#ofMembers || MEMBER.test(text)))
      yield { text, start: this.#start, line: this.#line };
    this.#items += 1;
    this.#item = '';
    if (isEnd) this.#state = 'after';
    this.#nesting.read(character);
  }

  #keep(character: string): void {
    if (this.#item === '') {
      if (BLANK.test(character)) return;
      this.#start = { line: this.#line, column: this.#column };
    }
    this.#item += character;
    if (this.#item.length > MAX_ROW_BYTES) throw refusalAt(this.#path, this.#start, 'record_too_long', {});
    this.#nesting.read(character);
  }

  #refusal<Some extends Code>(code: Some, params: Codes[Some]): EngineError {
    return refusalAt(this.#path, { line: this.#line, column: this.#column }, code, params);
  }
}
