/** What a person decides about findings, and the mapping that keeps it. */
import { ownValue } from '../ground/own-value.ts';
import { type Said, say } from '../ground/codes.ts';
import { refusal } from '../ground/errors.ts';
import { checkedMapping } from '../language/check.ts';
import type { Mapping } from '../language/schema.ts';
import { isSameKind } from '../language/classes.ts';
import {
  type Choices,
  type ChosenOutcome,
  type ConfirmedKind,
  IMPORT_DAY,
  type Findings,
  type FoundColumn,
  type FoundDates,
  type FoundFractions,
  type Kind,
  type KindValues,
  type KnownKind,
  type SharedAddress,
} from '../language/findings.ts';

/** The findings with an outcome that a person confirmed for one kind; without one it is open again, as it was found. */
export function withOutcome(findings: Findings, values: KindValues, outcome: ChosenOutcome | undefined): Findings {
  const kinds = findings.kinds.map((kind): Kind => {
    if (!isSameKind(kind.values, values)) return kind;
    if (outcome === undefined) return { ...kind, ...(kind.proposed ?? kind.suggested), confirmed: false };
    const { date = null, percent = null, reason = null } = outcome;
    return { ...kind, outcome: outcome.outcome, date, percent, reason, confirmed: true };
  });
  return { ...findings, kinds };
}

/** Confirms every kind that this program has a suggestion for. Proposals of others are confirmed one by one. */
export const confirmSuggestions = (findings: Findings): Findings => ({
  ...findings,
  ...withSystem(findings),
  kinds: findings.kinds.map((kind) => (isSuggested(kind) ? { ...kind, confirmed: true } : kind)),
});

/** A kind that one press confirms with all others. */
export const isSuggested = ({ outcome, proposed, confirmed }: Kind): boolean =>
  !confirmed && outcome !== null && proposed === undefined;

/** Who confirms what a system suggests confirms that the file is of it. */
function withSystem({ system, choices, base }: Findings): Partial<Findings> {
  if (system === null) return {};
  const chosen = { system: system.id };
  return {
    system: { ...system, confirmed: true },
    choices: { ...choices, ...chosen },
    base: { ...base, choices: { ...base.choices, ...chosen } },
  };
}

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

/** What a person has to say before anything of the file is imported; the rows of a kind alone wait for it. */
type OpenQuestion =
  | { readonly about: 'learner' | 'course' | 'dates' | 'columns'; readonly said: Said }
  | { readonly about: 'kind'; readonly kind: Kind };

/** Everything that a person has to decide before the import, the whole file first. */
export function openQuestions(findings: Findings): OpenQuestion[] {
  const { learner, course, dates, freeText, parts, kinds, shape, isShapeOpen, fractions, shared } = findings;
  const about = (topic: Exclude<OpenQuestion['about'], 'kind'>, some: readonly Said[]): OpenQuestion[] =>
    some.map((said) => ({ about: topic, said }));
  return [
    ...about('learner', [...whichColumn('learner', learner), ...shared.map(whoseAddress)]),
    ...about('course', whichColumn('course', course)),
    ...about(
      'dates',
      // Any column of dates may be chosen for the day of an outcome.
      dates
        .filter(
          ({ format, orders, column }) =>
            format === null || (orders !== null && kinds.some(({ date, confirmed }) => confirmed && date === column)),
        )
        .map(whichOrder),
    ),
    ...about('columns', [
      ...(isShapeOpen ? [say('shape_is_open', { shape })] : []),
      ...fractions.filter(({ isOpen }) => isOpen).map(whetherFractions),
      ...freeText.map((column) => say('free_text_is_open', { column })),
      ...parts.slice(0, 1).map((column) => say('parts_are_open', { column })),
    ]),
    ...kinds.filter(({ confirmed }) => !confirmed).map((kind) => ({ about: 'kind', kind }) as const),
  ];
}

/** Asks for the order of day and month. */
export const whichOrder = ({ column, samples: [sample], formats, orders }: FoundDates): Said =>
  orders === null
    ? say('dates_may_be_swapped', { column, text: sample?.text ?? '', formats })
    : say('dates_of_both_orders', { column, ...orders, formats });

/** Asks whether an address with several names is of one person. */
export const whoseAddress = ({ text: address, names }: SharedAddress): Said =>
  say('address_of_several', { address, names });

/** Asks whether numbers up to 1 are fractions. */
export const whetherFractions = ({ column, samples }: FoundFractions): Said =>
  say('fractions_are_open', { column, samples });

const whichColumn = (what: 'learner' | 'course', { column, others, isUndecided }: FoundColumn): Said[] =>
  isUndecided ? [say('column_is_open', { what, column, others: others.map((other) => other.column) })] : [];

/**
 * The mapping with what is confirmed.
 *
 * @param inWords says why rows become what they do, for who reads the file; its codes otherwise
 * @throws EngineError for an outcome that its kind contradicts
 */
export function mappingOf(findings: Findings, inWords: (said: Said) => string = codeOf): Mapping {
  const { base, kinds, dates, earlier } = findings;
  const confirmed = [...kinds.filter((kind) => kind.confirmed), ...earlier].flatMap((kind) => written(kind, inWords));
  const columns = base.kinds?.columns ?? {};
  const outside = confirmed.flatMap(({ date }) =>
    typeof date !== 'string' || date === IMPORT_DAY || ownValue(columns, date) !== undefined
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
      confirmed,
    },
  });
}

/** Who reads the mapping is told the code; a person's own words stay. */
const codeOf = (said: Said): string => (said.code === 'own_reason' ? said.params.text : said.code);

/** The kind as it is stored in a mapping; empty for a kind without an outcome. */
function written(
  { values, rows, outcome, date, percent, reason }: Kind | KnownKind,
  inWords: (said: Said) => string,
): ConfirmedKind[] {
  if (outcome === null) return [];
  const why = typeof reason === 'string' ? reason : reason && inWords(reason);
  const given = Object.entries({ date, percent, reason: why, rows }).filter(
    ([, each]) => each !== undefined && each !== null,
  );
  return [{ values, outcome, ...Object.fromEntries(given) }];
}

const hasCourse = ({ record }: Mapping): boolean =>
  record['content.platform_course_id'] !== undefined || record['content.external_course_id'] !== undefined;

/** The mapping says all but what the kinds of rows become. */
export const isDecided = (mapping: Mapping): boolean => hasCourse(mapping) && mapping.undecided === undefined;

/** @throws EngineError while a person has to decide something about the whole file */
export function refuseUndecided(mapping: Mapping | undefined, path: string): void {
  const open = mapping?.undecided ?? [];
  if (open.length > 0) throw refusal('mapping_undecided', { path, open });
  if (mapping?.kinds?.confirmed.length === 0) throw refusal('no_kind_confirmed', { path });
}
