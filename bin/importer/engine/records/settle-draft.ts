/** Reads a file with the mapping that was drafted for it, and settles what several rows of a learner in one course mean. */
import { externalRecordIdOf } from '../../wire/values.ts';
import { UsageError } from '../errors.ts';
import { FILE_COLUMN } from '../mapping/columns.ts';
import { isObject, memberOf } from '../mapping/fields.ts';
import { learnerCourseOf, renewalLines, type Renewals, RenewalTally } from '../mapping/renewals.ts';
import type { GuessedMapping } from '../mapping/guess-mapping.ts';
import type { ClassList, Mapping } from '../mapping/schema.ts';
import { Notes } from '../mapping/notes.ts';
import { meaningOf } from '../words/words.ts';
import type { Entry, RecordSource } from './record-source.ts';
import { TextNumbers } from './text-numbers.ts';

/** Rows in which columns are compared. */
const COMPARED_ROWS = 5000;
/** A column with more texts identifies something else. */
const MOST_PARTS = 60;

/** What the records of a whole file show. */
export interface DraftFacts {
  /** Records whose id did not occur before. */
  readonly records: number;
  /** Records whose id occurred before, and the line of the first of them. */
  readonly repeats: number;
  readonly firstRepeat: number | undefined;
  /** Times without a zone. */
  readonly localTimes: number;
}

export interface SettledDraft extends GuessedMapping {
  /** What `checkDraft` would find with this mapping; absent if it has to read the file. */
  readonly facts?: DraftFacts | undefined;
}

/**
 * Several rows of a learner in one course are parts of it if a column says which, else several completions, each a record of its
 * own, else attempts, which are joined.
 *
 * @param open opens the file with a mapping
 * @param onRow called after each row, to show progress
 */
export async function settledDraft(
  open: (mapping: Mapping) => Promise<RecordSource>,
  draft: GuessedMapping,
  onRow?: () => void,
): Promise<SettledDraft> {
  if (draft.mapping.group_by !== undefined) return draft;
  const found = await learnerCourses(() => open(draft.mapping), onRow);
  if (found === undefined) return draft;
  const settled = settledBy(found, draft);
  return settled.mapping.group_by === undefined ? { ...settled, facts: found.facts } : settled;
}

function settledBy(found: LearnerCourses, draft: GuessedMapping): GuessedMapping {
  if (draft.classes !== undefined && found.several > 0) return byModule(draft, draft.classes);
  const parts = draft.classes?.column ?? found.differing.find((name) => !isUsed(draft.mapping, name));
  if (parts !== undefined) return { ...draft, mapping: withGuess(draft.mapping, partGuess(parts, found.several)) };
  const joined = found.repeated === 0 ? undefined : joinedByIds(draft.mapping);
  return joined === undefined
    ? { ...draft, doubts: [...draft.doubts, ...renewalLines(found.renewals)] }
    : { ...draft, mapping: joined, doubts: [...draft.doubts, joinDoubt(found)] };
}

function byModule(draft: GuessedMapping, classes: ClassList): GuessedMapping {
  const mapping = joinedByIds(withClasses(draft.mapping, classes));
  return mapping === undefined ? draft : { ...draft, mapping, doubts: [...draft.doubts, moduleDoubt(classes.column)] };
}

interface LearnerCourses {
  /** Learners with several rows in one course. */
  readonly several: number;
  readonly renewals: Renewals;
  /** Rows whose id another row has. */
  readonly repeated: number;
  /** Columns of words that differ between the rows of one learner and course. */
  readonly differing: readonly string[];
  readonly facts: DraftFacts;
}

