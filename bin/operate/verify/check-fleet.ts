import { createRequire } from 'node:module';
import * as v from 'valibot';
import { batchesOf } from '../../../functions/runtime/batching.ts';
import * as ENV from '../../../functions/runtime/variables.ts';
import {
  GATEWAY_METRIC,
  METRIC_DIMENSION,
  METRIC_NAMESPACE,
  SILENT_METRIC,
} from '../../../functions/runtime/metrics.ts';
import { systemClock } from '../../../functions/runtime/system.ts';
import { powertoolsTelemetry, type Telemetry } from '../../../functions/runtime/telemetry.ts';

const CLIENTS = {
  cloudwatch: 'CloudWatchClient',
  cloudformation: 'CloudFormationClient',
  'resource-groups-tagging-api': 'ResourceGroupsTaggingAPIClient',
} as const;

/** A call to AWS, such as `GetMetricData` of `cloudwatch`. */
export type CallAws = (client: keyof typeof CLIENTS, command: string, input: object) => Promise<unknown>;

/** The SDK of Lambda's runtime: three more clients in the package would serve this one function. */
function runtimeSdk(): CallAws {
  // Unlike an import, it finds the packages of the runtime.
  const packages = createRequire(import.meta.url);
  return (client, command, input) => {
    const sdk = packages(`@aws-sdk/client-${client}`);
    return new sdk[CLIENTS[client]]({}).send(new sdk[`${command}Command`](input));
  };
}

interface FleetServices {
  readonly call: CallAws;
  readonly telemetry: Pick<Telemetry, 'error'>;
  readonly nowMs: number;
  /** Queries of Metrics Insights for the runs of scheduled functions, by the tags by which the alarms find them. */
  readonly runsQueries: readonly string[];
  /** The same for the calls of each API: all of them, and those that reached a function. */
  readonly callsQueries: readonly string[];
  /** The alarm without which no call was refused. */
  readonly refusedAlarm: string;
  /** Value of the tag `application`, with which the names of stacks begin. */
  readonly application: string;
  readonly heartbeatAlarm: string;
  /** Days without a fact after which a platform counts as silent. */
  readonly quietDays: number;
}

const RUN_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** A stack that is so new may not have run its functions yet, nor have its tags seen. */
const GRACE_MS = 30 * 60_000;
/** Resources that the alarms of the account stack find by their tags, by the service in their ARNs. */
const TAGGED = { lambda: 'function', dynamodb: 'table', sqs: 'queue', apigateway: 'API' };
/** What is read of them: a stack has few scheduled functions, one table and one API. 200 companies with both stages are 20 calls. */
const READ = [
  { types: ['lambda:function'], tags: { alarm: ['WatchdogFails', 'CanaryFails'] } },
  { types: ['dynamodb:table', 'apigateway:restapis'], tags: {} },
];
/** Once a day. */
const READ_DAILY = [{ types: ['sqs:queue'], tags: { alarm: ['MessagesWait'] } }];

interface Fault {
  /** The company and stage. */
  readonly of: string;
  readonly text: string;
}

/**
 * Silence is in no metric: compares what CloudFormation has with what the alarms see, and counts each stack that is silent. No metric has
 * the calls that reached no function either: counts them, too. Once a day it lets the alarm Heartbeat ring, whose absence shows a broken
 * way. @throws Error if it cannot look: Lambda counts a failed run
 */
export async function checkFleet(services: FleetServices): Promise<void> {
  const isFirstOfDay = services.nowMs % DAY_MS < RUN_MS;
  if (isFirstOfDay) {
    const StateReason = 'The daily heartbeat. Nothing is wrong while it arrives.';
    const state = { AlarmName: services.heartbeatAlarm, StateValue: 'ALARM', StateReason };
    await services.call('cloudwatch', 'SetAlarmState', state);
  }
  const stacks = await deployedStacks(services);
  const read = isFirstOfDay ? [...READ, ...READ_DAILY] : READ;
  const resources = (await taggedResources(services, read)).filter(({ of }) => stacks.has(of));
  const tagged = new Set(resources.map(({ service, of }) => `${service} ${of}`));
  const faults: Fault[] = [
    ...[...stacks].flatMap(([of, name]) =>
      Object.entries(TAGGED)
        .filter(([service]) => isFirstOfDay || service !== 'sqs')
        .filter(([service]) => !tagged.has(`${service} ${of}`))
        .map(([, what]) => ({ of, text: `The ${what} of ${name} has no tags.` })),
    ),
    ...(await silentFunctions(services, resources)),
    ...(isFirstOfDay ? await silentPlatforms(services, resources) : []),
  ];
  const silent = Map.groupBy(faults, ({ of }) => stacks.get(of) ?? of);
  for (const [stack, own] of silent)
    services.telemetry.error(`${stack} is silent.`, new Error(own.map(({ text }) => text).join(' ')));
  await count(SILENT_METRIC, new Map([...silent.keys()].map((stack) => [stack, 1])), services);
  await count(GATEWAY_METRIC, await refusedCalls(services), services);
}

