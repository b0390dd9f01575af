/**
 * Known systems: a descriptor whose headers and values a file has says which columns count, and what is suggested for its kinds. A door
 * that has descriptors gives them to the engine (`FindOptions`).
 */
import type { Suggestion } from '../language/findings.ts';
import { say } from '../ground/codes.ts';
import { ownValue } from '../ground/own-value.ts';
import { anyOf, type TextMatcher } from '../ground/text-pattern.ts';
import { percentIn } from '../language/classes.ts';
import type { Descriptor, KindRule, KnownSystem, Meaning } from '../language/descriptor.ts';
import { type Choices, IMPORT_DAY, type KindValues, type StateColumn } from '../language/findings.ts';
import type { Role } from '../lexicon/headers.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import { percentageOf, readingOf } from './column-facts.ts';
import type { StateCandidates } from './state-columns.ts';

/** A descriptor with the columns of the file that it names. */
interface Found extends KnownSystem {
  readonly columns: ReadonlyMap<string, ColumnProfile>;
  /** The columns of which the descriptor knows the texts only. */
  readonly others: readonly ColumnProfile[];
}

/** In place of a header, in a rule: any of the other columns. */
const ANY_OTHER = '*';
/** Among the texts of the other columns: they may be of days. */
const A_DATE = 'a date';

/** Recognises exports by these descriptors. */
export const knownSystems = (systems: readonly KnownSystem[]) => ({
  /** Whether a table with these headers may be known. */
  mayKnow: (headers: readonly string[]): boolean => systems.some((system) => mayBeKnown(system, headers)),
  /** @param asked the system that a person confirmed, or `false` for none */
  find(columns: readonly ColumnProfile[], asked: Choices['system']) {
    const found = systemOf(systems, columns, asked);
    if (found === undefined) return undefined;
    const { id, descriptor } = found;
    const roles = rolesIn(found);
    return {
      id,
      name: descriptor.name,
      skip: descriptor.skip?.filter(({ column }) => columns.some(({ reference }) => reference === column)),
      roles,
      choicesWith: (given: Choices) => choicesIn(found, roles, given),
      candidates: candidatesIn.bind(undefined, found),
      suggest: suggestedBy.bind(undefined, found),
    };
  },
});

export type KnownSystems = ReturnType<typeof knownSystems>;
/** A known export, and what it says of a file. */
export type FoundSystem = NonNullable<ReturnType<KnownSystems['find']>>;

const listOf = (texts: string | readonly string[]): readonly string[] => [texts].flat();

/** `A|B*`: a header that is A, or begins with B. */
const headerMatcher = (header: string): TextMatcher => anyOf(header.split('|'));

const neededOf = ({ columns, headers = [], optional = [] }: Descriptor): string[] => [
  ...Object.keys(columns).filter((header) => !optional.includes(header)),
  ...headers,
];

/** Whether a file of these headers may be known. */
const mayBeKnown = ({ descriptor }: KnownSystem, headers: readonly string[]): boolean =>
  neededOf(descriptor).every((header) => headers.some(headerMatcher(header)));

/**
 * The system whose descriptor names most of the headers. None where two name as many, a header fits two columns, or the values of a
 * column are not what the descriptor says: such a file only looks like one.
 *
 * @param asked the one that a person confirmed, or `false` for none
 */
function systemOf(
  systems: readonly KnownSystem[],
  columns: readonly ColumnProfile[],
  asked: Choices['system'],
): Found | undefined {
  if (asked === false) return undefined;
  const found = systems
    .flatMap((system) => foundIn(system, columns) ?? [])
    .toSorted(
      (a, b) =>
        Number(b.id === asked) - Number(a.id === asked) ||
        Number(b.isOwn === true) - Number(a.isOwn === true) ||
        neededOf(b.descriptor).length - neededOf(a.descriptor).length,
    );
  const [first, second] = found;
  const isTie =
    first?.id !== asked &&
    second !== undefined &&
    first?.isOwn === second.isOwn &&
    neededOf(first?.descriptor ?? second.descriptor).length === neededOf(second.descriptor).length;
  return isTie ? undefined : first;
}

function foundIn(system: KnownSystem, columns: readonly ColumnProfile[]): Found | undefined {
  const { descriptor } = system;
  const matching = (header: string): ColumnProfile[] => {
    const is = headerMatcher(header);
    return columns.filter(({ name, reference }) => is(reference) || is(name));
  };
  const named = Object.keys(descriptor.columns).map((header) => [header, matching(header)] as const);
  const found = new Map(
    named.flatMap(([header, [column]]) =>
      column === undefined || saysNothing(descriptor, header, column) ? [] : [[header, column] as const],
    ),
  );
  const isKnown =
    neededOf(descriptor).every((header) => matching(header).length > 0) &&
    named.every(([, some]) => some.length < 2) &&
    Object.entries(descriptor.known_by ?? {}).every(([header, texts]) =>
      matching(header).some(({ values }) => values.some(anyOf(listOf(texts)))),
    ) &&
    [...found].every(([header, column]) => fits(descriptor, header, column));
  const others = isKnown ? othersIn(descriptor, columns, new Set(found.values())) : undefined;
  return others === undefined ? undefined : { ...system, columns: found, others };
}

