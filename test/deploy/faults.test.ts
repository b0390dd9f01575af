/**
 * Faults, and which alarm rings after how long: of one production stack, and of the account stack. Our own metrics are
 * what our handlers emit for the injected fault; those of AWS are its datapoints. Each alarm is evaluated by its own
 * definition, minute by minute. `WRITE=1` writes the table of docs/runbook.md. Costs seconds.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PhysicalResources, resolveIntrinsics, resourcesOfType } from '../../bin/local/template.ts';
import {
  GATEWAY_METRIC,
  METRIC_NAMESPACE,
  type MetricName,
  POINTS,
  SILENT_METRIC,
} from '../../functions/runtime/metrics.ts';
import { powertoolsTelemetry } from '../../functions/runtime/telemetry.ts';
import { capturedLines } from '../kit/captured-lines.ts';
import { accountTemplateOf, templateOf } from '../kit/template.ts';
import { emissionsOf } from './support/metrics.ts';
import { SCENARIOS } from './support/scenarios.ts';
import { type AlarmDefinition, type Datapoints, ringsAfter } from './support/timeline.ts';

const platform = 'arn:aws:iam::123456789012:role/platform';
const definitions = (template: ReturnType<typeof accountTemplateOf>) =>
  resourcesOfType(template, 'AWS::CloudWatch::Alarm').map(
    ([, raw]) => resolveIntrinsics(raw, new PhysicalResources()) as AlarmDefinition,
  );
const settings = { company: 'acme', stage: 'production', platform } as const;
const STACK = definitions(templateOf(settings));
/** Alarms that only the settings add. */
const signIn = { issuer: 'https://acme.okta.com', client_id: 'a' };
const ADDED = definitions(templateOf({ ...settings, objectives: true, signIn })).filter(({ AlarmName }) =>
  STACK.every((alarm) => alarm.AlarmName !== AlarmName),
);
const SANDBOX = definitions(templateOf({ ...settings, stage: 'sandbox', signIn }));
const ACCOUNT = definitions(accountTemplateOf());

/** How often something happens after the fault: its interval, its first minute, and its value. */
interface Happens {
  readonly everySeconds: number;
  readonly fromMinute?: number;
  readonly minutes?: number;
  /** Of a metric of AWS, by the minute of the fault; default: 1. */
  readonly value?: (minute: number) => number;
}

/** Metrics of AWS as `namespace metric`; ours by name, with the value that the handlers emit. */
type Fault = Readonly<Record<string, Happens>>;

const SERVER = 'AWS/ApiGateway 5XXError';
const CLIENT = 'AWS/ApiGateway 4XXError';
const LATENCY = 'AWS/ApiGateway Latency';
const CALLS = 'AWS/ApiGateway Count';
/** Only a call that reached a function has one. */
const REACHED = 'AWS/ApiGateway IntegrationLatency';
const MESSAGES_WAIT = 'AWS/SQS ApproximateAgeOfOldestMessage of MessagesWait';
/** The checker runs every quarter of an hour, and counts a stack once something was missing for as long. */
const CHECKER = SILENT_METRIC;
const CHECKED = { everySeconds: 900, fromMinute: 15 };
const CANARY_ERRORS = 'AWS/Lambda Errors of CanaryFails';
const EVERY = {
  second: { everySeconds: 1 },
  ninety: { everySeconds: 90 },
  minute: { everySeconds: 60 },
  /** The fault begins after a run of the canary. */
  run: { everySeconds: 300, fromMinute: 1 },
} as const;
const ageFrom = (fromMinute: number): Happens => ({
  ...EVERY.minute,
  fromMinute,
  value: (minute) => 60 * (minute - fromMinute),
});
/** One call a second, of which this share fails: the mean of ones and zeros. */
const shareOf = (share: number): Happens => ({ ...EVERY.second, value: () => share });

/** A failed delivery is repeated after two minutes; a chunk that failed five times is a dead letter. */
const REDELIVERED = { everySeconds: 120, minutes: 10 };
/** The watchdog reports an import that made no progress for twenty minutes. */
const STUCK = { ...EVERY.minute, fromMinute: 20 };