/** Metrics of one call of CloudWatch. */
const MOST_METRICS = 500;

/** One metric for each of these stacks, which exists only while there is something to count. */
async function count(MetricName: string, stacks: ReadonlyMap<string, number>, { call }: FleetServices): Promise<void> {
  const all = [...stacks].map(([stack, Value]) => ({
    MetricName,
    Dimensions: [{ Name: METRIC_DIMENSION, Value: stack }],
    Value,
  }));
  for (const MetricData of batchesOf(all, MOST_METRICS))
    await call('cloudwatch', 'PutMetricData', { Namespace: METRIC_NAMESPACE, MetricData });
}

/** An API has the name of its stack. A query costs for each API, so they are asked for only while calls are refused. */
async function refusedCalls(services: FleetServices): Promise<ReadonlyMap<string, number>> {
  const asked = { AlarmNames: [services.refusedAlarm] };
  const { MetricAlarms } = v.parse(ALARMS, await services.call('cloudwatch', 'DescribeAlarms', asked));
  if (MetricAlarms.every(({ StateValue }) => StateValue !== 'ALARM')) return new Map();
  const [all = new Map(), reached] = await queried(services, services.callsQueries);
  const refused = [...all].map(([api, calls]) => [api, calls - (reached?.get(api) ?? 0)] as const);
  return new Map(refused.filter(([, calls]) => calls > 0));
}

async function pagesOf<Page>(
  schema: v.GenericSchema<unknown, Page>,
  token: string,
  ask: (more: object) => Promise<unknown>,
): Promise<Page[]> {
  const pages: Page[] = [];
  let next: unknown;
  do {
    const page = await ask(next === undefined ? {} : { [token]: next });
    pages.push(v.parse(schema, page));
    next = v.parse(v.looseObject({}), page)[token] || undefined;
  } while (next !== undefined);
  return pages;
}

const TAGS = v.optional(v.array(v.object({ Key: v.string(), Value: v.string() })), []);
const STACKS = v.object({
  Stacks: v.array(
    v.object({
      StackName: v.string(),
      StackStatus: v.string(),
      CreationTime: v.exactOptional(v.date()),
      Tags: TAGS,
    }),
  ),
});
const RESOURCES = v.object({
  ResourceTagMappingList: v.array(v.object({ ResourceARN: v.string(), Tags: TAGS })),
});
const ALARMS = v.object({ MetricAlarms: v.optional(v.array(v.object({ StateValue: v.string() })), []) });
const DATA = v.object({
  MetricDataResults: v.array(v.object({ Label: v.string(), Values: v.array(v.number()) })),
});

const tagIn = (tags: v.InferOutput<typeof TAGS>, name: string) => tags.find(({ Key }) => Key === name)?.Value;
/** The company and stage, which a stack and its resources have in common. */
const ownerIn = (tags: v.InferOutput<typeof TAGS>): string => `${tagIn(tags, 'company')} (${tagIn(tags, 'stage')})`;
const IS_DEPLOYED = /^(CREATE_COMPLETE|(UPDATE|IMPORT)_.*)$/;

async function deployedStacks({ call, application, nowMs }: FleetServices): Promise<ReadonlyMap<string, string>> {
  const pages = await pagesOf(STACKS, 'NextToken', (more) => call('cloudformation', 'DescribeStacks', more));
  const ours = pages
    .flatMap(({ Stacks }) => Stacks)
    .filter(({ StackName, StackStatus }) => StackName.startsWith(`${application}-`) && IS_DEPLOYED.test(StackStatus))
    .filter(({ Tags }) => tagIn(Tags, 'company') !== undefined)
    .filter(({ CreationTime }) => CreationTime === undefined || nowMs - CreationTime.getTime() >= GRACE_MS);
  return new Map(ours.map(({ StackName, Tags }) => [ownerIn(Tags), StackName]));
}

