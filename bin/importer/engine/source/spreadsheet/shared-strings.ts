/** The texts that the cells of a workbook share, packed: as JavaScript strings they would take several times the memory. */
import { UsageError } from '../../errors.ts';
import { type Archive, MAX_PART_BYTES } from './archive.ts';
import { unescaped, XmlReader } from './xml.ts';

const PAGE_BYTES = 1024 * 1024;
/** The limit of all texts together. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024;

export class SharedStrings {
  readonly #pages: Uint8Array[] = [];
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #used = PAGE_BYTES;
  #bytes = 0;
  /** The start of each text (the number of its page times the size of a page, plus the place in it) and its length. */
  #starts = new Float64Array(1024);
  #lengths = new Uint32Array(1024);
  #count = 0;

  add(text: string): void {
    const bytes = this.#encoder.encode(text);
    const { length } = bytes;
    this.#bytes += length;
    if (this.#bytes > MAX_TEXT_BYTES) throw new RangeError('too much text');
    if (this.#used + length > PAGE_BYTES) {
      this.#pages.push(new Uint8Array(Math.max(PAGE_BYTES, length)));
      this.#used = 0;
    }
    const page = this.#pages.length - 1;
    this.#pages[page]?.set(bytes, this.#used);
    this.#grow();
    this.#starts[this.#count] = page * PAGE_BYTES + this.#used;
    this.#lengths[this.#count] = length;
    this.#count += 1;
    // A text that is longer than a page has a page of its own.
    this.#used = Math.min(PAGE_BYTES, this.#used + length);
  }

  /** `undefined` if there is no such text. */
  get(index: number): string | undefined {
    if (!(index >= 0 && index < this.#count)) return undefined;
    const start = this.#starts[index] ?? 0;
    const within = start % PAGE_BYTES;
    const page = this.#pages[Math.floor(start / PAGE_BYTES)];
    return this.#decoder.decode(page?.subarray(within, within + (this.#lengths[index] ?? 0)));
  }

  #grow(): void {
    if (this.#count < this.#starts.length) return;
    const starts = new Float64Array(this.#count * 2);
    const lengths = new Uint32Array(this.#count * 2);
    starts.set(this.#starts);
    lengths.set(this.#lengths);
    this.#starts = starts;
    this.#lengths = lengths;
  }
}

/** A workbook without such a part has no shared texts. */
export async function readSharedStrings(path: string, archive: Archive, name: string): Promise<SharedStrings> {
  const strings = new SharedStrings();
  if (!archive.has(name)) return strings;
  let text = '';
  let isText = false;
  let isPhonetic = false;
  const reader = new XmlReader(path, {
    open(tag) {
      if (tag === 'si') text = '';
      else if (tag === 'rPh') isPhonetic = true;
      else if (tag === 't') isText = !isPhonetic;
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(tag) {
      if (tag === 't') isText = false;
      else if (tag === 'rPh') isPhonetic = false;
      else if (tag === 'si') strings.add(unescaped(text));
    },
  });
  try {
    await reader.read(archive.text(name, MAX_PART_BYTES));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`${path} cannot be read: its texts are more than 256 MiB. Save the sheet as CSV.`);
  }
  return strings;
}