const FAULTS: Readonly<Record<string, Fault>> = {
  'the table refuses every call, a call a second': {
    TemporarilyUnavailable: EVERY.second,
    [SERVER]: EVERY.second,
  },
  'the same, a call every 90 s': { TemporarilyUnavailable: EVERY.ninety, [SERVER]: EVERY.ninety },
  'an operation fails on a fault of the code, every 90 s': {
    InternalErrors: EVERY.ninety,
    [SERVER]: EVERY.ninety,
  },
  'one call fails on a fault of the code, once': {
    InternalErrors: { ...EVERY.minute, minutes: 1 },
    [SERVER]: { ...EVERY.minute, minutes: 1 },
  },
  'a function crashes when it starts, a call every 90 s': { [SERVER]: EVERY.ninety },
  'a function runs out of time, a call every 90 s': {
    [SERVER]: EVERY.ninety,
    [LATENCY]: { ...EVERY.ninety, value: () => 29_000 },
  },
  'one call in fifty fails, a call a second': {
    InternalErrors: { everySeconds: 50 },
    [SERVER]: shareOf(0.02),
  },
  'one call in thirty fails in API Gateway, a call a minute': {
    [SERVER]: { ...EVERY.minute, value: (minute) => (minute % 30 === 0 ? 1 : 0) },
  },
  'the signing key is disabled, a login every 90 s': {
    InternalErrors: EVERY.ninety,
    SigningKeyUnusable: EVERY.ninety,
    [SERVER]: EVERY.ninety,
  },
  'responses take two seconds': { [LATENCY]: { ...EVERY.second, value: () => 2000 } },
  'the processor fails on every delivery': {
    ChunksFailed: REDELIVERED,
    'AWS/SQS ApproximateNumberOfMessagesVisible of DeadLettersWaiting': { ...EVERY.minute, fromMinute: 10 },
    [MESSAGES_WAIT]: ageFrom(10),
    ImportsStuck: STUCK,
  },
  'a delivery to the processor fails every 30 s': { ChunksFailed: { everySeconds: 30 } },
  'the chunk queue does not reach the processor': { ImportsStuck: STUCK },
  'the watchdog is not started': {
    'AWS/Lambda Invocations of WatchdogFails': { ...EVERY.minute, minutes: 0 },
    [CHECKER]: CHECKED,
  },
  'the watchdog crashes in every run': { 'AWS/Lambda Errors of WatchdogFails': EVERY.minute },
  'an import is abandoned after a day': {
    ImportsStuck: { ...STUCK, minutes: 1420 },
    ImportsAbandoned: { ...EVERY.minute, fromMinute: 1440, minutes: 1 },
  },
  'the code throws on a record': { RecordsProcessingFailed: { ...EVERY.minute, minutes: 1 } },
  'another sender uses the chunk queue': { ForeignMessages: { ...EVERY.minute, minutes: 1 } },
  'facts of the platform are rejected three times': {
    'AWS/SQS ApproximateNumberOfMessagesVisible of IntakeDeadLettersWaiting': EVERY.minute,
    [MESSAGES_WAIT]: ageFrom(0),
  },
  'the intake does not run': { [MESSAGES_WAIT]: ageFrom(0) },
  'the table throttles writes, one a second': { 'AWS/DynamoDB WriteThrottleEvents': EVERY.second },
  'Lambda starts no function: the concurrency is used up': {
    'AWS/Lambda Throttles': EVERY.second,
    'AWS/Lambda ConcurrentExecutions': { ...EVERY.minute, value: () => 1000 },
    [SERVER]: EVERY.second,
  },
  'a password is guessed, a login a second': {
    LoginsRefused: { ...EVERY.second, minutes: 2 },
    LoginsThrottled: { ...EVERY.second, fromMinute: 2 },
    CallsThrottled: { ...EVERY.second, fromMinute: 2 },
    [CLIENT]: EVERY.second,
    [CALLS]: EVERY.second,
    [REACHED]: EVERY.second,
  },
  'the identity provider does not respond, a sign-in every 90 s': {
    SignInsFailed: EVERY.ninety,
    TemporarilyUnavailable: EVERY.ninety,
    [SERVER]: EVERY.ninety,
  },
  'the secret of the client at the identity provider has expired, a sign-in a minute': {
    SignInsFailed: EVERY.minute,
    SignInsRefused: EVERY.minute,
    LoginsRefused: EVERY.minute,
    [CLIENT]: EVERY.minute,
    [CALLS]: EVERY.minute,
    [REACHED]: EVERY.minute,
  },
  'a spent refresh token is used, once': { SpentTokensUsed: { ...EVERY.minute, minutes: 1 } },
  '180,000 learners are read in an hour': { HistoryReads: { ...EVERY.second, value: () => 50 } },
  '499,500 records are read in five minutes, 500 a call': { HistoryReads: { everySeconds: 0.3, value: () => 5 } },
  'the results of an old run are read, ten pages a second': {
    HistoryReads: { ...EVERY.second, value: () => 10 },
  },
  'runs are reverted, an import a second': { ImportsReverted: EVERY.second },
  'a mapping is wrong: a hundred records a second are rejected': {
    RecordsRejected: { ...EVERY.second, value: () => 100 },
  },
  'a client sends beyond its quota, a call every 10 s': {
    CallsThrottled: { everySeconds: 10 },
    [CLIENT]: { everySeconds: 10 },
  },
  'API Gateway throttles a client, two calls a second': {
    [CLIENT]: { everySeconds: 0.5 },
    [CALLS]: { everySeconds: 0.5 },
    // The checker may have run just before CallsRefused rings.
    [GATEWAY_METRIC]: { everySeconds: 900, fromMinute: 32, value: () => 1800 },
  },
  'no request arrives: the name of the API leads nowhere': { [CANARY_ERRORS]: EVERY.run },
  'the key set is wrong, with status 200': { [CANARY_ERRORS]: EVERY.run },
  'one run of the canary fails, once': { [CANARY_ERRORS]: { ...EVERY.run, minutes: 5 } },
  'the canary is not started': {
    'AWS/Lambda Invocations of CanaryFails': { everySeconds: 300, minutes: 1 },
    [CHECKER]: CHECKED,
  },
  'the alarms cannot see a stack: its table was restored without tags, or telemetry has none': { [CHECKER]: CHECKED },
  'the platform sends no fact for a week': { [CHECKER]: { everySeconds: 86_400, fromMinute: 10_080 } },
  'the checker of the fleet is not started': {
    'AWS/Lambda Invocations of FleetSilent': { ...EVERY.minute, minutes: 0 },
  },
};

