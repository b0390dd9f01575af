/** The texts that the cells of a workbook share, packed: as JavaScript strings they would take several times the memory. */
import { say } from '../../ground/codes.ts';
import { MAX_ROW_BYTES } from '../text-file.ts';
import { type Archive, unreadable } from './archive.ts';
import { readXml, unescaped } from './xml.ts';

/** Of a page of texts. No text is longer. */
const PAGE_BYTES = MAX_ROW_BYTES;
/** Of the part: all texts together, with their tags. */
const MAX_BYTES = 256 * 1024 * 1024;
const NUMBERS = 65_536;
/** Equal texts are shared, so a program writes few empty ones. */
const MAX_EMPTY = 500_000;

export class SharedStrings {
  readonly #path: string;
  readonly #pages: Uint8Array[] = [];
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #used = PAGE_BYTES;
  /** By turns the start of each text (its page times the size of a page, plus the place in it) and its length. */
  readonly #places: Uint32Array[] = [];
  #count = 0;
  #empty = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** @throws EngineError for a text that is longer than a page, or one empty text too many */
  add(text: string): void {
    const bytes = this.#encoder.encode(text);
    const { length } = bytes;
    if (length === 0) this.#empty += 1;
    if (length > PAGE_BYTES) throw unreadable(this.#path, say('shared_text_too_long', {}));
    if (this.#empty > MAX_EMPTY) throw unreadable(this.#path, say('shared_texts_empty', {}));
    if (this.#used + length > PAGE_BYTES) {
      this.#pages.push(new Uint8Array(PAGE_BYTES));
      this.#used = 0;
    }
    const page = this.#pages.length - 1;
    this.#pages[page]?.set(bytes, this.#used);
    const at = (this.#count * 2) % NUMBERS;
    if (at === 0) this.#places.push(new Uint32Array(NUMBERS));
    this.#places.at(-1)?.set([page * PAGE_BYTES + this.#used, length], at);
    this.#count += 1;
    this.#used += length;
  }

  /** `undefined` if there is no such text. */
  get(index: number): string | undefined {
    if (!(Number.isInteger(index) && index >= 0 && index < this.#count)) return undefined;
    const at = (index * 2) % NUMBERS;
    const [start = 0, length = 0] = this.#places[Math.floor((index * 2) / NUMBERS)]?.subarray(at, at + 2) ?? [];
    const within = start % PAGE_BYTES;
    return this.#decoder.decode(this.#pages[Math.floor(start / PAGE_BYTES)]?.subarray(within, within + length));
  }
}

/** A workbook without such a part has no shared texts. */
export async function readSharedStrings(path: string, archive: Archive, name: string): Promise<SharedStrings> {
  const strings = new SharedStrings(path);
  if (!archive.has(name)) return strings;
  let text = '';
  let isText = false;
  let isPhonetic = false;
  const handler = {
    open(tag: string) {
      if (tag === 'si') text = '';
      else if (tag === 'rPh') isPhonetic = true;
      else if (tag === 't') isText = !isPhonetic;
    },
    text(piece: string) {
      if (isText && text.length <= MAX_ROW_BYTES) text += piece;
    },
    close(tag: string) {
      if (tag === 't') isText = false;
      else if (tag === 'rPh') isPhonetic = false;
      else if (tag === 'si') strings.add(unescaped(text));
    },
  };
  await readXml(path, archive.text(name, MAX_BYTES), handler);
  return strings;
}
