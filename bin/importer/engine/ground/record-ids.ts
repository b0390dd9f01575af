/** The texts and record ids of whole files, in little memory. */

const FACTORS = [0x9e3779b1, 0x85ebca77] as const;

/** Numbers texts from 0, in order, by 64 bits of a hash: a million take 20 MB. Forging a hash harms only that file. */
export class TextNumbers {
  /**
   * A hash table: the first word of the hash of a text, and behind it the number of the text plus 1, 0 for an empty slot. At most
   * half full. Most texts are new: what is beside the number shows it without another place of the memory.
   */
  #slots = new Uint32Array(2048);
  /** The second word of each hash, by the number of its text. */
  #seconds = new Uint32Array(512);
  #next = 0;

  /** @param text `undefined` for a number that no text has */
  of(text: string | undefined): number {
    if (this.#next === this.#seconds.length) this.#grow();
    if (text !== undefined) {
      const first = this.#hash(text);
      const slot = this.#slotOf(first, this.#next);
      const known = this.#slots[slot + 1] ?? 0;
      if (known > 0) return known - 1;
      this.#slots[slot] = first;
      this.#slots[slot + 1] = this.#next + 1;
    }
    this.#next += 1;
    return this.#next - 1;
  }

  /** The number of a text that has one. */
  known(text: string): number | undefined {
    if (this.#next === this.#seconds.length) this.#grow();
    const number = this.#slots[this.#slotOf(this.#hash(text), this.#next) + 1] ?? 0;
    return number === 0 ? undefined : number - 1;
  }

  /** The first word; the second is that of the next number. */
  #hash(text: string): number {
    let a = FACTORS[0] ^ text.length;
    let b = FACTORS[1] ^ text.length;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at);
      a = Math.imul(a ^ character, FACTORS[0]);
      a ^= a >>> 15;
      b = Math.imul(b ^ character, FACTORS[1]);
      b ^= b >>> 15;
    }
    this.#seconds[this.#next] = Math.imul(b ^ (b >>> 13), 0x27d4eb2f);
    return Math.imul(a ^ (a >>> 13), 0x27d4eb2f) >>> 0;
  }

  /** The slot of a text with the same hash as that of a number, or the free one where it belongs. */
  #slotOf(first: number, number: number): number {
    const last = this.#slots.length - 2;
    const second = this.#seconds[number];
    for (let slot = (first << 1) & last; ; slot = (slot + 2) & last) {
      const known = (this.#slots[slot + 1] ?? 0) - 1;
      if (known === -1 || (this.#slots[slot] === first && this.#seconds[known] === second)) return slot;
    }
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Uint32Array(slots.length * 2);
    this.#seconds = twice(this.#seconds);
    for (let slot = 0; slot < slots.length; slot += 2) {
      const [first = 0, known = 0] = [slots[slot], slots[slot + 1]];
      if (known === 0) continue;
      const free = this.#slotOf(first, known - 1);
      this.#slots[free] = first;
      this.#slots[free + 1] = known;
    }
  }
}

/** The numbers in an array of twice the length. */
export function twice(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(numbers.length * 2);
  longer.set(numbers);
  return longer;
}

/** Where a record id occurred first. */
export interface RowPlace {
  readonly file: string;
  readonly line: number;
}

/** The record ids of whole files, each with the place where it occurred first. */
export class RecordIdSet {
  readonly #numbers = new TextNumbers();
  /** Line numbers by the number of the id. */
  #lines = new Uint32Array(1024);
  #ids = 0;
  readonly #files: { readonly file: string; readonly firstId: number }[] = [];

  /** Notes an id; returns where it occurred before, if it did. */
  add(id: string, { file, line }: RowPlace): RowPlace | undefined {
    if (this.#files.at(-1)?.file !== file) this.#files.push({ file, firstId: this.#ids });
    const number = this.#numbers.of(id);
    if (number === this.#ids) {
      if (number === this.#lines.length) this.#lines = twice(this.#lines);
      this.#lines[number] = line;
      this.#ids += 1;
      return undefined;
    }
    return this.#placeAt(number);
  }

  /** Where an id occurred first. */
  placeOf(id: string): RowPlace | undefined {
    const number = this.#numbers.known(id);
    return number === undefined ? undefined : this.#placeAt(number);
  }

  #placeAt(number: number): RowPlace {
    const file = this.#files.findLast(({ firstId }) => firstId <= number)?.file ?? '';
    return { file, line: this.#lines[number] ?? 0 };
  }
}