let lines: string[] = [];
beforeEach(() => {
  lines = capturedLines();
});
afterEach(() => vi.restoreAllMocks());

async function emitted(metric: MetricName): Promise<number> {
  lines.length = 0;
  await SCENARIOS[metric]?.(powertoolsTelemetry({ POWERTOOLS_SERVICE_NAME: 'a-stack' }), 1);
  const values = emissionsOf(lines).flatMap(({ name, values: all }) => (name === metric ? all : []));
  return values.reduce((sum, value) => sum + value, 0);
}

/** The checker counts without a log line. */
const isOurs = (metric: string): metric is MetricName =>
  !metric.startsWith('AWS/') && metric !== SILENT_METRIC && metric !== GATEWAY_METRIC;

function happening(happens: Happens, minute: number, usual: number): number[] {
  const { everySeconds, fromMinute = 0, minutes = Number.POSITIVE_INFINITY, value } = happens;
  if (minute < fromMinute || minute >= fromMinute + minutes) return [];
  const times = Math.ceil((60 * (minute + 1)) / everySeconds) - Math.ceil((60 * minute) / everySeconds);
  return Array.from({ length: times }, () => value?.(minute) ?? usual);
}

/** The runs of a scheduled function in a minute: the watchdog's every minute, the others' at their intervals. */
function runsIn(fault: Fault, metric: string, minute: number): number[] {
  const happens = fault[metric.replace(' Errors ', ' Invocations ')];
  if (happens !== undefined && minute >= 0) return happening(happens, minute, 1);
  const everyMinutes = metric.endsWith('WatchdogFails') ? 1 : metric.endsWith('CanaryFails') ? 5 : 15;
  return minute % everyMinutes === 0 ? [1] : [];
}

async function datapointsOf(fault: Fault): Promise<Datapoints> {
  const ours = new Map<string, number>();
  for (const metric of Object.keys(fault).filter(isOurs)) ours.set(metric, await emitted(metric));
  const key = (metric: string) => (metric.startsWith(METRIC_NAMESPACE) ? metric.split(' ')[1] : metric) ?? '';
  return (metric, minute) => {
    const [, pointsOf] = POINTS.find(([sum]) => sum === key(metric)) ?? [];
    if (pointsOf !== undefined)
      return Object.entries(fault).flatMap(([of, happens]) =>
        happening(happens, minute, ours.get(of) ?? 1).map((value) => value * (pointsOf[of as MetricName] ?? 0)),
      );
    const happens = fault[key(metric)];
    const found = happens === undefined ? [] : happening(happens, minute, ours.get(key(metric)) ?? 1);
    // Lambda reports for each run whether it failed.
    return metric.includes(' Errors of ') && found.length === 0 ? runsIn(fault, metric, minute).map(() => 0) : found;
  };
}

