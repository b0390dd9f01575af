/** Counts the kinds of a file: the pass over its rows. */
import { ownValue } from '../ground/own-value.ts';
import { datePartOf, isNeverText } from '../dates/date-forms.ts';
import { asciiDigits, convertDate } from '../dates/date-format.ts';
import { say } from '../ground/codes.ts';
import { Notes } from '../language/notes.ts';
import { type ColumnProfile, isDayFirst, otherOrder } from '../profile/table-profile.ts';
import { type Cells, ValueReaders } from '../apply/value-reader.ts';
import { mappedRows } from '../apply/open-records.ts';
import { wordIn } from '../profile/roles.ts';
import type { Row, Source } from '../read/open-source.ts';
import { kindReader } from '../apply/kinds.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { latestDate } from '../dates/latest-date.ts';
import { saysAttended } from './attendance.ts';
import { mappingWith } from './base.ts';
import { cellReader, kindKey } from '../language/classes.ts';
import { isHarmless, isOfWords, saysNoState } from './column-facts.ts';
import type { FindOptions, FoundColumns } from './found.ts';
import { namesItems } from './items.ts';
import { NamesBeside, nameNoter, sharedDecider } from '../apply/names.ts';
import { Attributes, COMPARED_ROWS, Events, RowsOfOne } from './parts.ts';
import { leaveOutUnneeded } from './needed.ts';
import { Sessions } from './sessions.ts';
import { KindTally } from './tally.ts';
import type { Choices, StateColumn } from '../language/findings.ts';

/** What the rows say of a column of dates. */
export interface DateFacts {
  readonly column: ColumnProfile;
  readonly format: string;
  first: string | null;
  last: string | null;
  /** How many cells are dates, and how many of them are still to come. */
  filled: number;
  readonly latest: string;
  future: number;
  /** The format with day and month swapped, unless a person chose one. */
  readonly other: string | undefined;
  /** How many cells can only be read in the format, and only in the other. */
  own: number;
  others: number;
  readonly events: Events;
  /** Cells that are no dates. */
  readonly odd: Set<string>;
}

export type CountedKinds = Awaited<ReturnType<typeof countKinds>>;

const MOST_COURSES = 20_000;
/** More columns of dates than a person would look at. */
const MOST_DATES = 30;
const MOST_ODD = 10;

const byReference = (columns: Iterable<[ColumnProfile, StateColumn]>): [string, StateColumn][] =>
  Array.from(columns, ([{ reference }, column]) => [reference, column]);

