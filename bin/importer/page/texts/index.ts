/** The texts of the page in the first of the browser's languages that has its files here, else in English. No other language is loaded. */
import type { Said } from '../../engine/ground/codes.ts';
import { sentenceIn, type Texts as Sentences } from '../../texts/texts.ts';
import type { Failure, ProblemCode } from '../worker/protocol.ts';
import type { Texts } from './en-page.ts';

/** The build makes one file of each language, so that a new language is its texts and no line of code. */
const load = async (language: string): Promise<Texts> =>
  ((await import(`./${language}-page.ts`)) as { readonly TEXTS: Texts }).TEXTS;

/** @param wanted languages in the order of preference, like `de-AT` */
export async function textsFor(wanted: readonly string[]): Promise<Texts> {
  for (const tag of wanted) {
    const language = tag.split('-', 1).join().toLowerCase();
    const texts = await load(language).catch(() => undefined);
    if (texts !== undefined) return texts;
  }
  return load('en');
}

export const TEXT: Texts = await textsFor(navigator.languages);

let sentences: Sentences | undefined;

/** The sentences of the engine come when the engine does: the first screen needs neither. */
export async function loadSentences(): Promise<void> {
  sentences ??= await TEXT.engine();
}

/** What the engine says, after `loadSentences`. */
export const sentenceOf = (said: Said): string => (sentences === undefined ? '' : sentenceIn(sentences, said));

/** `3 February 2024`: no two readings of a date look alike. @param iso a day or an instant */
export function dayOf(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime())
    ? iso
    : date.toLocaleDateString(TEXT.locale, { dateStyle: 'long', timeZone: 'UTC' });
}

/** `3 February 2024, 14:05`, in the time of the browser. */
export const momentOf = (iso: string): string =>
  new Date(iso).toLocaleString(TEXT.locale, { dateStyle: 'long', timeStyle: 'short' });

const isProblem = (code: string): code is ProblemCode => Object.hasOwn(TEXT.problems, code);

/** Why the worker could not do what it was asked for. */
export function problemText({ said, codes: [code = ''], value }: Failure): string {
  if (said !== undefined) return sentenceOf(said);
  return isProblem(code) ? TEXT.problems[code](value) : TEXT.problems.unexpected(code);
}