type TaggedResource = Awaited<ReturnType<typeof taggedResources>>[number];

async function taggedResources({ call, application }: FleetServices, read: typeof READ | typeof READ_DAILY) {
  const pages: v.InferOutput<typeof RESOURCES>[] = [];
  for (const { types, tags } of read) {
    const TagFilters = Object.entries({ application: [application], ...tags }).map(([Key, Values]) => ({
      Key,
      Values,
    }));
    const asked = { TagFilters, ResourceTypeFilters: types, ResourcesPerPage: 100 };
    const ask = (more: object) => call('resource-groups-tagging-api', 'GetResources', { ...asked, ...more });
    pages.push(...(await pagesOf(RESOURCES, 'PaginationToken', ask)));
  }
  return pages
    .flatMap(({ ResourceTagMappingList }) => ResourceTagMappingList)
    .map(({ ResourceARN, Tags }) => ({
      service: ResourceARN.split(':')[2] ?? '',
      name: ResourceARN.split(/[:/]/).at(-1) ?? '',
      of: ownerIn(Tags),
      quietDays: Number(tagIn(Tags, 'quiet-days') ?? Number.NaN),
    }));
}

async function sums({ call, nowMs }: FleetServices, forMs: number, MetricDataQueries: readonly object[]) {
  const asked = { MetricDataQueries, StartTime: new Date(nowMs - forMs), EndTime: new Date(nowMs) };
  const pages = await pagesOf(DATA, 'NextToken', (more) => call('cloudwatch', 'GetMetricData', { ...asked, ...more }));
  const found = new Map<string, number>();
  for (const { Label, Values } of pages.flatMap(({ MetricDataResults }) => MetricDataResults))
    for (const value of Values) found.set(Label, value + (found.get(Label) ?? 0));
  return found;
}

/** What each query counted in the last quarter of an hour. A call takes only one query of Metrics Insights. */
async function queried(services: FleetServices, queries: readonly string[]) {
  const found: ReadonlyMap<string, number>[] = [];
  for (const Expression of queries)
    found.push(await sums(services, RUN_MS, [{ Id: 'q', Expression, Period: RUN_MS / 1000 }]));
  return found;
}

/** Functions on a schedule that did not run, or whose runs the alarms cannot see. */
async function silentFunctions(services: FleetServices, resources: readonly TaggedResource[]) {
  const runs = await queried(services, services.runsQueries);
  return resources
    .filter(({ service, name }) => service === 'lambda' && !runs.some((each) => each.get(name)))
    .map(({ name, of }) => ({ of, text: `${name} of ${of} did not run, or the alarms cannot see it.` }));
}

/** Intakes with a queue that got no fact for the days of its tag `quiet-days`, or for those of the account. */
async function silentPlatforms(services: FleetServices, resources: readonly TaggedResource[]): Promise<Fault[]> {
  const queues = resources.filter(({ service, name }) => service === 'sqs' && name.includes('-IntakeQueue'));
  const faults: Fault[] = [];
  for (const [days, some] of Map.groupBy(queues, ({ quietDays }) => quietDays || services.quietDays))
    for (const batch of batchesOf(some, MOST_METRICS)) {
      const facts = await sums(services, days * DAY_MS, batch.map(sentMessages));
      const quiet = batch.filter(({ name }) => !facts.get(name));
      faults.push(...quiet.map(({ of }) => ({ of, text: `The platform of ${of} sent nothing for ${days} days.` })));
    }
  return faults;
}

function sentMessages({ name }: TaggedResource, at: number) {
  const Dimensions = [{ Name: 'QueueName', Value: name }];
  const Metric = { Namespace: 'AWS/SQS', MetricName: 'NumberOfMessagesSent', Dimensions };
  return { Id: `q${at}`, Label: name, MetricStat: { Metric, Period: DAY_MS / 1000, Stat: 'Sum' } };
}

const of = (name: string): string => ENV.variable(process.env, name);

export const handler = (): Promise<void> =>
  checkFleet({
    call: runtimeSdk(),
    telemetry: powertoolsTelemetry(),
    nowMs: systemClock.nowMs(),
    runsQueries: JSON.parse(of(ENV.runsQueries)),
    callsQueries: JSON.parse(of(ENV.callsQueries)),
    refusedAlarm: of(ENV.refusedAlarm),
    application: of(ENV.application),
    heartbeatAlarm: of(ENV.heartbeatAlarm),
    quietDays: Number(of(ENV.quietDays)),
  });
