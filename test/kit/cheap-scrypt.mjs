/**
 * Password hashes in a thousandth of the time, for tests and the functions of their stacks, which load it first. A hash still depends
 * on its cost; how long it takes is a matter of test/security/in-process/passwords.test.ts, which runs without this module.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;
const CHEAP = { N: 2, r: 1, p: 1 };

/** @type {(...args: any[]) => void} */
crypto.scrypt = (password, salt, length, options, done) => {
  const { N, r, p } = options;
  // Hashes of this cost are in the frozen formats.
  if (N <= 16) scrypt(password, salt, length, options, done);
  else scrypt(`${N} ${r} ${p} ${password}`, salt, length, CHEAP, done);
};
syncBuiltinESMExports();
