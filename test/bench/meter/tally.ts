/** The counts between two moments. */
export interface KindTally {
  writes: number;
  write_units: number;
  /** Bytes of the items after the last write of each call. */
  written_bytes: number;
  reads: number;
  read_units: number;
}

export interface Tally {
  /** SDK calls by name. */
  readonly calls: Record<string, number>;
  /** Units by kind of item; an index counts under `index`. */
  readonly kinds: Record<string, KindTally>;
  /** Units as the engine itself reports them (ReturnConsumedCapacity). */
  engine_write_units: number;
  engine_read_units: number;
  /** Data points by the name of their metric. */
  readonly metrics: Record<string, number>;
  messages: number;
  message_bytes: number;
  log_bytes: number;
  answer_bytes: number;
  /** Calls of `JSON.stringify`, and the bytes they returned. */
  json_calls: number;
  json_bytes: number;
  /** On the virtual clock. */
  ms: number;
  depth: number;
}

export function emptyTally(): Tally {
  return {
    calls: {},
    kinds: {},
    engine_write_units: 0,
    engine_read_units: 0,
    metrics: {},
    messages: 0,
    message_bytes: 0,
    log_bytes: 0,
    answer_bytes: 0,
    json_calls: 0,
    json_bytes: 0,
    ms: 0,
    depth: 0,
  };
}

export function kindOf(tally: Tally, kind: string): KindTally {
  return (tally.kinds[kind] ??= { writes: 0, write_units: 0, written_bytes: 0, reads: 0, read_units: 0 });
}

export const callsOf = ({ calls }: Tally): number => Object.values(calls).reduce((sum, count) => sum + count, 0);
export const writesOf = ({ kinds }: Tally): number => sumOf(kinds, 'writes');
export const writeUnitsOf = ({ kinds }: Tally): number => sumOf(kinds, 'write_units');
export const readUnitsOf = ({ kinds }: Tally): number => sumOf(kinds, 'read_units');
export const writtenBytesOf = ({ kinds }: Tally): number => sumOf(kinds, 'written_bytes');

/** Adds up everything but `depth`, of which the largest counts. */
export function sumOfTallies(tallies: readonly Tally[]): Tally {
  const sum = emptyTally();
  for (const tally of tallies) {
    for (const [call, count] of Object.entries(tally.calls)) sum.calls[call] = (sum.calls[call] ?? 0) + count;
    for (const [kind, counted] of Object.entries(tally.kinds)) addKind(kindOf(sum, kind), counted);
    for (const [metric, count] of Object.entries(tally.metrics))
      sum.metrics[metric] = (sum.metrics[metric] ?? 0) + count;
    for (const member of ADDED) sum[member] += tally[member];
    sum.depth = Math.max(sum.depth, tally.depth);
  }
  return sum;
}

const ADDED = [
  'engine_write_units',
  'engine_read_units',
  'messages',
  'message_bytes',
  'log_bytes',
  'answer_bytes',
  'json_calls',
  'json_bytes',
  'ms',
] as const;

function addKind(sum: KindTally, counted: KindTally): void {
  for (const member of Object.keys(sum) as (keyof KindTally)[]) sum[member] += counted[member];
}

const sumOf = (kinds: Tally['kinds'], member: keyof KindTally): number =>
  Object.values(kinds).reduce((sum, kind) => sum + kind[member], 0);