/** The columns of the texts of the descriptor; `undefined` if it needs them and the file has other columns, too, or none of these. */
function othersIn(
  { others, behind, headers = [] }: Descriptor,
  columns: readonly ColumnProfile[],
  named: ReadonlySet<ColumnProfile>,
): ColumnProfile[] | undefined {
  if (others === undefined) return [];
  const isOne = anyOf(others);
  const isHeader = behind === undefined ? isNoHeader : anyOf(behind);
  const isBehind = (column: ColumnProfile | undefined): boolean => column !== undefined && isHeader(column.name);
  const isOfDays = ({ values, dateFormats }: ColumnProfile): boolean =>
    others.includes(A_DATE) && (values.length === 0 || dateFormats.length > 0);
  const isNamed = (column: ColumnProfile): boolean =>
    named.has(column) || headers.some((header) => headerMatcher(header)(column.name));
  const found = columns.filter(
    (column, at) =>
      !isNamed(column) &&
      !isBehind(column) &&
      (isOfDays(column) || (column.values.every(isOne) && isBehind(columns[at + 1]))),
  );
  const isKnown = columns.every((column) => isNamed(column) || isBehind(column) || found.includes(column));
  return behind !== undefined || (isKnown && found.length > 0) ? found : undefined;
}

/** None, or a day. */
const isNoHeader = (name: string): boolean => /^$|^\d{4}-\d\d-\d\d/.test(name);

const readOf = (meaning: Meaning | undefined): string | undefined =>
  typeof meaning === 'object' ? meaning.read : meaning;

/** Some exports have the column, but nothing in it, or other words: it is as if it were not there. */
const saysNothing = (descriptor: Descriptor, header: string, column: ColumnProfile): boolean =>
  descriptor.optional?.includes(header) === true &&
  ['learner', 'text'].includes(readOf(ownValue(descriptor.columns, header)) ?? '') &&
  !fits(descriptor, header, column);

/** The values are what the descriptor says of the column. */
function fits({ columns, kinds }: Descriptor, header: string, column: ColumnProfile): boolean {
  const meaning = readOf(ownValue(columns, header)) ?? '';
  if (meaning === 'learner') return column.isAddress;
  if (['learner id', 'course', 'record id'].includes(meaning)) return column.filled > 0;
  if (column.values.length === 0) return true;
  if (['started', 'enrolled', 'last activity', 'date'].includes(meaning)) return column.dateFormats.length > 0;
  if (['score', 'percent'].includes(meaning)) return column.isMostlyNumber;
  const words = kinds.flatMap(({ values }) => listOf(ownValue(values, header) ?? []));
  return meaning !== 'text' || words.length === 0 || column.values.some(anyOf(words));
}

const ROLES: Readonly<Record<string, Role>> = {
  learner: 'user.email',
  'learner id': 'user.external_user_id',
  course: 'content.external_course_id',
  started: 'progress.started_at',
  enrolled: 'enrolled',
  'last activity': 'progress.last_activity_at',
  score: 'assessment.score_pct',
  'record id': 'external_record_id',
};

/** The columns of the file by what they say of a record. */
const rolesIn = ({ descriptor, columns }: Found): Map<Role, ColumnProfile> =>
  new Map(
    [...columns].flatMap(([header, column]) => {
      const role = ownValue(ROLES, readOf(ownValue(descriptor.columns, header)) ?? '');
      return role === undefined ? [] : [[role, column] as const];
    }),
  );

/** What a person would choose who knows the system; what a person did choose precedes. */
function choicesIn(system: Found, roles: ReadonlyMap<Role, ColumnProfile>, choices: Choices): Choices {
  const learner = roles.get('user.email') ?? roles.get('user.external_user_id');
  const course = roles.get('content.external_course_id');
  const { time_zone: timeZone } = system.descriptor;
  return {
    ...(timeZone === undefined ? {} : { timeZone }),
    learner: learner?.reference,
    course: course?.reference,
    shape: false,
    whole_course: true,
    ...choices,
    formats: { ...formatsIn(system), ...choices.formats },
    fractions: { ...fractionsIn(system), ...choices.fractions },
  };
}

