/** The texts and record ids of whole files, in little memory. */

/** 32-bit words of a hash: 96 bits. Whoever makes two texts of one hash harms only their own file. */
const WORDS = 3;
const FACTORS = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d] as const;

function wordOf(text: string, factor: number): number {
  let word = factor ^ text.length;
  for (let at = 0; at < text.length; at += 1) {
    word = Math.imul(word ^ text.charCodeAt(at), factor);
    word ^= word >>> 15;
  }
  return Math.imul(word ^ (word >>> 13), 0x27d4eb2f) >>> 0;
}

/**
 * Numbers texts from 0, in the order in which they occur first. Stores 96 bits of a hash in place of a text, so that 250,000
 * texts take 5 MB however long they are.
 */
export class TextNumbers {
  /** A hash table: the number of a text plus 1, 0 for an empty slot. At most half full. */
  #slots = new Uint32Array(1024);
  /** The words of each hash, by the number of its text. */
  #hashes = new Uint32Array(512 * WORDS);
  #next = 0;

  /** @param text `undefined` for a number that no text has */
  of(text: string | undefined): number {
    if (this.#next * 2 === this.#slots.length) this.#grow();
    if (text !== undefined) {
      const start = this.#next * WORDS;
      for (const [word, factor] of FACTORS.entries()) this.#hashes[start + word] = wordOf(text, factor);
      const slot = this.#slotOf(this.#next);
      const known = this.#slots[slot] ?? 0;
      if (known > 0) return known - 1;
      this.#slots[slot] = this.#next + 1;
    }
    this.#next += 1;
    return this.#next - 1;
  }

  /** The slot of a text with the same hash as that of a number, or the free one where it belongs. */
  #slotOf(number: number): number {
    const last = this.#slots.length - 1;
    let slot = (this.#hashes[number * WORDS] ?? 0) & last;
    for (;;) {
      const known = this.#slots[slot] ?? 0;
      if (known === 0 || this.#isSame(known - 1, number)) return slot;
      slot = (slot + 1) & last;
    }
  }

  #isSame(a: number, b: number): boolean {
    for (let word = 0; word < WORDS; word += 1)
      if (this.#hashes[a * WORDS + word] !== this.#hashes[b * WORDS + word]) return false;
    return true;
  }

  #grow(): void {
    const [slots, hashes] = [this.#slots, this.#hashes];
    this.#slots = new Uint32Array(slots.length * 2);
    this.#hashes = new Uint32Array(hashes.length * 2);
    this.#hashes.set(hashes);
    for (const known of slots) if (known > 0) this.#slots[this.#slotOf(known - 1)] = known;
  }
}

/** The place where an id occurred first. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** The record ids of whole files, each with the place where it occurred first. */
export class RecordIdSet {
  readonly #numbers = new TextNumbers();
  /** Line numbers by the number of the id. */
  readonly #lines: number[] = [];
  readonly #files: { readonly file: string; readonly firstId: number }[] = [];

  /** Notes an id; returns where it occurred before, if it did. */
  add(id: string, { file, line }: Place): Place | undefined {
    if (this.#files.at(-1)?.file !== file) this.#files.push({ file, firstId: this.#lines.length });
    const number = this.#numbers.of(id);
    const known = this.#lines[number];
    if (known === undefined) this.#lines.push(line);
    return known === undefined
      ? undefined
      : { file: this.#files.findLast(({ firstId }) => firstId <= number)?.file ?? file, line: known };
  }
}
