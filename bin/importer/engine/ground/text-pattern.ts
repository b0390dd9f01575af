/** True for a text that fits; letter case and blanks around it do not matter. */
export type TextMatcher = (text: string) => boolean;

/** The form in which texts of a mapping and of a cell are compared. */
export const comparable = (text: string): string => text.trim().toLowerCase();

/** A text of a mapping: `Completed` is that text, `Completed*` begins with it, `*total*` contains it. */
function textPattern(pattern: string): TextMatcher {
  const wanted = comparable(pattern);
  const open = { start: wanted.startsWith('*'), end: wanted.length > 1 && wanted.endsWith('*') };
  const middle = wanted.slice(open.start ? 1 : 0, open.end ? -1 : undefined);
  if (open.start && open.end) return (text) => comparable(text).includes(middle);
  if (open.start) return (text) => comparable(text).endsWith(middle);
  if (open.end) return (text) => comparable(text).startsWith(middle);
  return (text) => comparable(text) === wanted;
}

export function anyOf(patterns: readonly string[]): TextMatcher {
  const exact = new Set(patterns.filter((pattern) => !isOpen(pattern)).map(comparable));
  const open = patterns.filter(isOpen).map(textPattern);
  return (text) => exact.has(comparable(text)) || open.some((matches) => matches(text));
}

const isOpen = (pattern: string): boolean => /^\s*\*|\*\s*$/.test(pattern);

/** Translates texts: an exact text takes precedence over a pattern. */
export class Translations<Target> {
  readonly #exact: ReadonlyMap<string, Target>;
  readonly #open: readonly (readonly [TextMatcher, Target])[];

  constructor(values: Readonly<Record<string, Target>>) {
    const entries = Object.entries(values);
    this.#exact = new Map(entries.filter(([from]) => !isOpen(from)).map(([from, to]) => [comparable(from), to]));
    this.#open = entries.filter(([from]) => isOpen(from)).map(([from, to]) => [textPattern(from), to]);
  }

  of(text: string): Target | undefined {
    const exact = this.#exact.get(comparable(text));
    return exact === undefined ? this.#open.find(([matches]) => matches(text))?.[1] : exact;
  }
}
