/** The columns of the files with their values: what a person compares the mapping with. */
import { UsageError } from '../../engine/errors.ts';
import { convertDate } from '../../engine/mapping/date-format.ts';
import { TableProfile } from '../../engine/mapping/table-profile.ts';
import { isField } from '../../engine/mapping/fields.ts';
import type { Mapping } from '../../engine/mapping/schema.ts';
import { assigned, type Meanings, withDates, withMeanings } from './edit-mapping.ts';
import { useMapping, work } from './files.ts';

const SAMPLES = 5;
const SPELLED_OUT = 3;
/** More different values than the words of a status. */
const MOST_WORDS = 40;

export interface CountedText {
  readonly text: string;
  readonly count: number;
}

export interface ColumnValues {
  readonly name: string;
  /** The column's name in the mapping. */
  readonly reference: string;
  readonly filled: number;
  readonly samples: readonly string[];
  /** The column's distinct values with their counts; empty if there are too many for them to be words. */
  readonly words: readonly CountedText[];
  /** Formats that all of its values have, if they are dates. */
  readonly dateFormats: readonly string[];
  /** Some of its values as each of these formats reads them. */
  readonly dates: readonly { readonly format: string; readonly read: readonly ReadDate[] }[];
}

interface ReadDate {
  readonly text: string;
  /** ISO 8601. */
  readonly date: string | undefined;
}

/** The columns of the first file, over all of its rows. None for JSON. */
export async function columnValues(): Promise<{ readonly columns: readonly ColumnValues[] }> {
  const [source] = work.sources;
  if (source?.format !== 'csv') return { columns: [] };
  const profile = new TableProfile(source.columns);
  for await (const { cells = [] } of source.anyRows()) profile.add(cells);
  const columns = profile.columns.map(({ name, reference, filled, texts, dateFormats }) => {
    const counted = [...texts].map(([text, count]) => ({ text, count })).toSorted((a, b) => b.count - a.count);
    const words = counted.length <= MOST_WORDS ? counted : [];
    const samples = [...texts.keys()].slice(0, SAMPLES);
    const dates = dateFormats.slice(0, SAMPLES).map((format) => ({
      format,
      read: samples.slice(0, SPELLED_OUT).map((text) => ({ text, date: convertDate(text, format) })),
    }));
    return { name, reference, filled, samples, words, dateFormats, dates };
  });
  return { columns };
}

/** The mapping with a column as another member of the record, or as none. @throws UsageError */
export async function assignColumn(column: Pick<ColumnValues, 'reference' | 'dateFormats'>, field: string) {
  return useMapping(assigned(mapped(), column, isField(field) ? field : undefined));
}

/** The mapping with other meanings of the words of a column. @throws UsageError */
export const giveMeanings = (reference: string, meanings: Meanings): Promise<Mapping> =>
  useMapping(withMeanings(mapped(), reference, meanings));

/** The mapping with another format for the dates of a column. @throws UsageError */
export const chooseFormat = (reference: string, format: string): Promise<Mapping> =>
  useMapping(withDates(mapped(), reference, format));

function mapped(): Mapping {
  if (work.mapping === undefined) throw new UsageError('There is no mapping yet.');
  return work.mapping;
}

/** The mapping whose guesses a person has confirmed. @throws UsageError */
export function confirmGuesses(): Promise<Mapping> {
  const { undecided: _, ...mapping } = mapped();
  return useMapping(mapping);
}
