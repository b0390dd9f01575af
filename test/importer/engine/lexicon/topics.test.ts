/** What headers are about, by the expressions of all languages. Reads the files; costs milliseconds. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../../bin/importer/engine/lexicon/languages.ts';
import { saysTopic, type Topic, Topics, TOPICS } from '../../../../bin/importer/engine/lexicon/topics.ts';
import { plainText } from '../../../../bin/importer/engine/lexicon/words.ts';

const FOLDER = join(import.meta.dirname, '../../../../bin/importer/engine/lexicon/languages');

it('every file of a language is listed', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  expect(files.map((name) => name.replace('.json', ''))).toEqual(Object.keys(LANGUAGES).toSorted());
});

describe.each(Object.entries(LANGUAGES))('the topics of %s', (_, { topics }) => {
  it('are known', () => {
    expect(Object.keys(topics).filter((name) => !TOPICS.some((topic) => topic === name))).toEqual([]);
  });

  it('are expressions that say something of a text, and not of every text', () => {
    for (const source of Object.values(topics).flat()) expect(new RegExp(source ?? '').test('')).toBe(false);
  });
});

it.each(TOPICS)('%s is a topic in English', (topic) => {
  expect(LANGUAGES['en']?.topics[topic]).not.toBeUndefined();
});

it.each<[string, ...Topic[]]>([
  ['Läuft ab am', 'expiry'],
  ['Fälligkeit', 'planned'],
  ['有効期限', 'expiry', 'planned'],
  ['Date of birth', 'person_day'],
  ['Eingeschrieben: Anmeldedatum', 'enrolment'],
  ['Department', 'person'],
  ['Nombre completo', 'full_name'],
  ['Kurs'],
])('%s is about: %j', (header, ...about) => {
  const topics = new Topics(plainText(header));
  expect(TOPICS.filter((topic) => topics.has(topic))).toEqual(about);
  expect(TOPICS.filter((topic) => saysTopic(plainText(header), topic))).toEqual(about);
  expect(topics.hasAny('expiry', 'full_name')).toBe(about.includes('expiry') || about.includes('full_name'));
});