/** Reads all rows, and counts their kinds, their dates and their courses. */
export async function countKinds(
  sources: readonly Source[],
  found: FoundColumns,
  choices: Choices,
  { platform, onRow }: Pick<FindOptions, 'platform' | 'onRow'>,
) {
  const { candidates, learner, course, profile, roles, roleOf, formatOf } = found;
  const maybe = [...candidates.maybe].toSorted(([a], [b]) => a.texts.size - b.texts.size);
  // Columns about people or courses by their header, which one of their words may contradict.
  const harmless = [...candidates.state.keys()].filter(
    (column) => roleOf.get(column) !== 'status' && isHarmless(column),
  );
  const unsaid = [...candidates.state.keys()].filter((column) => saysNoState(column, roleOf.get(column)));
  const unsure = [...maybe.map(([column]) => column), ...harmless, ...unsaid];
  const certain = new Map(byReference(candidates.state));
  const sure = new Set([...certain.keys()].filter((name) => !unsure.some(({ reference }) => reference === name)));
  const items = new Set(maybe.flatMap(([column]) => (namesItems(column) ? column.reference : [])));
  const all = new Map([...certain, ...byReference(maybe)]);
  const tally = new KindTally(
    [...all.keys()],
    maybe.map(([{ reference }]) => reference),
  );
  const base = mappingWith(found, Object.fromEntries(all), { choices, isJoined: false, courses: {} });
  const latest = latestDate(sources[0]);
  const dates = profile.columns
    .flatMap((column): DateFacts[] => {
      const format = formatOf(column);
      return format === undefined
        ? []
        : [newFacts(column, { format, latest, isChosen: ownValue(choices.dates, column.reference) !== undefined })];
    })
    .slice(0, MOST_DATES);
  const others = profile.columns.filter(
    (column) =>
      column !== learner.column &&
      column !== course.column &&
      !column.isNumber &&
      column.dateFormats.length === 0 &&
      !isOfPeople(column) &&
      !/\b(status|state|renewal)\b/.test(column.plain),
  );
  const otherNames = others.map(({ reference }) => reference);
  const ofParts = others.filter((column) => column === roles.get('module') || namesPart(column));
  const ofOne = new RowsOfOne(otherNames, new Set(ofParts.map(({ reference }) => reference)));
  const [ofLearner, ofCourse] = [new Attributes(unsure.length), new Attributes(unsure.length)];
  const sessions = new Sessions(latest);
  const beside = new NamesBeside();
  const courses = new Set<string>();
  /** Other columns name another course of the platform. */
  let isContradicted = false;
  const rivals = rivalsOf(found, choices);
  const notes = new Notes();
  const columns = new Map(profile.columns.map((column) => [column.reference, column]));
  let rows = 0;

  function taker(values: ValueReaders): (cells: Cells, line: number) => void {
    const { names, indexes, read } = kindReader(Object.fromEntries(all), values);
    const at = (column: ColumnProfile | undefined): number =>
      column === undefined ? -1 : values.columns.indexOf(column.reference, 'record');
    const [user, content, completed] = [learner.column, course.column, roles.get('progress.completed_at')].map(at);
    const [otherPlaces, unsurePlaces, rivalPlaces] = [others.map(at), unsure.map(at), rivals.map(at)];
    const surePlaces = names.flatMap((name, index) => (sure.has(name) ? index : []));
    const noteName = nameNoter(beside, profile.columns, values);
    const dated = dates.map((facts) => {
      const read = facts.column.dated === undefined ? 'date' : 'dated';
      return {
        facts,
        index: at(facts.column),
        readCell: cellReader({ read }, values.notation({ dates: facts.format })),
      };
    });
    const words = names.flatMap((name, index) => {
      const column = columns.get(name);
      const read = all.get(name);
      if (column === undefined || read === undefined || !isOfWords(read)) return [];
      return [{ column, read, name, role: roleOf.get(column), at: index }];
    });
    /** The day of each column of dates. */
    const addDates = (cells: Cells, pair: string, says: Parameters<Events['add']>[1]): string[] =>
      dated.map(({ facts, index, readCell }) => {
        const cell = cells[index] ?? '';
        const day = addDate(facts, cell.trim(), readCell(cell));
        if (day !== undefined && says.length > 0) facts.events.add(pair, says, day);
        return day ?? '';
      });
    const toComeIn = (days: readonly string[]): string[] =>
      dated.flatMap(({ facts: { latest, column } }, at) => ((days[at] ?? '') > latest ? [column.reference] : []));
    return (cells, line) => {
      const text = (index = -1): string => cells[index]?.trim() ?? '';
      const row = { line, learner: text(user), course: text(content) };
      const ofNames = () => Object.fromEntries(names.map((name, index) => [name, text(indexes[index])]));
      const classes = read(cells);
      isContradicted ||= rivalPlaces.some((place) =>
        areTwo(platform?.courseOf(row.course), platform?.courseOf(text(place))),
      );
      noteName(cells);
      if (courses.size < MOST_COURSES && row.course !== '') courses.add(row.course);
      const pair = `${row.learner.toLowerCase()}\n${row.course}`;
      const isCompared = rows <= COMPARED_ROWS;
      const said = isCompared ? words.map((word) => ({ ...word, is: classes[word.at]?.is ?? '' })) : [];
      const days = addDates(
        cells,
        pair,
        said.map(({ column, is }) => wordIn(column, is)),
      );
      tally.add(classes, toComeIn(days), () => ({ ...row, cells: ofNames() }));
      if (isCompared) sessions.add(pair, said.some(saysAttended), days);
      const unsureTexts = unsurePlaces.map(text);
      const state = !isCompared ? '' : kindKey(surePlaces.map((place) => classes[place]?.is ?? ''));
      ofLearner.add(row.learner.toLowerCase(), unsureTexts, state);
      ofCourse.add(row.course, unsureTexts, state);
      ofOne.add(row, text(completed), otherPlaces.map(text), cells);
    };
  }

  for (const source of sources) {
    const { file, columns, cellsOf } = await mappedRows(source, base);
    const values = new ValueReaders(base, columns, notes);
    const [isSkip, shared] = [values.anyCondition(base.skip, 'skip'), sharedDecider(values)];
    const isSkipped = (cells: Cells): boolean => isSkip(cells) || shared(cells) !== undefined;
    const take = taker(values);
    const count = (row: Row): void => {
      const cells = cellsOf(row);
      if (isSkipped(cells)) return;
      rows += 1;
      onRow?.();
      take(cells, row.line);
    };
    for await (const piece of file.format === 'csv' ? file.rows(isSkipped) : file.rows())
      for (const row of piece) count(row);
  }
  const variesInCourse = ofCourse.varying();
  const [said, always] = [
    [ofLearner, ofCourse].map((of) => of.found()),
    [ofLearner, ofCourse].map((of) => of.foundWhateverTheState()),
  ];
  const isOfOne = (column: ColumnProfile, index: number): boolean =>
    items.has(column.reference)
      ? variesInCourse[index] !== true
      : (unsaid.includes(column) ? always : said).some((found) => found[index] === true);
  for (const name of all.keys()) if (!tally.names.includes(name)) candidates.why.set(name, say('too_many_kinds', {}));
  const same = new Set(unsure.filter(isOfOne).map(({ reference }) => reference));
  if (found.system === undefined)
    leaveOutUnneeded({ tally, all, certain, items, ofOne: same, found, dates }, candidates.why);
  const kept = new Set(tally.names);
  const parts = ofOne.parts();
  return {
    tally,
    rows,
    courses,
    isContradicted,
    dates,
    localTimes: notes.localTimes,
    /** Rows whose record id an earlier row has, and that say something else. */
    repeated: ofOne.repeated,
    areOneSession: sessions.areOne && parts.length === 0,
    parts: parts.filter((name) => !kept.has(name)),
    state: new Map([...all].filter(([name]) => kept.has(name))),
    shared: beside.shared(choices.shared),
  };
}

