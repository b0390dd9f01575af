/** Counts the kinds of a file: the pass over its rows. */
import { Notes } from '../mapping/notes.ts';
import type { Mapping } from '../mapping/schema.ts';
import type { ColumnProfile } from '../mapping/table-profile.ts';
import { ValueReaders } from '../mapping/value-reader.ts';
import { mappedRows } from '../records/open-records.ts';
import type { Source } from '../source/open-source.ts';
import { kindReader } from './apply.ts';
import { cellReader } from './classes.ts';
import { MOST_WORDS } from './columns.ts';
import { FactsOfDates } from './date-facts.ts';
import { type FoundColumns, mappingWith } from './found.ts';
import { Attributes, RowsOfOne } from './parts.ts';
import { KindTally } from './tally.ts';
import type { Choices, StateColumn } from './types.ts';

export interface Counted {
  readonly tally: KindTally;
  readonly rows: number;
  /** Rows whose record id an earlier row has, and that say something else. */
  readonly repeated: number;
  readonly parts: readonly string[];
  readonly courses: ReadonlySet<string>;
  readonly dates: readonly FactsOfDates[];
  readonly localTimes: number;
  readonly state: ReadonlyMap<string, StateColumn>;
}

const MOST_COURSES = 20_000;
/** More columns of dates than a person would look at. */
const MOST_DATES = 30;

const byReference = (columns: ReadonlyMap<ColumnProfile, StateColumn>): Map<string, StateColumn> =>
  new Map([...columns].map(([{ reference }, column]) => [reference, column]));

export async function countKinds(
  sources: readonly Source[],
  found: FoundColumns,
  choices: Choices,
  onRow?: () => void,
): Promise<Counted> {
  const pass = new Pass(found, choices);
  for (const source of sources) await pass.read(source, onRow);
  return pass.counted();
}

class Pass {
  readonly #found: FoundColumns;
  readonly #certain: ReadonlyMap<string, StateColumn>;
  readonly #all: ReadonlyMap<string, StateColumn>;
  readonly #maybe: readonly ColumnProfile[];
  readonly #others: readonly ColumnProfile[];
  readonly #tally: KindTally;
  readonly #base: Mapping;
  readonly #notes = new Notes();
  readonly #dates: readonly FactsOfDates[];
  readonly #ofOne: RowsOfOne;
  readonly #attributes: { readonly learner: Attributes; readonly course: Attributes };
  readonly #courses = new Set<string>();
  #rows = 0;

