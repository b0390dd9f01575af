/** The members of a source that may be combined in a mapping: a member without effect is refused. */
import { type Field, FIELDS, STATUSES } from './fields.ts';

type Target = string | number;

/** The members of a source that may have no effect. */
interface Given {
  readonly constant?: Target | undefined;
  readonly values?: Readonly<Record<string, Target | null>> | undefined;
  readonly otherwise?: Target | undefined;
  readonly if_empty?: Target | undefined;
  readonly scale?: number | undefined;
  readonly out_of?: Target | undefined;
  readonly dates?: string | readonly string[] | undefined;
  readonly earliest?: true | readonly (string | Given)[] | undefined;
  readonly latest?: true | readonly (string | Given)[] | undefined;
  readonly pick?: string | undefined;
}
type Rule = readonly [holds: (source: Given, field: Field) => boolean, problem: string];

const kindOf = (field: Field): string => FIELDS[field];

const RULES: readonly Rule[] = [
  [({ values }) => values !== undefined && Object.keys(values).length === 0, 'values is empty'],
  [
    ({ values }) => values !== undefined && Object.hasOwn(values, ''),
    'values never apply to an empty cell. Use if_empty.',
  ],
  [
    ({ constant, ...rest }) =>
      constant !== undefined && Object.entries(rest).some(([name, given]) => name !== 'pick' && given !== undefined),
    'nothing else has an effect beside constant',
  ],
  [
    ({ otherwise, values }) => otherwise !== undefined && values === undefined,
    'otherwise has no effect without values',
  ],
  [({ dates }, field) => dates !== undefined && kindOf(field) !== 'date', 'dates has an effect for dates only'],
  [
    ({ scale, out_of }, field) => (scale ?? out_of) !== undefined && kindOf(field) !== 'number',
    'scale and out_of have an effect for numbers only',
  ],
  [({ scale, out_of }) => scale !== undefined && out_of !== undefined, 'only one of scale and out_of can apply'],
  [
    ({ earliest, latest }, field) => (earliest ?? latest) !== undefined && kindOf(field) !== 'date',
    'earliest and latest have an effect for dates only',
  ],
  [
    (source, field) =>
      kindOf(field) === 'status' && !targetsOf(source).every((target) => STATUSES.some((status) => status === target)),
    `must become ${STATUSES.join(', ')}`,
  ],
  [
    (source, field) => kindOf(field) === 'number' && !targetsOf(source).every(isPercentage),
    'must become a number from 0 to 100',
  ],
];

function targetsOf({ constant, values = {}, otherwise, if_empty }: Given): Target[] {
  return [constant, ...Object.values(values), otherwise, if_empty].filter(
    (given) => given !== undefined && given !== null,
  );
}

const isPercentage = (target: Target): boolean => target !== '' && Number(target) >= 0 && Number(target) <= 100;

/** The problems of a source of a member; empty for a valid one. */
export function effectlessMembers(field: Field, source: string | Given, isGrouped: boolean): string[] {
  if (typeof source === 'string') return [];
  const inner = [source.earliest, source.latest].flatMap((list) => (list === undefined || list === true ? [] : list));
  return [
    ...RULES.filter(([holds]) => holds(source, field)).map(([, problem]) => problem),
    ...(source.pick !== undefined && !isGrouped ? ['pick has an effect with group_by only'] : []),
    ...inner.flatMap((each) => effectlessMembers(field, each, isGrouped)),
  ];
}
