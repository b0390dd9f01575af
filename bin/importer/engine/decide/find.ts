/**
 * Finds what the rows of a file say, in bounded memory: one pass over its columns, one over its kinds. What a cell says of a kind
 * depends on the format of its whole column, and whose row it is on the columns that the platform knows, so the first has to end
 * before the second begins. Reading again costs less than keeping the rows in between.
 */
import { ownValue } from '../ground/own-value.ts';
import { isNeverDate, isNeverText } from '../dates/date-forms.ts';
import type { Mapping } from '../language/schema.ts';
import { areFractions, type ColumnProfile, isDayFirst } from '../profile/table-profile.ts';
import { isPlanned } from '../profile/roles.ts';
import { zoneNamed } from '../dates/time-zone.ts';
import type { Source } from '../read/open-source.ts';
import { scaled } from '../dates/convert-value.ts';
import { saysTopic } from '../lexicon/topics.ts';
import { convertDate } from '../dates/date-format.ts';
import { mappingWith } from './base.ts';
import { isSameKind, kindKey } from '../language/classes.ts';
import { MOST_WORDS, readingOf } from './column-facts.ts';
import { suggestedKinds } from './kinds.ts';
import { type CountedKinds, countKinds } from './count.ts';
import type { DateFacts } from './date-facts.ts';
import { type FindOptions, type FoundColumns, foundColumns } from './found.ts';
import type { Identity } from './identity.ts';
import type {
  Choices,
  Findings,
  FoundDates,
  FoundFractions,
  Kind,
  OtherColumn,
  Platform,
} from '../language/findings.ts';

/** @throws EngineError for a file without rows, without a header, or with other columns than the first */
export async function findKinds(sources: readonly Source[], options: FindOptions = {}): Promise<Findings> {
  const { platform, choices: given = {}, confirmed = [], onRow } = options;
  const found = await foundColumns(sources, options);
  const zone = zoneIn(found.profile.columns);
  const choices = { timeZone: zone, ...found.choices };
  const counted = await countKinds(sources, found, choices, { platform, onRow });
  const { learner, course, candidates, roles, says } = found;
  const { kinds, unclear, ...voided } = suggestedKinds(found, counted, confirmed);
  const isJoined = counted.hasRepeated && roles.get('external_record_id') === undefined;
  const courses = matchedCourses(counted.courses, course, platform);
  const columns = Object.fromEntries(counted.state);
  const base = { ...voided, ...mappingWith(found, columns, { choices, isJoined, courses }) };
  // Of days as bare numbers each workbook has its own beginning: their range shows it.
  const areOfWorkbooks = sources.some(({ is1904 }) => is1904 === true);
  const dates = counted.dates
    .map((facts) => foundDates(found, counted, facts))
    .map((each) => (areOfWorkbooks && each.formats[0] === 'excel' ? { ...each, samples: [] } : each));
  return {
    ...fileFacts(sources[0]),
    system: systemFacts(found),
    sheets: found.sheets,
    rows: counted.rows,
    learner: learner.found,
    course: withUnknown(course, courses, counted, platform),
    dates,
    columns,
    why: Object.fromEntries(candidates.why),
    kinds,
    unclear: unclear.filter((name) => ownValue(choices.state, name) !== true),
    others: otherColumns(found, base, dates),
    freeText: candidates.freeText
      .map(({ reference }) => reference)
      .filter((name) => ownValue(choices.state, name) === undefined),
    shape: says,
    isShapeOpen: isShapeOpen(found, choices),
    parts: choices.whole_course === true || learner.column === undefined ? [] : counted.parts,
    fractions: fractionsIn(found, base, kinds, choices),
    shared: counted.shared.slice(0, MOST_SHARED),
    localTimes: choices.timeZone === undefined ? counted.localTimes : 0,
    earlier: confirmed.filter(
      ({ values }) => isOf(values, columns) && !kinds.some((kind) => isSameKind(kind.values, values)),
    ),
    choices: { timeZone: zone, ...given },
    base,
  };
}