  constructor(found: FoundColumns, choices: Choices) {
    const { candidates, learner, course, profile, formatOf } = found;
    const maybe = [...candidates.maybe].toSorted(([a], [b]) => a.texts.size - b.texts.size);
    this.#found = found;
    this.#maybe = maybe.map(([column]) => column);
    this.#certain = byReference(candidates.state);
    this.#all = new Map([...this.#certain, ...byReference(new Map(maybe))]);
    this.#tally = new KindTally(
      [...this.#all.keys()],
      this.#maybe.map(({ reference }) => reference),
    );
    this.#base = mappingWith(found, Object.fromEntries(this.#all), { choices, isJoined: false, courses: {} });
    this.#dates = profile.columns
      .flatMap((column) => {
        const format = formatOf(column);
        return format === undefined ? [] : [new FactsOfDates(column, format)];
      })
      .slice(0, MOST_DATES);
    const isOther = (column: ColumnProfile): boolean => column !== learner.column && column !== course.column;
    this.#others = profile.columns.filter(
      (column) => isOther(column) && !column.isNumber && column.dateFormats.length === 0,
    );
    this.#ofOne = new RowsOfOne(this.#others.map(({ reference }) => reference));
    const unsure = this.#maybe.length;
    this.#attributes = { learner: new Attributes(unsure), course: new Attributes(unsure) };
  }

  async read(source: Source, onRow: (() => void) | undefined): Promise<void> {
    const { file, columns, cellsOf } = await mappedRows(source, this.#base);
    const values = new ValueReaders(this.#base, columns, this.#notes);
    const skips = (this.#base.skip ?? []).map((each) => values.condition(each, 'skip'));
    const isSkipped = (cells: readonly string[]): boolean => skips.some((holds) => holds(cells));
    const take = this.#taker(columns, values);
    const rows = file.format === 'csv' ? file.rows(isSkipped) : file.rows();
    for await (const row of rows) {
      const cells = cellsOf(row);
      if (isSkipped(cells)) continue;
      this.#rows += 1;
      onRow?.();
      take(cells, row.line);
    }
  }

  #taker(
    columns: Awaited<ReturnType<typeof mappedRows>>['columns'],
    values: ValueReaders,
  ): (cells: readonly string[], line: number) => void {
    const { learner, course, roles } = this.#found;
    const { names, read } = kindReader({ columns: Object.fromEntries(this.#all) }, columns, (given) =>
      values.notation(given),
    );
    const at = (column: ColumnProfile | undefined): number =>
      column === undefined ? -1 : columns.indexOf(column.reference, 'record');
    const [user, content, completed] = [learner.column, course.column, roles.get('progress.completed_at')].map(at);
    const [others, unsure] = [this.#others.map(at), this.#maybe.map(at)];
    const state = names.map((name) => columns.indexOf(name, 'kinds'));
    const dated = this.#dates.map((facts) => ({
      facts,
      index: at(facts.column),
      readCell: cellReader(
        { read: facts.column.dated === undefined ? 'date' : 'dated' },
        values.notation({ dates: facts.format }),
      ),
    }));
    return (cells, line) => {
      const text = (index = -1): string => cells[index]?.trim() ?? '';
      const classes = read(cells);
      const row = { line, learner: text(user), course: text(content) };
      this.#tally.add(new Map(names.map((name, index) => [name, classes[index] ?? { is: '' }])), () => ({
        ...row,
        cells: Object.fromEntries(names.map((name, index) => [name, text(state[index])])),
      }));
      if (this.#courses.size < MOST_COURSES && row.course !== '') this.#courses.add(row.course);
      for (const { facts, index, readCell } of dated) facts.add(text(index), readCell(cells[index] ?? ''));
      const unsureTexts = unsure.map(text);
      this.#attributes.learner.add(row.learner.toLowerCase(), unsureTexts);
      this.#attributes.course.add(row.course, unsureTexts);
      const pair = `${row.learner.toLowerCase()}\n${row.course}`;
      this.#ofOne.add(pair, `${pair}\n${text(completed)}`, others.map(text), cells);
    };
  }

  counted(): Counted {
    for (const [index, { reference }] of this.#maybe.entries())
      if (this.#attributes.learner.isAttribute(index) || this.#attributes.course.isAttribute(index))
        this.#tally.leaveOut(reference);
    leaveOutUnrelated(this.#tally, this.#certain);
    leaveOutFreeText(this.#tally, this.#certain, this.#found);
    const names = new Set(this.#tally.names);
    return {
      tally: this.#tally,
      rows: this.#rows,
      repeated: this.#ofOne.repeated,
      parts: this.#ofOne.parts().filter((name) => !names.has(name)),
      courses: this.#courses,
      dates: this.#dates,
      localTimes: this.#notes.localTimes,
      state: new Map([...this.#all].filter(([name]) => names.has(name))),
    };
  }
}

/** How strongly a column of unknown words has to vary with the certain ones. */
const LEAST_ASSOCIATION = 0.2;

/** A column of unknown words that varies with nothing is never needed, where another column says a state. */
function leaveOutUnrelated(tally: KindTally, certain: ReadonlyMap<string, StateColumn>): void {
  const own = tally.names.filter((name) => certain.has(name));
  if (own.every((name) => certain.get(name)?.read === 'date')) return;
  for (const name of tally.names.filter((each) => !certain.has(each)))
    if (!tally.varies(name, own, LEAST_ASSOCIATION)) tally.leaveOut(name);
}

/** Until a person can read the kinds: unknown words first, then the columns with most texts, which a person is asked about. */
function leaveOutFreeText(
  tally: KindTally,
  certain: ReadonlyMap<string, StateColumn>,
  { profile, candidates }: FoundColumns,
): void {
  const columns = new Map(profile.columns.map((column) => [column.reference, column]));
  const texts = (name: string): number => columns.get(name)?.texts.size ?? 0;
  const order = tally.names
    .filter((name) => certain.get(name)?.read !== 'date')
    .toSorted((a, b) => Number(certain.has(a)) - Number(certain.has(b)) || texts(b) - texts(a));
  for (const name of order) {
    if (tally.size <= MOST_WORDS) return;
    if (certain.has(name) && texts(name) <= 4) continue;
    tally.leaveOut(name);
    const column = columns.get(name);
    if (certain.has(name) && column !== undefined) candidates.freeText.push(column);
  }
}
