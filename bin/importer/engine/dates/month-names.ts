/** Names of months and of days of the week. */
import { remembered } from '../ground/remembered.ts';

/** Month names of many languages, as `Intl` has them. */
const LANGUAGES =
  'en de es fr it pt nl ca gl eu da sv nb fi is pl cs sk hu ro hr sl sr bg uk ru el tr az lt lv et id ms vi ar he th hi ja zh ko'.split(
    ' ',
  );

type Months = ReadonlyMap<string, number>;
/** Names are compared without case, points and differences of Unicode form; a large `İ` leaves its point behind. */
const comparable = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[.'’\s\u0307]/gu, '');

export function isLanguage(name: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([name]).length > 0;
  } catch {
    return false;
  }
}

/** Month, from 1. Without a language, a name that languages give to different months (`listopad`) is unknown. */
export const monthOf = (name: string, language: string | undefined): number | undefined =>
  language === undefined ? monthAnywhere(name) : monthsOf(language).get(comparable(name));

const monthsOf = remembered(namesIn);

const monthAnywhere = remembered((name) => {
  const wanted = comparable(name);
  const english = monthsOf('en').get(wanted) ?? monthsOf('en').get(wanted.slice(0, 3));
  if (english !== undefined && wanted.length <= 4) return english;
  return monthsOf('en').get(wanted) ?? (everywhere ??= everyLanguage()).get(wanted);
});

let everywhere: Months | undefined;

function everyLanguage(): Months {
  const meanings = new Map<string, Set<number>>();
  for (const language of LANGUAGES)
    for (const [name, month] of monthsOf(language)) meanings.set(name, (meanings.get(name) ?? new Set()).add(month));
  return new Map([...meanings].flatMap(([name, months]) => (months.size === 1 ? [[name, [...months][0] ?? 0]] : [])));
}

function namesIn(language: string): Months {
  const names = new Map<string, number>(language === 'en' ? [['sept', 9]] : []);
  // Beside a day, a name is inflected in many languages.
  const formats = (['long', 'short'] as const).flatMap((month) =>
    [{}, { day: 'numeric' } as const].map(
      (day) => new Intl.DateTimeFormat(language, { month, ...day, timeZone: 'UTC' }),
    ),
  );
  for (const format of formats)
    for (let index = 0; index < 12; index += 1) {
      const part = format.formatToParts(Date.UTC(2024, index, 15)).find(({ type }) => type === 'month');
      const name = comparable(part?.value ?? '');
      if (/\P{N}/u.test(name)) names.set(name, index + 1);
    }
  return names;
}

/** Days of the week that a name stands for in some language, from 0 for Sunday; `undefined` for no such name. */
export const weekdaysOf = (name: string): ReadonlySet<number> | undefined =>
  (everyWeekday ??= allWeekdays()).get(comparable(name));

let everyWeekday: ReadonlyMap<string, ReadonlySet<number>> | undefined;

function allWeekdays(): ReadonlyMap<string, ReadonlySet<number>> {
  const names = new Map<string, Set<number>>();
  const formats = LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).map((weekday) => new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' })),
  );
  for (const format of formats)
    for (let day = 0; day < 7; day += 1) {
      // A Sunday.
      const name = comparable(format.format(Date.UTC(2024, 0, 7 + day)));
      names.set(name, (names.get(name) ?? new Set()).add(day));
    }
  return names;
}
