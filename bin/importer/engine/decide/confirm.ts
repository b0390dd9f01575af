/** What a person decides about findings, and the mapping that keeps it. */
import { UsageError } from '../ground/errors.ts';
import { grouped, rowsText } from '../ground/text.ts';
import { checkedMapping } from '../language/check.ts';
import type { Mapping } from '../language/schema.ts';
import { shownValues } from '../apply/kinds.ts';
import { isSameKind, percentIn } from '../language/classes.ts';
import { besideNames } from '../apply/names.ts';
import { isRevoked } from '../apply/revoked.ts';
import {
  type Choices,
  type ConfirmedKind,
  IMPORT_DAY,
  type Findings,
  type FoundColumn,
  type FoundDates,
  type FoundFractions,
  type Kind,
  type KindValues,
  type Outcome,
  type SharedAddress,
} from '../language/findings.ts';

/** The findings with an outcome that a person confirmed for one kind; without one it is open again. */
export function withOutcome(findings: Findings, values: KindValues, outcome: Outcome | undefined): Findings {
  const kinds = findings.kinds.map((kind): Kind => {
    if (!isSameKind(kind.values, values)) return kind;
    if (outcome === undefined) return { ...kind, confirmed: false };
    const { date = null, percent = null, reason } = outcome;
    return { ...kind, outcome: outcome.outcome, date, percent, reason: reason ?? '', confirmed: true };
  });
  return { ...findings, kinds };
}

/** Every outcome of a kind with its date or percentage; days of the columns that decide first, the import day last. */
export function outcomesFor({ values }: Pick<Kind, 'values'>, { dates, columns }: Findings): Outcome[] {
  const days = [
    ...dates
      .filter(({ column }) => columns[column] === undefined || /\bdate\b/.test(values[column] ?? ''))
      .toSorted((a, b) => Number(b.role === 'state') - Number(a.role === 'state'))
      .map(({ column }) => column),
    IMPORT_DAY,
  ];
  const saying = (...classes: readonly string[]): string[] =>
    Object.entries(columns).flatMap(([name, column]) =>
      classes.includes(percentIn(column, values[name] ?? '') ?? '') ? [name] : [],
    );
  return [
    ...days.map((date) => ({ outcome: 'completed', date }) as const),
    ...days.map((date) => ({ outcome: 'certified', date }) as const),
    ...saying('0', 'between', 'none').map((percent) => ({ outcome: 'in_progress', percent }) as const),
    // The file says more than nothing.
    ...(saying('between', '100', 'above').length > 0 ? [] : [{ outcome: 'in_progress' } as const]),
    ...days.map((date) => ({ outcome: 'failed', date }) as const),
    { outcome: 'leave_out' },
  ];
}

export const confirmSuggestions = (findings: Findings): Findings => ({
  ...findings,
  kinds: findings.kinds.map((kind) => (kind.outcome === null ? kind : { ...kind, confirmed: true })),
});

/** The columns of an earlier mapping stay, so that its kinds are compared with those of this file. */
export function choicesOf({ time_zone: timeZone, kinds, choices = {} }: Mapping): Choices {
  const columns = Object.entries(kinds?.columns ?? {});
  const formats = columns.flatMap(([name, { dates }]) => (typeof dates === 'string' ? [[name, dates] as const] : []));
  const scales = columns.flatMap(([name, { read, scale }]) =>
    read === 'percent' ? [[name, scale === 100] as const] : [],
  );
  return {
    ...choices,
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(kinds && {
      state: { ...Object.fromEntries(columns.map(([name]) => [name, true])), ...choices.state },
      formats: Object.fromEntries(formats),
      fractions: { ...choices.fractions, ...Object.fromEntries(scales) },
    }),
  };
}

export interface OpenQuestion {
  /** `kind` rows stay out until it is decided; nothing of the file is imported before the others are. */
  readonly about: 'learner' | 'course' | 'dates' | 'columns' | 'kind';
  readonly text: string;
  readonly kind?: Kind;
}

export function openQuestions(findings: Findings): OpenQuestion[] {
  const { learner, course, dates, freeText, parts, kinds, shape, isShapeOpen, fractions, shared } = findings;
  const about = (topic: OpenQuestion['about'], texts: readonly string[]): OpenQuestion[] =>
    texts.map((text) => ({ about: topic, text }));
  return [
    ...about('learner', [...(learner.isUndecided ? [whichColumn('learner', learner)] : []), ...shared.map(sharedText)]),
    ...about('course', course.isUndecided ? [whichColumn('course', course)] : []),
    ...about(
      'dates',
      // Any column of dates may be chosen for the day of an outcome.
      dates
        .filter(
          ({ format, orders, column }) =>
            format === null || (orders !== null && kinds.some(({ date, confirmed }) => confirmed && date === column)),
        )
        .map(datesText),
    ),
    ...about('columns', [
      ...(isShapeOpen ? [`${shape} Is that so?`] : []),
      ...fractions.filter(({ isOpen }) => isOpen).map(fractionsText),
      ...freeText.map(
        (column) => `"${column}" has too many different texts for a state. Does it say what becomes of a row?`,
      ),
      ...parts
        .slice(0, 1)
        .map(
          (part) =>
            `"${part}" differs between the rows of a learner in one course, so it may name parts of it. Is each row the whole course?`,
        ),
    ]),
    ...kinds
      .filter(({ confirmed }) => !confirmed)
      .map((kind) => ({ about: 'kind' as const, text: kindText(kind), kind })),
  ];
}

