/** The goals of this service: the most that a figure may be. */
const GOALS: Readonly<Record<string, number>> = {
  'distinct: write units per record': 2.2,
  'distinct: read units per record': 2.8,
  'shared: read units per record': 2.4,
  'sent again: write units per record': 0.16,
  'dry run: write units per record': 0.16,
  'distinct: AWS calls': 120,
  '100 classes: JSON bytes written per byte of the body': 2.2,
  'distinct: depth of POST': 4,
  'distinct: depth of a chunk': 9,
  'distinct: calls of a poll': 2,
  'distinct: read units of a poll': 4,
  'distinct: answer bytes of a poll': 600,
  'distinct: learner-course row bytes': 350,
  // Three write units.
  '100 classes: learner-course row bytes': 3072,
  // Three times those of a dry run of an import.
  'deep pair: AWS calls of a dry revert': 39,
  'deep pair: read units of a dry revert': 3402,
  'dollars per million records, without computing': 1.6,
  'dollars per million records': 1.6,
  'dollars an hour: anonymous': 5,
  'dollars an hour: stolen admin token': 30,
  'growth: slope of write units, beside 1': 0.01,
  'growth: slope of read units, beside 1': 0.01,
  'growth: slope of calls, beside 1': 0.01,
  'growth: slope of bytes written, beside 1': 0.01,
  'growth: heap, ± around its middle': 0.05,
  'growth: bytes of the status item': 2048,
};
/** Functions without a DynamoDB client. */
const SMALL: ReadonlySet<string> = new Set(['get-openapi', 'route-not-found']);
/** `process-chunk` alone has three clients of AWS, the rules of a record, reverts and erasures. */
const BUNDLE_BYTES = { small: 60_000, other: 385_000 };
/** Times an empty handler. */
const COLD_START = { small: 1.6, other: 3.4 };

export interface Missed {
  readonly figure: string;
  readonly goal: number;
  readonly measured: number;
}

export function missedGoals(figures: Readonly<Record<string, number>>): readonly Missed[] {
  return Object.entries(figures).flatMap(([figure, measured]) => {
    const goal = goalOf(figure) ?? Infinity;
    return measured <= goal ? [] : [{ figure, goal, measured }];
  });
}

export function goalOf(figure: string): number | undefined {
  const [kind, name = ''] = figure.split(': ');
  const size = SMALL.has(name) ? 'small' : 'other';
  if (kind === 'bundle bytes') return BUNDLE_BYTES[size];
  if (kind === 'cold start') return COLD_START[size];
  return GOALS[figure];
}
