/** The files of one run, as batches of records. */
import type { ClassTitles } from '../mapping/compile.ts';
import { type Batch, batchesOf } from './batches.ts';
import { type CatalogClient, classTitles } from './class-titles.ts';
import { RecordIdSet } from './record-id-set.ts';
import type { ReadContext, Reading, RecordSource, RowCounts } from './record-source.ts';

/** A batch of a file. The same file and mapping always give the same chunks. */
export interface Chunk extends Batch {
  readonly source: RecordSource;
}

export class RecordSet {
  readonly sources: readonly RecordSource[];
  readonly #titles: ClassTitles | undefined;

  /** @param titles of the catalog; `undefined` only if no source needs them: see `recordSetOf` */
  constructor(sources: readonly RecordSource[], titles: ClassTitles | undefined) {
    this.sources = sources;
    this.#titles = titles;
  }

  /** The files, for messages. */
  get name(): string {
    const [first, ...others] = this.sources.map(({ file }) => file.path);
    return others.length === 0 ? (first ?? '') : `${first} and ${others.length} more`;
  }

  /** A record is made of several rows. */
  get isGrouped(): boolean {
    return this.sources.some(({ mapping }) => mapping?.group_by !== undefined);
  }

  chunks(context: ReadContext = {}): AsyncGenerator<Chunk> {
    return this.read(context).chunks;
  }

  /** One pass over all files, with the sum of the rows that it has met so far. */
  read(context: ReadContext = {}): { readonly chunks: AsyncGenerator<Chunk>; counts(): RowCounts } {
    const readings = this.sources.map((source) => ({
      source,
      reading: source.read({ ...context, titles: this.#titles }),
    }));
    const sum = (name: 'rows' | 'skipped'): number =>
      readings.reduce((total, { reading }) => total + reading.counts()[name], 0);
    return {
      chunks: chunksOf(readings),
      counts: () => ({ rows: sum('rows'), skipped: sum('skipped'), leftOut: leftOutOf(readings) }),
    };
  }
}

function leftOutOf(readings: readonly { readonly reading: Reading }[]): RowCounts['leftOut'] {
  const sums: Record<string, number> = {};
  for (const { reading } of readings)
    for (const [reason, count] of Object.entries(reading.counts().leftOut)) sums[reason] = (sums[reason] ?? 0) + count;
  return sums;
}

/** Which id occurred before is decided over all files, so that a dry run and the import send the same records. */
async function* chunksOf(readings: readonly { readonly source: RecordSource; readonly reading: Reading }[]) {
  const ids = new RecordIdSet();
  let position = 0;
  for (const { source, reading } of readings)
    for await (const batch of batchesOf(reading.entries, { file: source.file.path, position, ids })) {
      yield { ...batch, source };
      position += 1;
    }
}

/** The files with the class titles of the catalog, which is read if a mapping names classes by their titles. */
export async function recordSetOf(
  sources: readonly RecordSource[],
  client: () => Promise<CatalogClient>,
): Promise<RecordSet> {
  const needsTitles = sources.some((source) => source.needsTitles);
  return new RecordSet(sources, needsTitles ? await classTitles(await client()) : undefined);
}