/** Several names, all of which the platform knows as courses, where no column could be that of the course. */
const areCoursesOfPlatform = ({ column, found }: Identity, roles: FoundColumns['roles']): boolean =>
  (column?.texts.size ?? 0) > 1 &&
  found.found === column?.texts.size &&
  found.others.length === 0 &&
  !roles.has('content.external_course_id') &&
  !roles.has('content.platform_course_id');

/** A person says whether the names of sheets are learners, or courses of which the platform does not know all. */
const areNamesOpen = (
  { learner, course, sheet, roles }: FoundColumns,
  chosen: Pick<Choices, 'learner' | 'course'>,
): boolean =>
  sheet !== undefined &&
  ((learner.column === sheet && chosen.learner === undefined) ||
    (course.column === sheet && chosen.course === undefined && !areCoursesOfPlatform(course, roles)));

/** A person says whether empty cells have the text of the row above, and whether bare numbers of a matrix are percentages. */
function isShapeOpen(found: FoundColumns, { shape, ...chosen }: Choices): boolean {
  const { settings, profile } = found;
  const isOfNumbers =
    settings.repeat?.every(({ from }) => Object.keys(from).join() === PROGRESS) === true &&
    profile.columns.some(
      ({ reference, values }) => reference === PROGRESS && !values.some((text) => text.includes('%')),
    );
  return shape === undefined && (settings.fill_down !== undefined || isOfNumbers || areNamesOpen(found, chosen));
}

const PROGRESS = ':progress';

/** More than a person reads at once. */
const MOST_SHARED = 50;

function fractionsIn(
  { profile, roles }: FoundColumns,
  { kinds, record }: Mapping,
  found: readonly Kind[],
  { fractions }: Choices,
): FoundFractions[] {
  /** A row that is completed, with a day or without one, has the number 1, so 1 is the whole and not 1 %. */
  const isSettled = (name: string): boolean =>
    found.some(
      ({ values, outcome, reason }) =>
        ownValue(values, name) === '100' &&
        (outcome === 'completed' || outcome === 'certified' || reason?.code === 'done_without_a_day'),
    );
  const score = record['assessment.score_pct'] === undefined ? undefined : roles.get('assessment.score_pct');
  return profile.columns
    .filter(
      (column) =>
        (column === score || ownValue(kinds?.columns, column.reference)?.read === 'percent') && areFractions(column),
    )
    .map((column) => {
      const chosen = ownValue(fractions, column.reference);
      const samples = column.values.flatMap((text) => {
        const number = Number(text.replace(',', '.'));
        return Number.isNaN(number) ? [] : [{ text, percent: scaled(number, chosen === false ? 1 : 100) }];
      });
      const mayBeOne = saysTopic(column.name.toLowerCase(), 'percent') && !isSettled(column.reference);
      return { column: column.reference, samples: samples.slice(0, 3), isOpen: chosen === undefined && mayBeOne };
    });
}

const systemFacts = ({ system, choices }: FoundColumns): Findings['system'] =>
  system === undefined ? null : { id: system.id, name: system.name, confirmed: choices.system === system.id };

const fileFacts = (source: Source | undefined): Pick<Findings, 'file' | 'encoding'> => ({
  file: source?.path ?? '',
  encoding: source?.sheet === undefined ? (source?.encoding ?? null) : null,
});

function ordersOf({ format, own, others }: DateFacts): FoundDates['orders'] {
  if (own === 0 || others === 0) return null;
  return isDayFirst(format) ? { day: own, month: others } : { day: others, month: own };
}

function dateSamples({ column, format }: DateFacts): FoundDates['samples'] {
  const samples = (column.dated?.dates ?? column).values.flatMap((text) => {
    const date = isNeverText(text) ? undefined : convertDate(text, format);
    return date === undefined || isNeverDate(date) ? [] : [{ text, date: date.slice(0, 10) }];
  });
  return samples.slice(0, 3);
}

