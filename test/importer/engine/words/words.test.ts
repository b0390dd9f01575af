/** The words of statuses and headers in each language. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import {
  LANGUAGES,
  type Meaning,
  MEANINGS,
  meaningOf,
  plainText,
  rolesOf,
} from '../../../../bin/importer/engine/words/words.ts';

const FILES = Object.entries(LANGUAGES);

describe('languages', () => {
  it('the languages are those that the documentation names', () => {
    expect(Object.keys(LANGUAGES).toSorted().join(' ')).toBe('de en es fr it ja ko nl pl pt tr zh');
  });

  it.each(FILES)('each word of %s is listed under a source that the file names', (_, { sources, status, headers }) => {
    expect(Object.keys({ ...status, ...headers }).filter((source) => sources[source] === undefined)).toEqual([]);
    for (const listed of Object.values(status)) {
      expect(Object.keys(listed ?? {}).filter((name) => !MEANINGS.some((each) => each === name))).toEqual([]);
      for (const word of Object.values(listed ?? {}).flat()) expect(plainText(word ?? '')).not.toBe('');
    }
  });

  it('no word has one meaning in one language and another in another', () => {
    const listed = Object.values(LANGUAGES).flatMap(({ status }) =>
      Object.values(status).flatMap((each = {}) => Object.entries(each)),
    );
    const words = listed.flatMap(([meaning, some = []]) => some.map((word) => [plainText(word), meaning] as const));
    const meanings = new Map(words);
    expect(words.filter(([word, meaning]) => meanings.get(word) !== meaning)).toEqual([]);
  });
});

it.each<[string, Meaning | undefined]>([
  ['COMPLETE', 'completed'],
  ['Completed - Passed', 'passed'],
  ['Completed - Failed', 'failed'],
  ['Completed (Equivalent)', 'completed'],
  ['Completed (set by Ann Lee)', 'completed'],
  ['COURSE-COMPL', 'completed'],
  ['NOSHOW', 'incomplete'],
  ['notStarted', 'not_started'],
  ['In Progress / Past Due', 'in_progress'],
  ['Completed - Pending Evaluation', undefined],
  ['Completed / In Progress', undefined],
  ['Nicht bestanden', 'failed'],
  ['TAMAMLANDI', 'completed'],
  ['Zakończone', 'completed'],
  ['不合格', 'failed'],
  ['수료', 'completed'],
  ['未完成', 'incomplete'],
  ['Voltooid', 'completed'],
  ['Non superato', 'failed'],
  ['Active', undefined],
  ['Expired', undefined],
])('meaningOf: %s → %s', (text, meaning) => {
  expect(meaningOf(text)).toBe(meaning);
});

it.each([
  ['Fortschritt (%)', 'pct'],
  ['Date d’achèvement', 'completed_at'],
  ['% de avance', 'pct'],
  ['コース名', 'course'],
  ['진도율(%)', 'pct'],
  ['Tamamlanma tarihi', 'completed_at'],
  ['完成时间', 'completed_at'],
  ['Voortgang', 'pct'],
  ['Data di completamento', 'completed_at'],
  ['Situação', 'status'],
])('rolesOf: %s → %s', (header, role) => {
  expect([...rolesOf(header)]).toEqual([role]);
});
