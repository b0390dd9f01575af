/** True for a text that fits; letter case and blanks around it do not matter. */
export type TextMatcher = (text: string) => boolean;

/** The form in which texts of a mapping and of a cell are compared. */
export const comparable = (text: string): string => text.trim().toLowerCase();

/** A text of a mapping: `Completed` is that text, `Completed*` begins with it, `*total*` contains it. */
function textPattern(pattern: string): TextMatcher {
  const wanted = comparable(pattern);
  const asterisk = { start: wanted.startsWith('*'), end: wanted.length > 1 && wanted.endsWith('*') };
  const middle = wanted.slice(asterisk.start ? 1 : 0, asterisk.end ? -1 : undefined);
  if (asterisk.start && asterisk.end) return (text) => comparable(text).includes(middle);
  if (asterisk.start) return (text) => comparable(text).endsWith(middle);
  if (asterisk.end) return (text) => comparable(text).startsWith(middle);
  return (text) => comparable(text) === wanted;
}

/** Compares a text with patterns, of which each may begin or end with an asterisk. */
export function anyOf(patterns: readonly string[]): TextMatcher {
  const exact = new Set(patterns.filter((pattern) => !hasAsterisk(pattern)).map(comparable));
  const wide = patterns.filter(hasAsterisk).map(textPattern);
  return (text) => exact.has(comparable(text)) || wide.some((matches) => matches(text));
}

const hasAsterisk = (pattern: string): boolean => /^\s*\*|\*\s*$/.test(pattern);

/** Translates texts: an exact text takes precedence over a pattern. */
export class Translations<Target> {
  readonly #exact: ReadonlyMap<string, Target>;
  readonly #wide: readonly (readonly [TextMatcher, Target])[];

  constructor(values: Readonly<Record<string, Target>>) {
    const entries = Object.entries(values);
    this.#exact = new Map(entries.filter(([from]) => !hasAsterisk(from)).map(([from, to]) => [comparable(from), to]));
    this.#wide = entries.filter(([from]) => hasAsterisk(from)).map(([from, to]) => [textPattern(from), to]);
  }

  of(text: string): Target | undefined {
    const exact = this.#exact.get(comparable(text));
    return exact === undefined ? this.#wide.find(([matches]) => matches(text))?.[1] : exact;
  }
}