export const datesText = ({ column, samples: [sample], formats, orders }: FoundDates): string =>
  orders === null
    ? `"${column}": "${sample?.text}" may be day first or month first (${formats.join(' or ')}).`
    : `"${column}": ${grouped(orders.day)} of the dates can only be day first, ${grouped(orders.month)} only month first (${formats.join(' or ')}). Rows of the other order are rejected, and the rest is read as you choose; or leave the column out.`;

export const sharedText = ({ text, names }: SharedAddress): string =>
  `${text} stands ${besideNames(names)}. Is it the address of one person? Otherwise its rows are left out.`;

export const fractionsText = ({ column, samples }: FoundFractions): string =>
  `No number of "${column}" is above 1. Is ${samples.map(({ text, percent }) => `${text} → ${percent} %`).join(', ')} right? Otherwise ${samples[0]?.text} is ${samples[0]?.text} %.`;

function whichColumn(what: string, { column, others }: FoundColumn): string {
  const names = others.map((other) => `"${other.column}"`).join(', ');
  return column === null
    ? `No column names the ${what}.${names === '' ? '' : ` It may be ${names}.`}`
    : `"${column}" may name the ${what}, and so may ${names}.`;
}

const kindText = ({ values, rows, reason }: Kind): string =>
  `${rowsText(rows)}: ${shownValues(values)}${reason === '' ? '' : ` (${reason})`}`;

/** The mapping with what is confirmed. @throws UsageError for an outcome that its kind contradicts */
export function mappingOf(findings: Findings): Mapping {
  const { base, kinds, dates, earlier } = findings;
  const confirmed = kinds.flatMap(({ values, rows, outcome, date, percent, reason, confirmed: is }): ConfirmedKind[] =>
    is && outcome !== null
      ? [
          {
            values,
            outcome,
            ...(date !== null && { date }),
            ...(percent !== null && { percent }),
            ...(reason !== '' && { reason }),
            rows,
          },
        ]
      : [],
  );
  const takenBack = kinds.flatMap(({ values, confirmed: is }) =>
    !is && Object.values(values).some(isRevoked) ? [values] : [],
  );
  const columns = base.kinds?.columns ?? {};
  const outside = confirmed.flatMap(({ date }) =>
    typeof date !== 'string' || date === IMPORT_DAY || columns[date] !== undefined
      ? []
      : [[date, dates.find(({ column }) => column === date)?.formats[0] ?? 'iso'] as const],
  );
  const open = new Set(openQuestions(findings).map(({ about }) => about));
  const undecided = (['learner', 'course', 'dates', 'columns'] as const).filter((about) => open.has(about));
  const { record, ...settings } = base;
  return checkedMapping('that was found', {
    ...settings,
    ...(undecided.length === 0 ? {} : { undecided }),
    record,
    kinds: {
      columns,
      ...(outside.length === 0 ? {} : { dates: Object.fromEntries(outside) }),
      confirmed: [...confirmed, ...earlier],
      ...(takenBack.length === 0 ? {} : { taken_back: takenBack }),
    },
  });
}

const hasCourse = ({ record }: Mapping): boolean =>
  record['content.platform_course_id'] !== undefined || record['content.external_course_id'] !== undefined;

/** The mapping says all but what the kinds of rows become. */
export const isDecided = (mapping: Mapping): boolean => hasCourse(mapping) && mapping.undecided === undefined;

/** @throws UsageError while a person has to decide something about the whole file */
export function refuseUndecided(mapping: Mapping | undefined, path: string): void {
  const open = mapping?.undecided ?? [];
  if (open.length > 0)
    throw new UsageError(
      `Nothing is imported: the mapping of ${path} leaves undecided: ${open.join(', ')}. Run init-mapping at a terminal, or correct the mapping and delete its "undecided".`,
    );
  if (mapping?.kinds?.confirmed.length === 0)
    throw new UsageError(
      `Nothing is imported: the mapping of ${path} confirms no kind of row. Say what each kind becomes: run init-mapping at a terminal, or choose the file on the page, or write the kinds that init-mapping --json lists into kinds.confirmed of the mapping. --accept-suggestions confirms those that have a suggestion; words that are not known here have none.`,
    );
}

/** What `init-mapping --json` promises, and the rest of the findings. */
export function findingsJson(findings: Findings, file: string) {
  const { dates, sheets, kinds, others, encoding, rows, shape } = findings;
  const [learner, course] = [findings.learner, findings.course].map(
    ({ isUndecided: _, others: __, ...column }) => column,
  );
  return {
    file,
    encoding,
    rows,
    shape,
    learner,
    course,
    dates: dates.map(({ column, format, first, last, odd }) => ({ column, format, first, last, odd })),
    sheets,
    kinds: kinds.map(({ samples: _, ...kind }) => kind),
    others: others.map(({ column }) => column),
    questions: openQuestions(findings).flatMap(({ about, text }) => (about === 'kind' ? [] : [text])),
  };
}
