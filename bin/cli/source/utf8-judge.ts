/** Tells, byte by byte, whether a stream is UTF-8 (the ranges of RFC 3629): no overlong forms, no surrogates. */
export class Utf8Judge {
  /** Characters of more than one byte seen whole. */
  multibyte = 0;
  #missing = 0;
  #lowest = 0x80;
  #highest = 0xbf;

  /** False if this byte cannot stand here. */
  accepts(byte: number): boolean {
    if (this.#missing === 0) return byte < 0x80 || this.#starts(byte);
    const fits = byte >= this.#lowest && byte <= this.#highest;
    this.#missing = fits ? this.#missing - 1 : 0;
    this.#lowest = 0x80;
    this.#highest = 0xbf;
    if (fits && this.#missing === 0) this.multibyte += 1;
    return fits;
  }

  get insideCharacter(): boolean {
    return this.#missing > 0;
  }

  #starts(byte: number): boolean {
    if (byte < 0xc2 || byte > 0xf4) return false;
    this.#missing = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    if (byte === 0xe0) this.#lowest = 0xa0;
    if (byte === 0xed) this.#highest = 0x9f;
    if (byte === 0xf0) this.#lowest = 0x90;
    if (byte === 0xf4) this.#highest = 0x8f;
    return true;
  }
}
