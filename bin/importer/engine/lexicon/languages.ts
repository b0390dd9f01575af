/** What exports say, a file for each language: words of a status, headers, and what a header is about. */
import { LISTED } from './languages/index.ts';

type Lists = Readonly<Partial<Record<string, readonly string[]>>>;
type ListsOf = Readonly<Partial<Record<string, Lists>>>;

/** What exports say in one language. */
export interface Language {
  readonly language: string;
  /** What titles of courses call it, in lower case. */
  readonly called?: readonly string[];
  /** Sources by name: the document in which the words were seen. The page does without. */
  readonly sources: Readonly<Record<string, string>>;
  /** Status words by source and meaning. */
  readonly status: ListsOf;
  /** Headers by source and role of the column. */
  readonly headers: ListsOf;
  /** Expressions of headers by role of the column, the best first. All expressions are of texts as `plainText` writes them. */
  readonly patterns?: Lists;
  /** Expressions by topic. */
  readonly topics: Lists;
  /** Parts of expressions: `{course}` in one is any of the parts of all languages under this name. */
  readonly parts?: Lists;
  /** Formats of dates with words of the language, and of the times behind them. */
  readonly dates?: { readonly days?: readonly string[]; readonly times?: readonly string[] };
}

/** By code. A test checks that each file is a language. */
export const LANGUAGES = LISTED as Readonly<Record<string, Language>>;

/** What all languages list under a name. */
export const inAll = (member: 'patterns' | 'topics' | 'parts', name: string): string[] =>
  Object.values(LANGUAGES).flatMap((language) => language[member]?.[name] ?? []);

/** The source of an expression, with its parts written out. */
export const writtenOut = (expression: string): string =>
  expression.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => `(?:${inAll('parts', name).join('|')})`);
