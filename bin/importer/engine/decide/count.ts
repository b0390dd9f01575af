/** Counts the kinds of a file: the pass over its rows. */
import { ownValue } from '../ground/own-value.ts';
import { say } from '../ground/codes.ts';
import { Notes } from '../language/notes.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import { type Cells, ValueReaders } from '../apply/value-reader.ts';
import { mappedRows } from '../apply/open-records.ts';
import { wordIn } from '../profile/roles.ts';
import type { Row, Source } from '../read/open-source.ts';
import { kindReader } from '../apply/kinds.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { latestDate } from '../dates/latest-date.ts';
import { saysAttended } from './attendance.ts';
import { mappingWith } from './base.ts';
import { kindKey, type ReadCell, textReader } from '../language/classes.ts';
import { isHarmless, isOfWords, saysNoState } from './column-facts.ts';
import type { FindOptions, FoundColumns } from './found.ts';
import { namesItems } from './items.ts';
import { NamesBeside, nameNoter, sharedDecider } from '../apply/names.ts';
import { type DateFacts, dateLooker, newFacts, type SeenDate } from './date-facts.ts';
import { Attributes, RepeatedRows, RowsOfOne } from './parts.ts';
import { leaveOutUnneeded } from './needed.ts';
import { Sessions } from './sessions.ts';
import { KindTally } from './tally.ts';
import type { Choices, StateColumn } from '../language/findings.ts';

/** A row of a learner in a course. */
type RowOfOne = Readonly<Record<'learner' | 'course' | 'pair', string>>;

export type CountedKinds = Awaited<ReturnType<typeof countKinds>>;

/** Rows that are compared with each other. */
const COMPARED_ROWS = 5000;
const MOST_COURSES = 20_000;
/** More columns of dates than a person would look at. */
const MOST_DATES = 30;

/** The text of a cell; empty where the table lacks the column. */
const textOf = (cells: Cells, place = -1): string => cells[place]?.trim() ?? '';

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
  const repeated = new RepeatedRows();
  const [ofLearner, ofCourse] = [new Attributes(unsure.length), new Attributes(unsure.length)];
  const sessions = new Sessions(latest);
  const beside = new NamesBeside();
  const courses = new Set<string>();
  /** Other columns name another course of the platform. */
  let isContradicted = false;
  const rivals = platform === undefined ? [] : rivalsOf(found, choices);
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
        look: dateLooker(facts, textReader({ read }, values.notation({ dates: facts.format }))),
      };
    });
    const words = names.flatMap((name, index) => {
      const column = columns.get(name);
      const read = all.get(name);
      if (column === undefined || read === undefined || !isOfWords(read)) return [];
      return [{ column, read, name, role: roleOf.get(column), at: index }];
    });
    /** What each column of dates has. */
    const addDates = (cells: Cells): SeenDate[] =>
      dated.map(({ facts, index, look }) => {
        const seen = look(cells[index] ?? '');
        if (seen.order !== undefined) facts[seen.order] += 1;
        if (seen.date !== undefined) facts.filled += 1;
        if (seen.toCome !== undefined) facts.future += 1;
        return seen;
      });
    /** Compares the row with those before it. */
    const compare = (
      cells: Cells,
      { learner, course, pair }: RowOfOne,
      classes: readonly ReadCell[],
      days: readonly SeenDate[],
    ): void => {
      const said = words.map((word) => ({ ...word, is: classes[word.at]?.is ?? '' }));
      const says = said.map(({ column, is }) => wordIn(column, is));
      for (const [at, { facts }] of dated.entries()) {
        const { date } = days[at] ?? {};
        if (date !== undefined) facts.events.add(pair, says, date);
      }
      sessions.add(
        pair,
        said.some(saysAttended),
        days.map(({ date = '' }) => date),
      );
      const textAt = (place: number): string => textOf(cells, place);
      const texts = unsurePlaces.map(textAt);
      const state = kindKey(surePlaces.map((place) => classes[place]?.is ?? ''));
      ofLearner.add(learner, texts, state);
      ofCourse.add(course, texts, state);
      ofOne.add(pair, course, otherPlaces.map(textAt));
    };
    /** The places of the cells that a record id does not say. */
    let besideId: readonly number[] | undefined;
    return (cells, line) => {
      const row = { line, learner: textOf(cells, user), course: textOf(cells, content) };
      const ofNames = () => Object.fromEntries(names.map((name, index) => [name, textOf(cells, indexes[index])]));
      const classes = read(cells);
      isContradicted ||= rivalPlaces.some((place) =>
        areTwo(platform?.courseOf(row.course), platform?.courseOf(textOf(cells, place))),
      );
      noteName(cells);
      if (courses.size < MOST_COURSES && row.course !== '') courses.add(row.course);
      const learner = row.learner.toLowerCase();
      const pair = `${learner}\n${row.course}`;
      const days = addDates(cells);
      tally.add(classes, days, () => ({ ...row, cells: ofNames() }));
      besideId ??= [...cells.keys()].filter((place) => ![user, content, completed].includes(place));
      repeated.add(`${pair}\n${textOf(cells, completed)}`, cells, besideId);
      if (rows <= COMPARED_ROWS) compare(cells, { ...row, learner, pair }, classes, days);
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
    hasRepeated: repeated.areThere,
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

/** Columns that may name the course, too. */
function rivalsOf({ named, course }: FoundColumns, choices: Choices): readonly ColumnProfile[] {
  const names = new Set(course.found.others.map(({ column }) => column));
  return choices.course === undefined ? named.filter(({ reference }) => names.has(reference)) : [];
}

const areTwo = (a: number | undefined, b: number | undefined): boolean => a !== undefined && b !== undefined && a !== b;
