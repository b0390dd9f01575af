/** What a person decides about findings, and the mapping that keeps it. */
import { UsageError } from '../errors.ts';
import { checkedMapping } from '../mapping/check.ts';
import type { Mapping } from '../mapping/schema.ts';
import { shownValues } from './apply.ts';
import { kindKey } from './classes.ts';
import {
  type Choices,
  IMPORT_DAY,
  type Findings,
  type FoundColumn,
  type Kind,
  type KindValues,
  type Outcome,
} from './types.ts';

const keyOf = (values: KindValues): string => kindKey(Object.entries(values).flat());

/** The findings with an outcome that a person confirmed for one kind; without one it is open again. */
export function withOutcome(findings: Findings, values: KindValues, outcome: Outcome | undefined): Findings {
  const wanted = keyOf(values);
  const kinds = findings.kinds.map((kind): Kind => {
    if (keyOf(kind.values) !== wanted) return kind;
    if (outcome === undefined) return { ...kind, confirmed: false };
    const { date = null, percent = null, reason } = outcome;
    return { ...kind, outcome: outcome.outcome, date, percent, reason: reason ?? '', confirmed: true };
  });
  return { ...findings, kinds };
}

/** Confirms every kind that has a suggestion, and no other. */
export const confirmSuggestions = (findings: Findings): Findings => ({
  ...findings,
  kinds: findings.kinds.map((kind) => (kind.outcome === null ? kind : { ...kind, confirmed: true })),
});

/** The columns of an earlier mapping stay, so that its kinds are compared with those of this file. */
export function choicesOf({ time_zone: timeZone, kinds }: Mapping): Choices {
  const columns = Object.entries(kinds?.columns ?? {});
  const formats = columns.flatMap(([name, { dates }]) => (typeof dates === 'string' ? [[name, dates] as const] : []));
  return {
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(kinds && {
      state: Object.fromEntries(columns.map(([name]) => [name, true])),
      dates: Object.fromEntries(formats),
    }),
  };
}

export interface OpenQuestion {
  /** `kind` rows stay out until it is decided; nothing of the file is imported before the others are. */
  readonly about: 'learner' | 'course' | 'dates' | 'columns' | 'kind';
  readonly text: string;
  readonly kind?: Kind;
}

/** What is left to decide. */
export function openQuestions(findings: Findings): OpenQuestion[] {
  const { learner, course, dates, freeText, parts, kinds, shape, isShapeOpen } = findings;
  const ambiguous = dates.filter(({ format }) => format === null);
  return [
    ...(learner.isUndecided
      ? [{ about: 'learner' as const, text: whichColumn('learner', learner, names(learner.others)) }]
      : []),
    ...(course.isUndecided
      ? [{ about: 'course' as const, text: whichColumn('course', course, names(course.others)) }]
      : []),
    ...ambiguous.map(({ column, samples: [sample], formats }) => ({
      about: 'dates' as const,
      text: `"${column}": "${sample?.text}" may be day first or month first (${formats.join(' or ')}).`,
    })),
    ...(isShapeOpen ? [{ about: 'columns' as const, text: `${shape} Is that so?` }] : []),
    ...freeText.map((column) => ({
      about: 'columns' as const,
      text: `"${column}" has too many different texts for a state. Does it say what becomes of a row?`,
    })),
    ...(parts.length === 0
      ? []
      : [
          {
            about: 'columns' as const,
            text: `"${parts[0]}" differs between the rows of a learner in one course, so it may name parts of it. Is each row the whole course?`,
          },
        ]),
    ...kinds
      .filter(({ confirmed }) => !confirmed)
      .map((kind) => ({ about: 'kind' as const, text: kindText(kind), kind })),
  ];
}

const names = (some: readonly { readonly column: string }[]): string =>
  some.map(({ column }) => `"${column}"`).join(', ');

const whichColumn = (what: string, { column }: { readonly column: string | null }, others: string): string =>
  column === null
    ? `No column names the ${what}.${others === '' ? '' : ` It may be ${others}.`}`
    : `"${column}" may name the ${what}, and so may ${others}.`;

const kindText = ({ values, rows, reason }: Kind): string =>
  `${rows} ${rows === 1 ? 'row' : 'rows'}: ${shownValues(values)}${reason === '' ? '' : ` (${reason})`}`;

/** The mapping with what is confirmed. @throws UsageError for an outcome that its kind contradicts */
export function mappingOf(findings: Findings): Mapping {
  const { base, kinds, dates, earlier } = findings;
  const confirmed = kinds.flatMap(({ values, rows, outcome, date, percent, reason, confirmed: is }) =>
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
  const columns = base.kinds?.columns ?? {};
  const outside = confirmed.flatMap(({ date }) =>
    date === undefined || date === IMPORT_DAY || columns[date] !== undefined ? [] : [date],
  );
  const formats = Object.fromEntries(
    outside.map((name) => [name, dates.find(({ column }) => column === name)?.formats[0] ?? 'iso']),
  );
  const open = new Set(openQuestions(findings).map(({ about }) => about));
  const undecided = (['learner', 'course', 'dates', 'columns'] as const).filter((about) => open.has(about));
  const { record, ...settings } = base;
  const mapping: Mapping = {
    ...settings,
    ...(undecided.length === 0 ? {} : { undecided: [...undecided] }),
    record,
    kinds: {
      columns,
      ...(outside.length === 0 ? {} : { dates: formats }),
      confirmed: [...confirmed, ...earlier],
    },
  };
  return checkedMapping('that was found', mapping);
}

const hasCourse = ({ record }: Mapping): boolean =>
  record['content.platform_course_id'] !== undefined || record['content.external_course_id'] !== undefined;

const undecidedIn = (mapping: Mapping): string[] =>
  (mapping.undecided ?? []).filter((about) => about !== 'course' || !hasCourse(mapping));

/** The mapping says all but what the kinds of rows become. */
export const isDecided = (mapping: Mapping): boolean => hasCourse(mapping) && undecidedIn(mapping).length === 0;

/** @throws UsageError while a person has to decide something about the whole file */
export function refuseUndecided(mapping: Mapping | undefined, path: string): void {
  const open = mapping === undefined ? [] : undecidedIn(mapping);
  if (open.length > 0)
    throw new UsageError(
      `Nothing is imported: the mapping of ${path} leaves undecided: ${open.join(', ')}. Run init-mapping at a terminal, or correct the mapping and delete its "undecided".`,
    );
  if (mapping?.kinds?.confirmed.length === 0)
    throw new UsageError(
      `Nothing is imported: the mapping of ${path} confirms no kind of row. Run init-mapping at a terminal, or with --accept-suggestions.`,
    );
}

const shownColumn = ({ column, found, of, unknown }: FoundColumn) => ({ column, found, of, unknown });

/** What `init-mapping --json` promises, and the rest of the findings. */
export function findingsJson(findings: Findings, file: string) {
  const { learner, course, dates, sheets, kinds, others, encoding, rows, shape } = findings;
  return {
    file,
    encoding,
    rows,
    shape,
    learner: shownColumn(learner),
    course: shownColumn(course),
    dates: dates.map(({ column, format, first, last, odd }) => ({ column, format, first, last, odd })),
    sheets,
    kinds: kinds.map(({ samples: _, ...kind }) => kind),
    others: others.map(({ column }) => column),
    questions: openQuestions(findings).flatMap(({ about, text }) => (about === 'kind' ? [] : [text])),
  };
}
