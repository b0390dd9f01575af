import { nat } from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** For the `unit` of a string. Like `unit: 'binary'`, which takes a second to make a table of all code points. */
export const CODE_POINT = nat(0x10_ffff - SURROGATES.count).map((at) =>
  String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count),
);