/** A column of percentages says whether its numbers are fractions. */
const fractionsIn = ({ descriptor, columns }: Found): Record<string, boolean> =>
  Object.fromEntries(
    [...columns].flatMap(([header, { reference }]) => {
      const meaning = ownValue(descriptor.columns, header);
      return typeof meaning === 'object' && meaning.read === 'percent'
        ? [[reference, meaning.scale === 100] as const]
        : [];
    }),
  );

const formatsIn = ({ descriptor, columns }: Found): Record<string, string> =>
  Object.fromEntries(
    [...columns].flatMap(([header, { reference }]) => {
      const meaning = ownValue(descriptor.columns, header);
      const own = typeof meaning === 'object' ? [meaning.dates ?? []].flat()[0] : undefined;
      const dates = ownValue(descriptor.dates, header) ?? own;
      return dates === undefined ? [] : [[reference, dates] as const];
    }),
  );

/** The columns of state, which are those of the descriptor and those that a person brought in. */
function candidatesIn(
  { descriptor, columns, others }: Found,
  all: readonly ColumnProfile[],
  formatOf: (column: ColumnProfile) => string | undefined,
  { state: chosen = {} }: Choices,
): StateCandidates {
  const why = new Map(
    [...columns.values(), ...others].map(({ reference }) => [reference, say('column_of_system', {})]),
  );
  const named = [...columns].flatMap(([header, column]) => {
    const meaning = ownValue(descriptor.columns, header);
    const isOfState = meaning !== undefined && ownValue(ROLES, readOf(meaning) ?? '') === undefined;
    return isOfState ? [[column, stateColumn(meaning, column)] as const] : [];
  });
  // Of too many kinds, the last columns are left out first.
  const state = new Map([...named, ...others.map((column) => [column, otherState(column)] as const)]);
  for (const column of all) {
    const asked = ownValue(chosen, column.reference);
    if (asked === false) state.delete(column);
    if (asked === true && !state.has(column)) state.set(column, readingOf(column, undefined, formatOf(column)));
  }
  return { state, maybe: new Map(), freeText: [], why };

  function otherState(column: ColumnProfile): StateColumn {
    return descriptor.others?.includes(A_DATE) === true ? stateColumn('date', column) : { read: 'text' };
  }

  function stateColumn(meaning: Meaning, column: ColumnProfile): StateColumn {
    const format = formatOf(column);
    const read = readOf(meaning) as StateColumn['read'];
    const dates = ['date', 'dated'].includes(read) && format !== undefined && format !== 'iso' ? { dates: format } : {};
    if (typeof meaning !== 'object') return read === 'percent' ? percentageOf(column) : { read, ...dates };
    const { out_of, ...rest } = meaning;
    const whole = typeof out_of === 'string' ? (columns.get(out_of)?.reference ?? out_of) : out_of;
    return { ...rest, ...dates, ...(whole === undefined ? {} : { out_of: whole }) };
  }
}

/** What the first rule that fits says; nothing for a text that the descriptor does not know. */
function suggestedBy(
  { descriptor, columns, others }: Found,
  values: KindValues,
  state: Readonly<Record<string, StateColumn>>,
): Suggestion {
  const nameOf = (header: string | undefined): string | null =>
    header === undefined || header === IMPORT_DAY ? (header ?? null) : (columns.get(header)?.reference ?? header);
  const is = (header: string): string => ownValue(values, nameOf(header) ?? '') ?? '';
  const cellsOf = (header: string): string[] =>
    header === ANY_OTHER ? others.map(({ reference }) => ownValue(values, reference) ?? '') : [is(header)];
  const says = (rule: KindRule): boolean =>
    Object.entries(rule.values).every(([header, texts]) => cellsOf(header).some(anyOf(listOf(texts)))) &&
    hasParts(rule);
  const hasParts = ({ date = IMPORT_DAY, percent }: KindRule): boolean => {
    const read = ownValue(state, nameOf(percent) ?? '');
    const isDated = date === IMPORT_DAY || is(date) === '' || /\bdate\b/.test(is(date));
    return (
      isDated &&
      (percent === undefined || (read !== undefined && /^(?:0|none|between)$/.test(percentIn(read, is(percent)) ?? '')))
    );
  };
  const { name } = descriptor;
  const isOdd = Object.values(values).some((text) => text === 'impossible' || text === 'no number');
  const rule = isOdd ? undefined : descriptor.kinds.find(says);
  return rule === undefined
    ? { outcome: null, date: null, percent: null, reason: say('system_knows_no_such_row', { name }) }
    : {
        outcome: rule.outcome,
        date: nameOf(rule.date),
        percent: nameOf(rule.percent),
        reason: say('known_of_system', { name }),
      };
}