/** `Quiz title`: each of its texts is a part of a course, however many there are. */
const namesPart = (column: ColumnProfile): boolean => column.topics.has('exam') && saysTitle(column);

const saysTitle = ({ plain }: ColumnProfile): boolean => plain.split(' ').some((word) => saysTopic(word, 'title'));

/** A trainer, a role or a department is no part of a course; the name of something may be. */
const isOfPeople = (column: ColumnProfile): boolean =>
  column.topics.has('other_person') || (column.topics.has('person') && !saysTitle(column));

const newFacts = (
  column: ColumnProfile,
  { format, latest, isChosen }: { readonly format: string; readonly latest: string; readonly isChosen: boolean },
): DateFacts => {
  const other = isChosen ? undefined : otherOrder(format);
  const none = { first: null, last: null, filled: 0, future: 0, own: 0, others: 0 };
  return { column, format, latest, other, ...none, events: new Events(), odd: new Set() };
};

/** Counts a date that only one order can have. */
function addOrder(facts: DateFacts, text: string, isDate: boolean): void {
  const { other, column, format } = facts;
  if (other === undefined) return;
  const date = column.dated === undefined ? text : (datePartOf(text) ?? '');
  if (isDate) {
    // The day and the month, in the order of the format.
    const [one, two] = asciiDigits(date).match(/\d+/g) ?? [];
    if (Number(isDayFirst(format) ? one : two) > 12) facts.own += 1;
  } else if (!isNeverText(date) && convertDate(date, other) !== undefined) facts.others += 1;
}

/** The date of the cell, if it has one. */
function addDate(
  facts: DateFacts,
  text: string,
  { is, value }: ReturnType<ReturnType<typeof cellReader>>,
): string | undefined {
  if (is === 'impossible' && facts.odd.size < MOST_ODD) facts.odd.add(text.slice(0, 80));
  addOrder(facts, text, typeof value === 'string');
  if (typeof value !== 'string') return undefined;
  facts.filled += 1;
  if (value > facts.latest) facts.future += 1;
  const day = value.slice(0, 10);
  if (facts.first === null || day < facts.first) facts.first = day;
  if (facts.last === null || day > facts.last) facts.last = day;
  return value;
}

/** Columns that may name the course, too. */
function rivalsOf({ named, course }: FoundColumns, choices: Choices): readonly ColumnProfile[] {
  const names = new Set(course.found.others.map(({ column }) => column));
  return choices.course === undefined ? named.filter(({ reference }) => names.has(reference)) : [];
}

const areTwo = (a: number | undefined, b: number | undefined): boolean => a !== undefined && b !== undefined && a !== b;
