/** The spellings of a name that an erasure finds. Pure; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { addressFinder, spelledId } from '../../functions/records/person.ts';

const named = addressFinder(['ann@acme.test', 'jürgen.o+x@acme.test']);

describe('addressFinder', () => {
  it.each([
    ['any case', 'ANN@Acme.TEST'],
    ['blanks around it', '\u00a0 ann@acme.test\t'],
    ['blanks in it', 'ann @ acme . test'],
    ['an invisible character in it', 'an\u200bn@acme.test'],
    ['an invisible character at its end', 'ann@acme.test\u200b'],
    ['a byte-order mark before it', '\ufeffann@acme.test'],
    ['a direction mark around it', '\u202aann@acme.test\u202c'],
    ['a control character in it', 'ann\u0000@acme.test'],
    ['a soft hyphen in it', 'ann@ac\u00adme.test'],
    ['wide letters', 'ａｎｎ＠ａｃｍｅ．ｔｅｓｔ'],
    ['percent-encoding', 'ann%40acme.test'],
    ['percent-encoding of every letter', '%61%6E%6e%40%61cme%2Etest'],
    ['percent-encoding twice', 'ann%2540acme.test'],
    ['an encoded blank before it', '%20ann@acme.test'],
    ['an encoded invisible character in it', 'ann%E2%80%8B@acme.test'],
    ['an invisible character in its encoding', 'ann%4\u200b0acme.test'],
    ['letters beyond ASCII', 'JÜRGEN.O+X@acme.test'],
    ['decomposed letters', 'ju\u0308rgen.o+x@acme.test'],
    ['a text around it', 'write to <ann@acme.test>, please'],
  ])('addressFinder: an address with %s → true', (_, text) => {
    expect(named(text)).toBe(true);
  });

  it.each([
    ['a longer address', 'joann@acme.test'],
    ['a longer domain', 'ann@acme.test.org'],
    ['another domain', 'ann@acmextest'],
    ['an encoded letter before it', 'jo%61nn@acme.test'],
    ['the address without a domain', 'ann'],
    ['a percent sign that encodes nothing', '100 % of ann'],
    ['nothing', ''],
  ])('addressFinder: %s → false', (_, text) => {
    expect(named(text)).toBe(false);
  });

  it('addressFinder: an address of any characters → it finds the address itself', () => {
    for (const letter of Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter(
      (each) => each !== '@',
    ))
      expect([letter, addressFinder([`a${letter}n@acme.test`])(`a${letter}n@acme.test`)]).toEqual([letter, true]);
  });

  it('addressFinder: a text of one megabyte of any character → an answer within a second of processor time', () => {
    const costs = ['a', ' ', '%', '%4', '\u200b', '@', '.', 'an', 'a ', '%25'].map((text) => {
      const { user } = process.cpuUsage();
      named(text.repeat(2 ** 20 / text.length));
      return process.cpuUsage().user - user;
    });
    expect(Math.max(...costs)).toBeLessThan(1_000_000);
  });
});

it('spelledId: two spellings of one id → the same text', () => {
  const spellings = ['Emp-7', ' emp-7', 'EMP-7\u200b', 'emp%2D7', 'ｅｍｐ-7', 'e m p-7'];
  expect(new Set(spellings.map(spelledId))).toEqual(new Set(['emp-7']));
  expect(spelledId('emp-71')).not.toBe('emp-7');
});
