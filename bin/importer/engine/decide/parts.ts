/** Several rows of a learner in one course: repeated ids, and columns of words that name parts of the course. */
import { TextNumbers, twice } from '../ground/record-ids.ts';
import { type Meaning, meaningOf } from '../lexicon/words.ts';

/** A column with more texts identifies something else. */
const MOST_PARTS = 60;
/** One of so many learners of a course has several of its parts. */
const LEAST_OF_PARTS = 10;

/** That rows of one agree has to be less likely than this, if they did so by chance. */
const LEAST_CHANCE = 0.01;
/** Where no header says that a column may be one. */
const LEAST_CHANCE_UNSAID = 0.001;

/** Columns whose text is the same in all rows of a learner, or of a course: they say nothing of a learner in a course. */
export class Attributes {
  readonly #columns: { readonly first: Map<string, string>; readonly rows: Map<string, number>; isVarying: boolean }[];
  readonly #states = new Map<string, { readonly first: string; rows: number; isVarying: boolean }>();
  #rows = 0;

  constructor(columns: number) {
    this.#columns = Array.from({ length: columns }, () => ({ first: new Map(), rows: new Map(), isVarying: false }));
  }

  /** @param state what the columns say that are certainly of state */
  add(of: string, texts: readonly string[], state: string): void {
    this.#rows += 1;
    const beside = this.#states.get(of) ?? { first: state, rows: 0, isVarying: false };
    beside.rows += 1;
    beside.isVarying ||= beside.first !== state;
    this.#states.set(of, beside);
    for (const [index, column] of this.#columns.entries()) {
      const text = texts[index] ?? '';
      column.rows.set(text, (column.rows.get(text) ?? 0) + 1);
      const first = column.first.get(of);
      if (first === undefined) column.first.set(of, text);
      else column.isVarying ||= first !== text;
    }
  }

  /** Whether each column has several texts for one of them. */
  varying(): boolean[] {
    return this.#columns.map(({ isVarying }) => isVarying);
  }

  /** Whether each column is one. */
  found(): boolean[] {
    const repeated = this.#rows - this.#states.size;
    return this.#columns.map((_, index) => this.#chanceOf(index, repeated) < LEAST_CHANCE);
  }

