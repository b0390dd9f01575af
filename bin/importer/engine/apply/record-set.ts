import type { Service } from '../../wire/types.ts';
import { NamesBeside } from './names.ts';
import type { SharedAddress } from '../language/findings.ts';
import { type ClassTitles, needsTitles } from './compile.ts';
import { isObject, type JsonObject } from '../ground/fields.ts';
import { type Batch, batchesOf } from './batches.ts';
import { RecordIdSet } from '../ground/record-ids.ts';
import { UndecidedPairs } from './pairs.ts';
import type { Pieces } from '../read/pieces.ts';
import type { Entry, ReadContext, RecordSource, RowCounts } from './record-source.ts';

/** A batch of a file. The same file and mapping always give the same chunks. */
export interface Chunk extends Batch {
  readonly source: RecordSource;
}

/** The records of several files, as one sequence of batches. */
export class RecordSet {
  readonly sources: readonly RecordSource[];
  readonly #titles: ClassTitles | undefined;
  /** Known after the first reading: addresses beside several names, of which no mapping says whose they are. */
  #shared: ReadContext['shared'];
  /** And the learners and courses of undecided rows, if other rows of them would be written. */
  #waiting: ReadContext['waiting'];

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

  get isGrouped(): boolean {
    return this.sources.some(({ mapping }) => mapping?.group_by !== undefined);
  }

  /** As they are sent, once `surveyOf` has read them. */
  chunks(): AsyncGenerator<Chunk> {
    return this.read().chunks;
  }

  /**
   * One pass over all files, with the sum of the rows that it has met so far. The first finds the addresses of several people, and
   * the rows that wait for undecided ones: if there are any, it `isProvisional`, and later passes reject them.
   */
  read(context: ReadContext = {}) {
    const [sources, titles, shared, waiting] = [this.sources, this.#titles, this.#shared, this.#waiting];
    const isFirst = shared === undefined;
    const beside = isFirst ? new NamesBeside() : undefined;
    const undecided = isFirst ? new UndecidedPairs() : undefined;
    const know = (found: SharedAddress[]): void => {
      this.#shared = new Map(found.map(({ text, names }) => [text, names]));
      this.#waiting = undecided?.ended();
    };
    const counts: (() => RowCounts)[] = [];
    // Repeated ids are found across all files, so that a dry run and the import send the same records.
    async function* chunks(): AsyncGenerator<Chunk> {
      const ids = new RecordIdSet();
      let position = 0;
      for (const source of sources) {
        const reading = source.read({ ...context, titles, shared, beside, undecided, waiting });
        counts.push(reading.counts);
        for await (const batch of batchesOf(untilWaiting(reading.entries, undecided), {
          file: source.file.path,
          position,
          ids,
        })) {
          yield { ...batch, source };
          position += 1;
        }
      }
      const chosen = Object.fromEntries(
        sources.flatMap(({ mapping }) => Object.entries(mapping?.choices?.shared ?? {})),
      );
      if (beside !== undefined) know(beside.shared(chosen));
    }
    return {
      chunks: chunks(),
      counts: (): RowCounts => counts.map((count) => count()).reduce(sumOf, NO_ROWS),
      isProvisional: (): boolean => isFirst && (this.#shared?.size !== 0 || this.#waiting !== undefined),
    };
  }
}

/** Once it is known that rows wait, they are read again: the rest of this reading only notes whose rows are undecided. */
async function* untilWaiting(
  entries: Pieces<Entry>,
  undecided: UndecidedPairs | undefined,
): AsyncGenerator<Iterable<Entry>> {
  for await (const piece of entries) {
    if (undecided?.isAnyWaiting !== true) yield piece;
    else for (const { rejection } of piece) void rejection;
  }
}

const NO_ROWS: RowCounts = { rows: 0, skipped: 0, leftOut: {} };

function sumOf(a: RowCounts, b: RowCounts): RowCounts {
  const leftOut = new Map(Object.entries(a.leftOut));
  for (const [reason, count] of Object.entries(b.leftOut)) leftOut.set(reason, (leftOut.get(reason) ?? 0) + count);
  return { rows: a.rows + b.rows, skipped: a.skipped + b.skipped, leftOut: Object.fromEntries(leftOut) };
}

/** The files with the class titles of the catalog, which is read if a mapping names classes by their titles. */
export async function recordSetOf(
  sources: readonly RecordSource[],
  client: () => Promise<CatalogClient>,
): Promise<RecordSet> {
  const isNeeded = sources.some(({ mapping }) => mapping !== undefined && needsTitles(mapping));
  return new RecordSet(sources, isNeeded ? await classTitles(await client()) : undefined);
}

/** Titles are compared without case, blanks around them and double blanks. */
const comparable = (title: string): string => title.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

type CatalogClient = Pick<Service, 'courses' | 'courseMappings'>;

async function classTitles(client: CatalogClient): Promise<ClassTitles> {
  const counts = new Map<number, number>();
  const classes = new Map<number, Map<string, number | undefined>>();
  for await (const { platform_course_id, classes: listed } of client.courses()) {
    const titles = new Map<string, number | undefined>();
    for (const { title, platform_class_id } of listed) {
      const key = comparable(title);
      // A title that two classes of a course have names neither.
      titles.set(key, titles.has(key) ? undefined : platform_class_id);
    }
    classes.set(platform_course_id, titles);
    counts.set(platform_course_id, listed.length);
  }
  const courses = new Map<string, number>();
  for await (const { external_course_id, platform_course_id } of client.courseMappings())
    courses.set(external_course_id, platform_course_id);
  const courseOf = (content: unknown): number => {
    const { platform_course_id, external_course_id }: JsonObject = isObject(content) ? content : {};
    const course =
      typeof platform_course_id === 'number' ? platform_course_id : courses.get(String(external_course_id));
    return course ?? -1;
  };
  return {
    idOf: (content, title) => classes.get(courseOf(content))?.get(comparable(title)),
    countOf: (content) => counts.get(courseOf(content)),
  };
}
