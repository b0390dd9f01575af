/** The page knows the words that the command knows. Milliseconds. */
import { expect, it } from 'vitest';
import { joinedLanguages } from '../../bin/build/page-words.ts';
import { type Language, LANGUAGES } from '../../bin/importer/engine/lexicon/languages.ts';
import { plainText } from '../../bin/importer/engine/lexicon/words.ts';

type Words = Language['status'];

const wordsIn = (languages: readonly Language[], member: 'status' | 'headers'): string[] => [
  ...new Set(
    languages
      .flatMap((each): readonly Words[string][] => Object.values<Words[string]>(each[member]))
      .flatMap((lists = {}) => Object.entries(lists))
      .flatMap(([name, words = []]) => words.map((word) => `${name}: ${plainText(word)}`)),
  ),
];

it.each(['status', 'headers'] as const)('each word once, of whatever script: %s', async (member) => {
  const script = `data:text/javascript,${encodeURIComponent(joinedLanguages())}`;
  const { LISTED }: { readonly LISTED: Readonly<Record<string, Language>> } = await import(script);
  const lists = Object.values(LISTED).flatMap((each) => Object.values(each[member].all ?? {}));
  expect(wordsIn(Object.values(LISTED), member).toSorted()).toEqual(
    wordsIn(Object.values(LANGUAGES), member).toSorted(),
  );
  for (const words of lists) expect(new Set(words).size).toBe(words?.length);
});
