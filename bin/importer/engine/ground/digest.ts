/** SHA-256 piece by piece, which WebCrypto cannot do: of Node where there is Node, else in plain JavaScript. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../wire/values.ts';

interface Hash {
  update(piece: string | Uint8Array): unknown;
  digest(): Uint8Array;
}

/** Of Node; a browser has none. */
declare const process:
  | { getBuiltinModule?(name: 'node:crypto'): { createHash(algorithm: 'sha256'): Hash } }
  | undefined;

/** Ten times as fast as plain JavaScript. */
const native = typeof process === 'undefined' ? undefined : process.getBuiltinModule?.('node:crypto');

function portableHash(): Hash {
  const hash = sha256.create();
  return {
    update: (piece) => hash.update(typeof piece === 'string' ? utf8ToBytes(piece) : piece),
    digest: () => hash.digest(),
  };
}

/** A SHA-256 of bytes and texts that arrive in pieces. */
export class Digest {
  readonly #hash = native?.createHash('sha256') ?? portableHash();

  update(piece: string | Uint8Array): this {
    this.#hash.update(piece);
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

/** The SHA-256 of bytes, hexadecimal: in a browser by WebCrypto, which a page without https lacks. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (native !== undefined || !('subtle' in crypto)) return new Digest().update(bytes).hex();
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
