/** What headers are about, by the expressions of all languages. Reads the files; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { inAll, LANGUAGES, writtenOut } from '../../../../bin/importer/engine/lexicon/languages.ts';
import { saysTopic, type Topic, Topics, TOPICS } from '../../../../bin/importer/engine/lexicon/topics.ts';
import { plainText } from '../../../../bin/importer/engine/lexicon/words.ts';

describe.each(Object.entries(LANGUAGES))('the topics of %s', (_, { topics }) => {
  it('are known', () => {
    expect(Object.keys(topics).filter((name) => !TOPICS.some((topic) => topic === name))).toEqual([]);
  });

  it('are expressions that say something of a text, and not of every text', () => {
    for (const source of Object.values(topics).flat()) expect(new RegExp(source ?? '').test('')).toBe(false);
  });
});

it.each(TOPICS)('%s is a topic of some language', (topic) => {
  expect(inAll('topics', topic)).not.toEqual([]);
});

/** A language that is added is not among them: it comes with all its words. */
const FROZEN = 'ar bg cs da de el en es fi fr he hi hr hu id it ja ko nl no pl pt ro ru sk sv th tr uk vi zh'.split(
  ' ',
);

it('the lists are frozen: a new word comes with the table of an export that has it, and raises these numbers', () => {
  const strings = (value: unknown): string[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [String(value)];
  const frozen = Object.entries(LANGUAGES).flatMap(([code, language]) => (FROZEN.includes(code) ? [language] : []));
  const words = frozen.flatMap(({ status, headers }) => strings([status, headers]));
  const expressions = frozen.flatMap(({ topics, patterns, parts }) => strings([topics, patterns, parts]));
  expect(words.length).toBeLessThanOrEqual(6393);
  expect(expressions.join('|').split('|').length).toBeLessThanOrEqual(3407);
});

it.each<{ header: string; about: readonly Topic[]; not: readonly Topic[] }>([
  { header: 'Läuft ab am', about: ['expiry'], not: ['planned', 'person', 'completion'] },
  { header: 'Fälligkeit', about: ['planned'], not: ['expiry'] },
  { header: '有効期限', about: ['expiry', 'planned'], not: ['status'] },
  { header: 'Plánovaný termín', about: ['planned'], not: ['completion', 'expiry'] },
  { header: 'Képzés vége', about: ['ended'], not: ['planned', 'completion'] },
  { header: 'Date of birth', about: ['person_day'], not: ['bare_day', 'person'] },
  { header: 'Anmeldedatum', about: ['enrolment'], not: ['bare_day', 'started'] },
  { header: 'Department', about: ['person'], not: ['course_fact', 'status'] },
  { header: 'Nombre completo', about: ['full_name', 'whole_name'], not: ['first_name', 'given_name'] },
  { header: 'Titre du cours', about: ['course_title'], not: ['title', 'person'] },
  { header: 'Mitarbeiter Name', about: ['whole_name'], not: ['full_name', 'course_title'] },
])('$header is about $about, not about $not', ({ header, about, not }) => {
  const topics = new Topics(plainText(header));
  for (const topic of [...about, ...not]) {
    expect(topics.has(topic)).toBe(about.includes(topic));
    expect(saysTopic(plainText(header), topic)).toBe(about.includes(topic));
  }
  expect([topics.hasAny(...about), topics.hasAny(...not)]).toEqual([true, false]);
});

it('a part of an expression is that of any language', () => {
  expect(inAll('parts', 'title')).toContain('titel|bezeichnung');
  expect(writtenOut('^{title}$')).toContain('|name|title|');
  expect(
    Object.values(LANGUAGES)
      .flatMap(({ topics, patterns = {} }) => [topics, patterns])
      .flatMap((lists) => Object.values(lists).flat())
      .map((expression = '') => writtenOut(expression))
      .filter((expression) => expression.includes('(?:)')),
  ).toEqual([]);
});
