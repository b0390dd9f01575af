/** The columns of the files with their values: what a person compares the mapping with. */
import { UsageError } from '../../importer/errors.ts';
import { convertDate } from '../../importer/mapping/date-format.ts';
import { TableProfile } from '../../importer/mapping/table-profile.ts';
import { work } from './files.ts';

const SAMPLES = 5;
/** More different values than the words of a status. */
const MOST_WORDS = 40;

export interface CountedText {
  readonly text: string;
  readonly count: number;
}

export interface ColumnValues {
  readonly name: string;
  /** As the mapping names it. */
  readonly reference: string;
  readonly filled: number;
  readonly samples: readonly string[];
  /** Its different values with their counts; empty if there are too many for words. */
  readonly words: readonly CountedText[];
  /** Formats that all of its values have, if they are dates. */
  readonly dateFormats: readonly string[];
}

/** The columns of the first file, over all of its rows. None for JSON. */
export async function columnValues(): Promise<ColumnValues[]> {
  const [source] = work.sources;
  if (source?.format !== 'csv') return [];
  const profile = new TableProfile(source.columns);
  for await (const { cells = [] } of source.anyRows()) profile.add(cells);
  return profile.columns.map(({ name, reference, filled, texts, dateFormats }) => {
    const counted = [...texts].map(([text, count]) => ({ text, count })).toSorted((a, b) => b.count - a.count);
    const words = counted.length <= MOST_WORDS ? counted : [];
    return { name, reference, filled, samples: [...texts.keys()].slice(0, SAMPLES), words, dateFormats };
  });
}

/** Dates as a format reads them, ISO 8601; `undefined` for one that it cannot read. */
export function readDates(texts: readonly string[], formats: string | readonly string[]): (string | undefined)[] {
  if (formats.length === 0) throw new UsageError('Choose a format.');
  return texts.map((text) => convertDate(text, formats));
}
