import { nat } from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any code point, for the `unit` of a string. The same as `unit: 'binary'`, which first makes a table of them all for a second. */
export const CODE_POINT = nat(0x10_ffff - SURROGATES.count).map((at) =>
  String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count),
);
