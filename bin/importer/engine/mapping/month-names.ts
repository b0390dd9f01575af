import { remembered } from '../remembered.ts';

/** Month names of many languages, as `Intl` has them. */
const LANGUAGES =
  'en de es fr it pt nl ca gl eu da sv nb fi is pl cs sk hu ro hr sl sr bg uk ru el tr lt lv et id ms vi ar he th hi ja zh ko'.split(
    ' ',
  );

type Months = ReadonlyMap<string, number>;
/** Names are compared without case, points and differences of Unicode form. */
const comparable = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[.'’\s]/gu, '');

export function isLanguage(name: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([name]).length > 0;
  } catch {
    return false;
  }
}

/** Reads the names of months. Keeps those of the languages that it has used. */
export class MonthNames {
  readonly #of = remembered(namesIn);
  readonly #inEveryLanguage = remembered((name) => this.#everyMonth(name));
  #everywhere: Months | undefined;

  /**
   * Month, from 1, of a name. Without a language, a name that means different months in different languages (`listopad` is
   * October in Croatian, November in Polish) is not a month.
   */
  monthOf(name: string, language: string | undefined): number | undefined {
    if (language !== undefined) return this.#of(language).get(comparable(name));
    return this.#inEveryLanguage(name);
  }

  #everyMonth(name: string): number | undefined {
    const wanted = comparable(name);
    const english = this.#of('en').get(wanted) ?? this.#of('en').get(wanted.slice(0, 3));
    if (english !== undefined && wanted.length <= 4) return english;
    return this.#of('en').get(wanted) ?? this.#everyLanguage().get(wanted);
  }

  #everyLanguage(): Months {
    if (this.#everywhere !== undefined) return this.#everywhere;
    const meanings = new Map<string, Set<number>>();
    for (const language of LANGUAGES)
      for (const [name, month] of this.#of(language)) meanings.set(name, (meanings.get(name) ?? new Set()).add(month));
    this.#everywhere = new Map(
      [...meanings].flatMap(([name, months]) => (months.size === 1 ? [[name, [...months][0] ?? 0]] : [])),
    );
    return this.#everywhere;
  }
}

function namesIn(language: string): Months {
  const names = new Map<string, number>(language === 'en' ? [['sept', 9]] : []);
  for (const format of formatsOf(language))
    for (let index = 0; index < 12; index += 1) {
      const part = format.formatToParts(Date.UTC(2024, index, 15)).find(({ type }) => type === 'month');
      const name = comparable(part?.value ?? '');
      if (/\P{N}/u.test(name)) names.set(name, index + 1);
    }
  return names;
}

/** Beside a day, a name is inflected in many languages. */
function formatsOf(language: string): Intl.DateTimeFormat[] {
  const withDay = [{}, { day: 'numeric' }] as const;
  return (['long', 'short'] as const).flatMap((month) =>
    withDay.map((day) => new Intl.DateTimeFormat(language, { month, ...day, timeZone: 'UTC' })),
  );
}
