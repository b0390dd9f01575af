/** The texts of the page in the language that the browser asks for first, among those that there are; else in English. */
import type { Said } from '../../engine/ground/codes.ts';
import { DE as DE_OF_ENGINE } from '../../texts/de.ts';
import { EN as EN_OF_ENGINE } from '../../texts/en.ts';
import { sentenceIn } from '../../texts/texts.ts';
import { plainWords } from './plain-words.ts';
import { DE } from './de.ts';
import { EN, type Texts } from './en.ts';

export const LANGUAGES: Readonly<Record<string, Texts>> = { en: EN, de: DE };

/** @param wanted languages in the order of preference, like `de-AT` */
export function textsFor(wanted: readonly string[]): Texts {
  const found = wanted.map((tag) => tag.split('-')[0]?.toLowerCase() ?? '').find((tag) => LANGUAGES[tag] !== undefined);
  return LANGUAGES[found ?? 'en'] ?? EN;
}

export const TEXT: Texts = textsFor(navigator.languages);
const LOCALE = TEXT.language === 'en' ? 'en-GB' : TEXT.language;

/** `3 February 2024`: no two readings of a date look alike. @param iso a day or an instant */
export function dayOf(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleDateString(LOCALE, { dateStyle: 'long', timeZone: 'UTC' });
}

/** `3 February 2024, 14:05`, in the time of the browser. */
export const momentOf = (iso: string): string =>
  new Date(iso).toLocaleString(LOCALE, { dateStyle: 'long', timeStyle: 'short' });

/** What the engine says. */
export const sentenceOf = (said: Said): string =>
  sentenceIn(TEXT.language === 'de' ? DE_OF_ENGINE : EN_OF_ENGINE, said);

/** A sentence of the engine or the service in words of people. */
export const inWords = (sentence: string): string => plainWords(sentence, TEXT.fields);
