/** The texts of the page in the first of the browser's languages that has its files here, else in English. No other language is loaded. */
import type { Said } from '../../engine/ground/codes.ts';
import { ownValue } from '../../engine/ground/own-value.ts';
import { shown } from '../../engine/ground/text.ts';
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

/** The name of a column, or what a column is that the engine has added to the table. */
export const columnName = (column: string): string => ownValue(TEXT.review.added, column) ?? shown(column);

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

/** `Central European Time (Berlin)`, `GMT+01:00`, `UTC`. @param zone of the IANA, or an offset */
export function zoneName(zone: string): string {
  try {
    const named = new Intl.DateTimeFormat(TEXT.locale, { timeZone: zone, timeZoneName: 'longGeneric' });
    const name = named.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? zone;
    const [area, ...places] = zone.split('/');
    const city = area === 'Etc' ? undefined : places.at(-1);
    return city === undefined ? name.replace('GMT+00:00', 'UTC') : `${name} (${city.replaceAll('_', ' ')})`;
  } catch {
    return zone;
  }
}

/** `33.33 %`. @param percent a number, or what a record has in its place */
export const percentText = (percent: number | string): string =>
  `${Number.isNaN(Number(percent)) ? percent : Number(percent).toLocaleString(TEXT.locale)} %`;

const midnight = (of: Date): number => new Date(of).setHours(0, 0, 0, 0);
const DAY_MS = 24 * 60 * 60_000;

/** As people say it: `today at 09:12`, `yesterday at 17:05`, `3 November`, and with its year if that is another. */
export function whenOf(iso: string, now = new Date()): string {
  const date = new Date(iso);
  const days = Math.round((midnight(date) - midnight(now)) / DAY_MS);
  if (Math.abs(days) < 2) {
    const time = date.toLocaleTimeString(TEXT.locale, { timeStyle: 'short' });
    return TEXT.migrations.at(new Intl.RelativeTimeFormat(TEXT.locale, { numeric: 'auto' }).format(days, 'day'), time);
  }
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString(TEXT.locale, {
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
}

const unitsOf = (count: number, unit: 'second' | 'minute' | 'hour'): string =>
  count.toLocaleString(TEXT.locale, { style: 'unit', unit, unitDisplay: 'long' });

/** `12 seconds`, `4 minutes`, `1 hour 5 minutes`. */
export function lasting(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 60) return unitsOf(seconds, 'second');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return unitsOf(minutes, 'minute');
  const rest = minutes % 60;
  return [unitsOf((minutes - rest) / 60, 'hour'), ...(rest === 0 ? [] : [unitsOf(rest, 'minute')])].join(' ');
}

const isProblem = (code: string): code is ProblemCode => Object.hasOwn(TEXT.problems, code);

/** Why the worker could not do what it was asked for. */
export function problemText({ said, codes: [code = ''], value }: Failure): string {
  if (said !== undefined) return sentenceOf(said);
  return isProblem(code) ? TEXT.problems[code](value) : TEXT.problems.unexpected(code);
}
