/** What exports say, a file for each language: words of a status, headers, and what a header is about. */
import * as listed from './languages/index.ts';

type Listed = Readonly<Partial<Record<string, Readonly<Partial<Record<string, readonly string[]>>>>>>;

export interface Language {
  readonly language: string;
  /** Sources by name: the document in which the words were seen. The page does without. */
  readonly sources: Readonly<Record<string, string>>;
  /** Status words by source and meaning. */
  readonly status: Listed;
  /** Headers by source and role of the column. */
  readonly headers: Listed;
  /** Regular expressions by topic, over texts as they are compared. */
  readonly topics: Readonly<Partial<Record<string, readonly string[]>>>;
}

export const LANGUAGES: Readonly<Record<string, Language>> = listed;
