/** One company, or several, that import so many records, and the figures of the run. */
import type { Settings } from '../../lib/settings.ts';
import { Dice } from '../kit/dice.ts';
import prices from '../bench/prices.json' with { type: 'json' };
import { ringing } from './alarms.ts';
import { deploymentOf } from './deployment.ts';
import { LoadedStack } from './stack.ts';
import {
  type Company,
  learnersFor,
  load,
  type NamedBy,
  recordsOf,
  RECORDS_PER_IMPORT,
  type SortedBy,
} from './workload.ts';

export interface Migration {
  readonly seed: number;
  readonly records: number;
  /** Learners of the records; by default a twentieth of the number of records. */
  readonly learners?: number;
  readonly settings?: Pick<Settings, 'warm' | 'processors'>;
  readonly namedBy?: NamedBy;
  readonly sortedBy?: SortedBy;
  /** Imports under way at once. */
  readonly open: number;
  readonly isGatewayOpen?: boolean;
  /** The mappings were registered just before the import, not a minute earlier. */
  readonly isJustRegistered?: boolean;
  readonly splitsAfterMs?: number;
}

export interface Figures {
  readonly records_per_second: number;
  readonly p50_s: number;
  readonly p99_s: number;
  readonly max_s: number;
  /** From the last throttle that a delivery met to the end of its imports. */
  readonly max_s_after_a_throttle: number;
  readonly failed_deliveries: number;
  readonly deliveries: number;
  readonly dead_letters: number;
  readonly lost_records: number;
  readonly hottest_key: string;
  readonly hottest_share: number;
  readonly write_units_per_record: number;
  readonly read_units_per_record: number;
  readonly dollars_per_million: number;
  readonly alarms: string;
}

/** Logs, metrics and traces, which the model does not write: as docs/costs.md counts them. */
const LOGS_AND_METRICS = 0.004 + 0.002;
const PER_MILLION = 1e6;
/** Time between the registration of mappings and the import, because chunks read mappings eventually. */
export const SETTLED_MS = 60_000;

export async function migrate(migration: Migration): Promise<Figures> {
  const { seed, settings = {}, isGatewayOpen = false, isJustRegistered = false, splitsAfterMs } = migration;
  const deployment = deploymentOf(settings);
  const stack = new LoadedStack({ seed, deployment, isGatewayOpen, ...(splitsAfterMs && { splitsAfterMs }) });
  const company = companyOf('acme', migration);
  return withSeededMachine(seed, async () => {
    await load(stack.stores, company);
    if (!isJustRegistered) stack.simulation.nowMs += SETTLED_MS;
    await stack.run(() => importAll(stack, company, migration));
    return figuresOf(stack, migration.records, ringing(deployment.template, stack.observations));
  });
}

export const companyOf = (
  company_id: string,
  { records, learners = learnersFor(records), namedBy = 'external ids', sortedBy = 'learner' }: Migration,
): Company => ({
  company_id,
  people: learners,
  courses: Math.max(20, Math.ceil(records / learners)),
  namedBy,
  sortedBy,
});

/** So many imports under way at once, until all are sent. */
export async function importAll(
  stack: LoadedStack,
  company: Company,
  { records, open }: Pick<Migration, 'records' | 'open'>,
): Promise<void> {
  const positions = Array.from({ length: Math.ceil(records / RECORDS_PER_IMPORT) }).keys();
  const client = async () => {
    for (const at of positions) await stack.follow({ company_id: company.company_id, records: recordsOf(at, company) });
  };
  await Promise.all(Array.from({ length: open }, client));
}

/** The SDK’s retries draw from the machine’s randomness. */
export async function withSeededMachine<T>(seed: number, run: () => Promise<T>): Promise<T> {
  const original = Math.random;
  const dice = new Dice(seed, 3);
  Math.random = () => dice.next();
  try {
    return await run();
  } finally {
    Math.random = original;
  }
}

function figuresOf(stack: LoadedStack, records: number, alarms: readonly string[]): Figures {
  const { observations, database, queue } = stack;
  const terminal = observations.terminalMs().toSorted((a, b) => a - b);
  const { key, kind, share } = database.hottest;
  const { writes, reads } = database.units;
  return {
    records_per_second: Math.round(observations.sustained),
    p50_s: seconds(percentile(terminal, 0.5)),
    p99_s: seconds(percentile(terminal, 0.99)),
    max_s: seconds(percentile(terminal, 1)),
    max_s_after_a_throttle: seconds(observations.slowestAfterThrottleMs),
    failed_deliveries: observations.failedDeliveries,
    deliveries: observations.deliveries,
    dead_letters: queue.deadLetters,
    lost_records: records - observations.appliedRecords + observations.open,
    hottest_key: `${kind} of ${key}`,
    hottest_share: rounded(share),
    write_units_per_record: rounded(writes / records),
    read_units_per_record: rounded(reads / records),
    dollars_per_million: rounded(dollarsOf(stack) * (PER_MILLION / records) + LOGS_AND_METRICS),
    alarms: alarms.join(', '),
  };
}

function dollarsOf({ database, functions, requests, queue, observations }: LoadedStack): number {
  const machines = Object.values(functions);
  const sum = (of: (each: (typeof machines)[number]) => number) =>
    machines.reduce((total, each) => total + of(each), 0);
  const sqsRequests = queue.sends + 2 * observations.deliveries;
  return (
    database.units.writes * prices.write_unit.price +
    database.units.reads * prices.read_unit.price +
    requests * prices.http_request.price +
    sum(({ invocations }) => invocations) * prices.lambda_request.price +
    sum(({ gbSeconds }) => gbSeconds) * prices.lambda_gb_second.price +
    sqsRequests * prices.sqs_request.price +
    observations.imports.size * prices.event.price
  );
}

export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? 0;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
export const seconds = (ms: number): number => Math.round(ms / 100) / 10;
