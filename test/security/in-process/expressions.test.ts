/**
 * The work of every regular expression grows no faster than its text: each is searched for a text on which it backtracks. Costs a minute
 * and a half, and the network once, for the checker; with SHARE that share of the lexicon.
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, writtenOut } from '../../../bin/importer/engine/lexicon/languages.ts';
import { shareOf } from '../../kit/at-length.ts';
import { checker, type Expression, literalsIn, madeBy, slowText } from '../support/expressions.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');
/** Longer ones are not looked at. */
const LONGEST_HEADER = 120;
const FOLDERS = ['bin/importer', 'functions'];

/** Those that the modules of a folder make when they are loaded. */
const madeIn = (folder: string): Promise<Expression[]> =>
  madeBy(folder, async () => {
    for (const name of readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.ts')) await import(join(PROJECT, folder, name));
  });

/** Those of the lexicon, which are asked of headers: each of its own, because many beside each other are no slower than the slowest. */
const ofLexicon = (): Expression[] =>
  Object.entries(LANGUAGES).flatMap(([language, { topics, patterns = {} }]) =>
    Object.values({ ...topics, ...patterns })
      .flatMap((expressions = []) => expressions)
      .map((expression) => ({ file: `${language}.json`, source: writtenOut(expression), flags: '' })),
  );

let check: ReturnType<typeof checker>;
beforeAll(() => {
  check = checker();
});

const distinct = (all: readonly Expression[]): Expression[] => [
  ...new Map(all.map((each) => [`/${each.source}/${each.flags}`, each])).values(),
];

const slowOf = (expressions: readonly Expression[], longest?: number) =>
  distinct(expressions).flatMap((each) => {
    const text = slowText(each, check, longest);
    return text === undefined ? [] : [{ ...each, text }];
  });

describe('the work of an expression grows with its text', () => {
  it.each(FOLDERS)('those written in %s', (folder) => {
    const found = literalsIn(folder);
    expect(found.length).toBeGreaterThan(50);
    expect(slowOf(found)).toEqual([]);
  });

  it.each(['bin/importer/engine', 'functions/records'])('those that %s makes', async (folder) => {
    expect(slowOf(await madeIn(folder))).toEqual([]);
  });

  it('those of the lexicon', () => {
    const found = ofLexicon();
    expect(found.length).toBeGreaterThan(500);
    expect(slowOf(shareOf(found), LONGEST_HEADER)).toEqual([]);
  });
});

describe('the check finds', () => {
  it.each([
    ['a square', /a+b$/],
    ['a square behind a beginning', /^([^\s@]+)@([^\s@]+\.[^\s@]+)$/],
    ['an explosion', /^\s*(?:--.*\s+)*INSERT/],
  ])('%s', (_, { source, flags }) => {
    expect(slowText({ source, flags }, check)).toBeDefined();
  });

  it('nothing in an expression that begins once in a run', () => {
    expect(slowText({ source: String.raw`(?<!\s)\s+$`, flags: '' }, check)).toBeUndefined();
  });
});