function foundDates({ roles, isAmbiguous }: FoundColumns, { state }: CountedKinds, facts: DateFacts): FoundDates {
  const { column, format, other = format, first, last } = facts;
  const orders = ordersOf(facts);
  const isStarted = column === roles.get('progress.started_at') || column === roles.get('enrolled');
  const unlessStarted = column === roles.get('progress.last_activity_at') ? 'last activity' : null;
  const role = state.has(column.reference) ? 'state' : isStarted ? 'started' : unlessStarted;
  const isOpen = orders !== null || isAmbiguous(column);
  return {
    column: column.reference,
    format: role !== null && isOpen ? null : format,
    formats: [...new Set([format, ...(orders === null ? [] : [other]), ...column.dateFormats])],
    orders,
    first,
    last,
    samples: dateSamples(facts),
    odd: [...facts.odd],
    role,
    isPlanned: isPlanned(column),
  };
}

function otherColumns(
  { profile, formatOf, learner, course, roles }: FoundColumns,
  { record, kinds }: Mapping,
  dates: readonly FoundDates[],
): OtherColumn[] {
  const score = record['assessment.score_pct'] === undefined ? undefined : roles.get('assessment.score_pct');
  const used = new Set([
    ...Object.keys(kinds?.columns ?? {}),
    ...dates.flatMap(({ column, role }) => (role === null ? [] : [column])),
    ...[learner.column, course.column, score].map((column) => column?.reference),
  ]);
  return profile.columns
    .filter((column) => !used.has(column.reference) && column.filled > 0)
    .map((column) => {
      const isFree = column.texts.size > MOST_WORDS && formatOf(column) === undefined;
      const state = isFree ? null : readingOf(column, undefined, formatOf(column));
      return { column: column.reference, distinct: column.texts.size, samples: column.values.slice(0, 3), state };
    });
}

/** A kind says something of each state column; one that was confirmed with others is asked about again. */
const isOf = (values: Kind['values'], columns: Findings['columns']): boolean =>
  kindKey(Object.keys(values).toSorted()) === kindKey(Object.keys(columns).toSorted());

/** A text that ends with an asterisk would be a pattern. */
function matchedCourses(
  texts: ReadonlySet<string>,
  { column, found }: Identity,
  platform: Platform | undefined,
): Record<string, number> {
  if (platform === undefined || column === undefined || (found.found ?? 0) === 0) return {};
  return Object.fromEntries(
    [...texts].flatMap((text) => {
      const id = platform.courseOf(text);
      return id === undefined || /^\*|\*$/.test(text) ? [] : [[text, id] as const];
    }),
  );
}

const MOST_UNKNOWN = 10;

function withUnknown(
  { found }: Identity,
  courses: Readonly<Record<string, number>>,
  { courses: texts, isContradicted }: CountedKinds,
  platform: Platform | undefined,
): Findings['course'] {
  if (platform === undefined) return { ...found, of: texts.size };
  const unknown = [...texts].filter(
    (text) => ownValue(courses, text) === undefined && platform.courseOf(text) === undefined,
  );
  return {
    ...found,
    isUndecided: found.isUndecided || isContradicted,
    found: texts.size - unknown.length,
    of: texts.size,
    unknown: unknown.slice(0, MOST_UNKNOWN),
  };
}

/** The one zone that headers name, like `Completed (Europe/Berlin)`, `(PST)` or `(UTC+2)`. */
function zoneIn(columns: readonly ColumnProfile[]): string | undefined {
  const named = columns.flatMap(({ name }) => zoneNamed(/[([]([A-Z][\w+:/-]+)[)\]]\s*$/.exec(name)?.[1] ?? '') ?? []);
  const zones = new Set(named);
  return zones.size === 1 ? named[0] : undefined;
}