  /** Whether each column stays the same though the state changes. */
  foundWhateverTheState(): boolean[] {
    const varying = [...this.#states.values()].filter(({ isVarying }) => isVarying);
    const repeated = varying.reduce((sum, { rows }) => sum + rows - 1, 0);
    return this.#columns.map((_, index) => this.#chanceOf(index, repeated) < LEAST_CHANCE_UNSAID);
  }

  /** How likely it is that so many rows have the text of an earlier one by chance. */
  #chanceOf(index: number, repeated: number): number {
    const { rows, isVarying } = this.#columns[index] ?? { rows: new Map<string, number>(), isVarying: true };
    if (isVarying || rows.size < 2) return 1;
    const alike = [...rows.values()].reduce((sum, count) => sum + (count / this.#rows) ** 2, 0);
    return alike ** repeated;
  }
}

/** Tells rows apart that are equal but for letter case and blanks, in four bytes. @param places of the cells that count */
function hashOf(cells: readonly string[], places: readonly number[]): number {
  let hash = 0;
  for (const place of places) {
    const text = (cells[place] ?? '').trim().toLowerCase();
    for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    hash = (Math.imul(hash, 31) + 7) | 0;
  }
  return hash >>> 0;
}

/** Rows that have the record id of an earlier row, and say something else. */
export class RepeatedRows {
  readonly #ids = new TextNumbers();
  /** What the first row of each id says. */
  #contents = new Uint32Array(1024);
  #count = 0;
  areThere = false;

  /** Nothing more is found once there is one. @param places of the cells that the id does not say */
  add(id: string, cells: readonly string[], places: readonly number[]): void {
    if (this.areThere) return;
    const number = this.#ids.of(id);
    const content = hashOf(cells, places);
    if (number === this.#contents.length) this.#contents = twice(this.#contents);
    if (number === this.#count) this.#contents[this.#count++] = content;
    else this.areThere = this.#contents[number] !== content;
  }
}

/** The rows of each learner in each course, compared with each other. */
export class RowsOfOne {
  readonly #names: readonly string[];
  readonly #parts: ReadonlySet<string>;
  readonly #first = new Map<string, readonly string[]>();
  /** How many learners each course has. */
  readonly #learners = new Map<string, number>();
  /** By its pair, for each column the learners of several texts in a course, with the course. */
  readonly #differing: Map<string, string>[];
  readonly #texts: Set<string>[];
  #rows = 0;

  /** @param names columns that may name a part of a course. @param parts those whose headers say so */
  constructor(names: readonly string[], parts: ReadonlySet<string>) {
    this.#names = names;
    this.#parts = parts;
    this.#texts = names.map(() => new Set());
    this.#differing = names.map(() => new Map());
  }

  /** @param pair of a learner and the course. @param texts of the columns that may name a part */
  add(pair: string, course: string, texts: readonly string[]): void {
    this.#rows += 1;
    for (const [index, seen] of this.#texts.entries()) if (seen.size <= MOST_PARTS) seen.add(texts[index] ?? '');
    this.#compare(pair, course, texts);
  }

  #compare(pair: string, course: string, texts: readonly string[]): void {
    const first = this.#first.get(pair) ?? texts;
    if (first === texts) this.#learners.set(course, (this.#learners.get(course) ?? 0) + 1);
    this.#first.set(pair, first);
    for (const [index, text] of texts.entries())
      if (text !== '' && first[index] !== '' && text !== first[index]) this.#differing[index]?.set(pair, course);
  }

  /** Numbers and dates differ between attempts, too; words of a state do. */
  parts(): string[] {
    return this.#names.filter((name, index) => {
      const texts = [...(this.#texts[index] ?? [])].filter((text) => text !== '');
      const isFew = texts.length * 2 <= this.#rows && texts.length <= MOST_PARTS;
      return (
        this.#areOfSome(index, this.#parts.has(name)) &&
        (this.#parts.has(name) || isFew) &&
        !texts.some((text) => /^[\d\W]*$|\d{4}|^(PT?)?\d|@/u.test(text) || meaningOf(text) !== undefined)
      );
    });
  }

  /** Who took a course again may have another text there: parts are of many of its learners, unless a header says so. */
  #areOfSome(index: number, isSaid: boolean): boolean {
    const differing = this.#differing[index] ?? new Map<string, string>();
    const all = [...new Set(differing.values())].reduce((sum, course) => sum + (this.#learners.get(course) ?? 0), 0);
    return differing.size > 0 && (isSaid || differing.size * LEAST_OF_PARTS >= all);
  }
}

/** Fewer may be so by chance. */
const LEAST_DONE = 5;

/** Whether a day is that of an event, like those of a log: whoever is done has an earlier row in which they began. */
export class Events {
  readonly #begun = new Map<string, string>();
  readonly #done = new Map<string, string>();

  /** The first day of each learner in a course counts. @param words of the row */
  add(pair: string, words: readonly (Meaning | undefined)[], day: string): void {
    const isDone = words.some((each) => each === 'completed' || each === 'passed');
    const days = isDone ? this.#done : words.includes('in_progress') ? this.#begun : undefined;
    if (days !== undefined && day < (days.get(pair) ?? '~')) days.set(pair, day);
  }

  get areThey(): boolean {
    const begun = [...this.#done].map(([pair, day]) => ({ day, from: this.#begun.get(pair) ?? '~' }));
    const earlier = begun.filter(({ day, from }) => from < day);
    return (
      begun.length >= LEAST_DONE && begun.every(({ day, from }) => from <= day) && earlier.length * 2 > begun.length
    );
  }
}