/** `undefined` for a file that cannot be read to its end with the draft. */
async function learnerCourses(
  open: () => Promise<RecordSource>,
  onRow: (() => void) | undefined,
): Promise<LearnerCourses | undefined> {
  try {
    return await countedIn(await open(), onRow);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

async function countedIn(source: RecordSource, onRow: (() => void) | undefined): Promise<LearnerCourses> {
  const notes = new Notes();
  const facts = new RepeatedIds();
  const pairs = new TextNumbers();
  const rows: number[] = [];
  const renewals = new RenewalTally();
  const compared = new Differences(source.file.columns);
  for await (const entry of source.read({ notes, onRow }).entries) {
    facts.add(entry);
    const pair = pairs.of(learnerCourseOf(entry.record));
    rows[pair] = (rows[pair] ?? 0) + 1;
    renewals.add(entry.record);
    compared.add(pair, entry.row.cells ?? []);
  }
  return {
    several: rows.filter((count) => count > 1).length,
    renewals: renewals.renewals(),
    repeated: facts.repeated,
    differing: compared.columns(),
    facts: { ...facts.found, localTimes: notes.localTimes },
  };
}

class RepeatedIds {
  readonly #numbers = new TextNumbers();
  #known = 0;
  /** Records whose id occurred before, usable or not. */
  repeated = 0;
  readonly found: Omit<Mutable<DraftFacts>, 'localTimes'> = { records: 0, repeats: 0, firstRepeat: undefined };

  add({ record, row }: Entry): void {
    const id = memberOf(record, 'external_record_id');
    const number = this.#numbers.of(typeof id === 'string' ? id : undefined);
    const isRepeat = number < this.#known;
    if (isRepeat) this.repeated += 1;
    else this.#known = number + 1;
    if (!isRepeat || externalRecordIdOf(record) === null) this.found.records += 1;
    else {
      this.found.repeats += 1;
      this.found.firstRepeat ??= row.line;
    }
  }
}

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** Compares the rows of one learner and course, column by column. */
class Differences {
  readonly #names: readonly string[];
  readonly #first = new Map<number, readonly string[]>();
  readonly #differing = new Set<number>();
  readonly #texts: Set<string>[];
  #rows = 0;

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#texts = names.map(() => new Set());
  }

  add(pair: number, cells: readonly string[]): void {
    this.#rows += 1;
    if (this.#rows > COMPARED_ROWS) return;
    const texts = cells.map((text) => text.trim());
    for (const [index, seen] of this.#texts.entries()) if (seen.size <= MOST_PARTS) seen.add(texts[index] ?? '');
    const first = this.#first.get(pair);
    if (first === undefined) this.#first.set(pair, texts);
    else for (const [index, text] of texts.entries()) if (differs(text, first[index] ?? '')) this.#differing.add(index);
  }

  /** Numbers and dates differ between attempts, too; words of a state do. */
  columns(): string[] {
    return [...this.#differing].flatMap((index) => {
      const texts = [...(this.#texts[index] ?? [])].filter((text) => text !== '');
      const isPart =
        texts.length <= MOST_PARTS &&
        !texts.some((text) => /^[\d\W]*$|\d{4}|^(PT?)?\d|@/u.test(text) || meaningOf(text) !== undefined);
      const name = this.#names[index];
      return isPart && name !== undefined && name !== '' ? [name] : [];
    });
  }
}

const differs = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b;

const isUsed = ({ record }: Mapping, name: string): boolean =>
  JSON.stringify(record).includes(JSON.stringify(name).slice(1, -1));

const withGuess = ({ guesses = [], record, ...mapping }: Mapping, guess: string): Mapping => ({
  ...mapping,
  guesses: [...guesses, guess],
  record,
});

/** Classes in place of a percentage: the platform derives it. */
function withClasses({ record, ...mapping }: Mapping, classes: ClassList): Mapping {
  const { 'progress.completion_pct': _, 'progress.completed_at': __, external_record_id: id, ...rest } = record;
  const given = Array.isArray(id) ? id.at(-1) : id;
  return {
    ...mapping,
    skip_without_progress: true,
    record: {
      external_record_id: given,
      ...rest,
      'progress.completed_at': { latest: true },
      'progress.classes': classes,
    },
  };
}

/** The mapping that joins rows with the same learner and course. `undefined` if its ids do not show them. */
export function joinedByIds(mapping: Mapping): Mapping | undefined {
  const id = mapping.record['external_record_id'];
  const last = Array.isArray(id) ? id.at(-1) : id;
  const template = isObject(last) && 'template' in last ? String(last.template) : '';
  const columns = [...template.matchAll(/\{([^{}]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== FILE_COLUMN);
  return columns.length === 0 ? undefined : { ...mapping, group_by: columns };
}

const moduleDoubt = (column: string): string =>
  `"${column}" names a part of a course: the rows of a learner and course are joined, and each completed part is a class, found by its title in the catalog.`;

const partGuess = (column: string, several: number): string =>
  several === 0
    ? `"${column}" may name a part of a course; each row is read as the whole course.`
    : `"${column}" differs between the rows of ${several} ${several === 1 ? 'learner' : 'learners'} in one course; each row is read as the whole course.`;

const joinDoubt = ({ repeated }: LearnerCourses): string =>
  `external_record_id: ${repeated} rows repeat a learner and course. "group_by" joins them: the best result, all classes, the earliest and latest dates.`;
