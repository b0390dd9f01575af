/** The texts and record ids of whole files, in little memory. */

const FACTORS = [0x9e3779b1, 0x85ebca77] as const;

/** Numbers texts from 0, in order, by 64 bits of a hash: a million take 17 MB. Forging a hash harms only that file. */
export class TextNumbers {
  /** A hash table: the number of a text plus 1, 0 for an empty slot. At most half full. */
  #slots = new Uint32Array(1024);
  /** Both words of each hash, by the number of its text. */
  #hashes = new Uint32Array(1024);
  #next = 0;

  /** @param text `undefined` for a number that no text has */
  of(text: string | undefined): number {
    if (this.#next * 2 === this.#slots.length) this.#grow();
    if (text !== undefined) {
      this.#hash(text);
      const slot = this.#slotOf(this.#next);
      const known = this.#slots[slot] ?? 0;
      if (known > 0) return known - 1;
      this.#slots[slot] = this.#next + 1;
    }
    this.#next += 1;
    return this.#next - 1;
  }

  #hash(text: string): void {
    let a = FACTORS[0] ^ text.length;
    let b = FACTORS[1] ^ text.length;
    for (let at = 0; at < text.length; at += 2) {
      // Behind the end there is `NaN`, which counts as 0.
      const characters = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
      a = Math.imul(a ^ characters, FACTORS[0]);
      a ^= a >>> 15;
      b = Math.imul(b ^ characters, FACTORS[1]);
      b ^= b >>> 15;
    }
    const start = this.#next * 2;
    this.#hashes[start] = Math.imul(a ^ (a >>> 13), 0x27d4eb2f);
    this.#hashes[start + 1] = Math.imul(b ^ (b >>> 13), 0x27d4eb2f);
  }

  /** The slot of a text with the same hash as that of a number, or the free one where it belongs. */
  #slotOf(number: number): number {
    const last = this.#slots.length - 1;
    const a = this.#hashes[number * 2] ?? 0;
    const b = this.#hashes[number * 2 + 1];
    for (let slot = a & last; ; slot = (slot + 1) & last) {
      const known = (this.#slots[slot] ?? 0) - 1;
      if (known === -1 || (this.#hashes[known * 2] === a && this.#hashes[known * 2 + 1] === b)) return slot;
    }
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Uint32Array(slots.length * 2);
    this.#hashes = twice(this.#hashes);
    for (const known of slots) if (known > 0) this.#slots[this.#slotOf(known - 1)] = known;
  }
}

function twice(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(numbers.length * 2);
  longer.set(numbers);
  return longer;
}

export interface Place {
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
  add(id: string, { file, line }: Place): Place | undefined {
    if (this.#files.at(-1)?.file !== file) this.#files.push({ file, firstId: this.#ids });
    const number = this.#numbers.of(id);
    if (number === this.#ids) {
      if (number === this.#lines.length) this.#lines = twice(this.#lines);
      this.#lines[number] = line;
      this.#ids += 1;
      return undefined;
    }
    const known = this.#lines[number] ?? 0;
    return { file: this.#files.findLast(({ firstId }) => firstId <= number)?.file ?? file, line: known };
  }
}
