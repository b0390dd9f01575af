/** SHA-256 in Node and in a browser alike: pure, and piece by piece, which WebCrypto cannot do. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../wire/values.ts';

export class Digest {
  readonly #hash = sha256.create();

  update(piece: string | Uint8Array): this {
    this.#hash.update(typeof piece === 'string' ? utf8ToBytes(piece) : piece);
    return this;
  }

  bytes(): Uint8Array {
    return this.#hash.digest();
  }

  hex(): string {
    return bytesToHex(this.bytes());
  }

  /** Without padding. */
  base64url(): string {
    return btoa(String.fromCodePoint(...this.bytes()))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  }
}

/** The SHA-256 of bytes, hexadecimal: by WebCrypto, which a page without https lacks. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (!('subtle' in crypto)) return new Digest().update(bytes).hex();
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

export const sha256Hex = (text: string): string => new Digest().update(text).hex();

/** A value as digests of evidence take it: canonical JSON and a line feed. One nested too deep is like no other. */
export function canonicalLine(value: unknown): string {
  try {
    return `${canonicalJson(value)}\n`;
  } catch (error) {
    if (error instanceof RangeError) return 'too deep';
    throw error;
  }
}