const nameOf = ({ AlarmName }: AlarmDefinition): string => AlarmName.split('-').at(-1) ?? '';

function rung(
  alarms: readonly AlarmDefinition[],
  datapoints: Datapoints,
  watched: readonly [first: number, last: number],
): string {
  const after = alarms.flatMap((alarm) => {
    const minutes = ringsAfter(alarm, datapoints, watched);
    return minutes === undefined ? [] : [{ name: nameOf(alarm), minutes }];
  });
  const sorted = after.toSorted((a, b) => a.minutes - b.minutes || a.name.localeCompare(b.name));
  return sorted.map(({ name, minutes }) => `${name} ${minutes}`).join(', ') || '–';
}

/** Minutes after the start of a fault's last part: longer than any alarm takes. */
const WATCHED = 180;
const columns = new Map<string, readonly string[]>();

/** The alarms that ring: in one stack, added by its settings, in a sandbox, in the account stack. */
async function columnsOf(name: string, fault: Fault): Promise<readonly string[]> {
  const datapoints = await datapointsOf(fault);
  const starts = Object.values(fault).map(({ fromMinute = 0 }) => fromMinute);
  const watched = [Math.min(...starts), Math.max(...starts) + WATCHED] as const;
  const found =
    columns.get(name) ?? [STACK, ADDED, SANDBOX, ACCOUNT].map((alarms) => rung(alarms, datapoints, watched));
  columns.set(name, found);
  return found;
}

/** What rings in a sandbox, of what rings in production: two alarms, of which one stands for two of production. */
const inSandbox = (stack: string): string =>
  stack
    .split(', ')
    .map((each) => each.replace(/^(?:ImportPastDue|TheftSuspected) /, 'Attention '))
    .filter((each) => /^(?:ServerErrors|Attention) /.test(each))
    .join(', ') || '–';

const RUNBOOK = join(import.meta.dirname, '../../docs/runbook.md');
const TABLE = /\| fault \|[^]*?\n(?!\|)/;

it('the table of the runbook says what rings for each fault, and after how many minutes', async () => {
  const rows: string[] = [];
  for (const [name, fault] of Object.entries(FAULTS)) {
    for (const metric of Object.keys(fault).filter(isOurs))
      expect([metric, await emitted(metric)]).not.toEqual([metric, 0]);
    const [stack = '', added, sandbox, account] = await columnsOf(name, fault);
    expect([name, sandbox]).toEqual([name, inSandbox(stack)]);
    rows.push(`| ${[name, stack, added, account].join(' | ')} |`);
  }
  const head =
    '| fault | a production stack alone | with `objectives` and `sign-in`, also | the account stack |\n|---|---|---|---|';
  const table = `${head}\n${rows.join('\n')}\n`;
  const written = readFileSync(RUNBOOK, 'utf8');
  const counted = written.replace(TABLE, () => table);
  if (process.env['WRITE'] === '1') writeFileSync(RUNBOOK, counted);
  expect(readFileSync(RUNBOOK, 'utf8')).toBe(counted);
});

it('each fault but a single failure of the canary rings somewhere, and at a client that fails every 90 s in a stack of its own within ten minutes', async () => {
  for (const [name, fault] of Object.entries(FAULTS)) {
    const found = await columnsOf(name, fault);
    expect([name, found.some((alarms) => alarms !== '–')]).toEqual([name, !name.includes('one run of the canary')]);
    if (!name.includes('every 90 s')) continue;
    const [, minutes] = /ServerErrors (\d+)/.exec(String(found[0])) ?? [];
    expect(Number(minutes)).toBeLessThanOrEqual(10);
  }
});

it('each alarm rings for some fault, but those that are made as the one of throttled writes', async () => {
  const rung = new Set<string>();
  for (const [name, fault] of Object.entries(FAULTS))
    for (const alarms of await columnsOf(name, fault))
      for (const [each] of alarms.matchAll(/[A-Z]\w+/g)) rung.add(each);
  const silent = [...STACK, ...ADDED, ...SANDBOX, ...ACCOUNT].map(nameOf).filter((name) => !rung.has(name));
  // The checker rings the last one itself.
  expect(silent).toEqual(['ThrottledReads', 'ThrottledIndexWrites', 'ThrottledIndexReads', 'Heartbeat']);
});
