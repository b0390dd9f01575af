/** What a load did: the arithmetic of its report, from what the client saw, the service stored and CloudWatch counted. */
import type { Import } from '../client/index.ts';
import prices from './prices.json' with { type: 'json' };

/** A request of the client, as it ended; repeats of a call are requests too. */
export interface Call {
  /** Such as `POST imports`. */
  readonly kind: string;
  /** 0: no response. */
  readonly status: number;
  readonly ms: number;
}

export interface Load {
  /** Records a second that were asked for. */
  readonly rate: number;
  readonly imports: readonly Pick<Import, 'created_at' | 'completed_at' | 'counts'>[];
  readonly calls: readonly Call[];
  readonly observed?: Observed | undefined;
}

/** CloudWatch's figures over the time of the load. */
export interface Observed {
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly requests: number;
  /** Throttled requests of the table and its indexes. */
  readonly throttledEvents: number;
  readonly clientErrors: number;
  readonly serverErrors: number;
  /** Milliseconds, of the slowest minute. */
  readonly latencyP50: number;
  readonly latencyP99: number;
}

const MILLION = 1e6;

/** The value that so many of a hundred values do not exceed; NaN of none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Dollars, of DynamoDB and the API alone: they are 98 % of what a record costs. */
export const dollars = ({ writeUnits, readUnits, requests }: Observed): number =>
  writeUnits * prices.write_unit.price + readUnits * prices.read_unit.price + requests * prices.http_request.price;

export interface Throughput {
  readonly records: number;
  readonly applied: number;
  /** The time from the first accepted import to the last end. */
  readonly seconds: number;
  readonly perSecond: number;
  /** Milliseconds from its acceptance to its end, of each import. */
  readonly toTerminal: readonly number[];
}

/** Computed from the service's own times. */
export function throughputOf(imports: Load['imports']): Throughput {
  const times = imports.map(({ created_at, completed_at }) => ({
    from: Date.parse(created_at),
    to: Date.parse(completed_at ?? created_at),
  }));
  const seconds = (Math.max(...times.map(({ to }) => to)) - Math.min(...times.map(({ from }) => from))) / 1000;
  const applied = sum(imports.map(({ counts }) => counts.succeeded));
  return {
    records: sum(imports.map(({ counts }) => counts.total)),
    applied,
    seconds,
    perSecond: applied / seconds,
    toTerminal: times.map(({ from, to }) => to - from),
  };
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const percentiles = (ms: readonly number[]): string =>
  `p50 ${whole(percentile(ms, 50))} ms, p99 ${whole(percentile(ms, 99))} ms`;

/** A line for each fact, for a person. */
export function reportLines({ rate, imports, calls, observed }: Load): string[] {
  const { records, applied, seconds, perSecond, toTerminal } = throughputOf(imports);
  const refused = (matches: (status: number) => boolean) => calls.filter(({ status }) => matches(status)).length;
  const kinds = [...Map.groupBy(calls, ({ kind }) => kind)].map(
    ([kind, each]) => `  ${kind}: ${each.length}, ${percentiles(each.map(({ ms }) => ms))}`,
  );
  return [
    `The service: ${whole(applied)} of ${whole(records)} records applied by ${imports.length} imports in ${seconds.toFixed(1)} s: ${whole(perSecond)} a second, of ${whole(rate)} asked for.`,
    `  an import ended ${percentiles(toTerminal)} after it was accepted`,
    `The client: ${calls.length} requests; 429: ${refused((status) => status === 429)}, 5xx or no response: ${refused((status) => status >= 500 || status === 0)}`,
    ...kinds,
    ...(observed === undefined ? unobserved(records) : observedLines(observed, records)),
  ];
}

function observedLines(observed: Observed, records: number): string[] {
  const { writeUnits, readUnits, requests, throttledEvents, clientErrors, serverErrors } = observed;
  const cost = dollars(observed);
  return [
    `CloudWatch: ${whole(requests)} requests, p50 ${whole(observed.latencyP50)} ms, p99 ${whole(observed.latencyP99)} ms in the slowest minute; 4xx: ${whole(clientErrors)}, 5xx: ${whole(serverErrors)}`,
    `  ${whole(writeUnits)} write units, ${whole(readUnits)} read units, ${whole(throttledEvents)} throttled by the table`,
    `Cost: $${cost.toFixed(4)} for the table and the API; $${((cost / records) * MILLION).toFixed(2)} a million records`,
  ];
}

const unobserved = (records: number): string[] => [
  `Cost: some $${((records / MILLION) * DOLLARS_A_MILLION).toFixed(4)}, by docs/costs.md; --stack counts it`,
];

/** docs/costs.md; `npm run bench` counts it. */
export const DOLLARS_A_MILLION = 1.6;
