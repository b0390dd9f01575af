/**
 * Fires every alarm of a stack and of the account stack: by our own handlers with failing stores where the metric is
 * ours, by a datapoint of AWS's where it is not. Compares alarms and runbook with what exists.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PhysicalResources, type Properties, resolveIntrinsics, resourcesOfType } from '../../bin/local/template.ts';
import { METRIC_NAMESPACE, type MetricName, POINTS } from '../../functions/runtime/metrics.ts';
import { powertoolsTelemetry } from '../../functions/runtime/telemetry.ts';
import { stackName } from '../../lib/settings.ts';
import { capturedLines } from '../kit/captured-lines.ts';
import { accountTemplateOf, templateOf } from '../kit/template.ts';
import { askedBy, seriesOf } from './support/fleet-queries.ts';
import { isAwsMetric, emissionsOf, identityOf, STATISTICS } from './support/metrics.ts';
import { SCENARIOS } from './support/scenarios.ts';

const platform = 'arn:aws:iam::123456789012:role/platform';
const settings = { company: 'acme', stage: 'production', platform, objectives: true, canary: true } as const;
const service = stackName(settings);
const template = templateOf(settings);
const account = accountTemplateOf();
const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
const sections = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
  heading.toLowerCase().replaceAll(' ', '-'),
);

interface WatchedMetric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
}

interface Alarm extends Properties, WatchedMetric {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: { readonly Metric: WatchedMetric };
  }[];
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  readonly TreatMissingData: string;
  readonly AlarmActions: readonly unknown[];
}

const alarmsOf = (of: typeof template) =>
  resourcesOfType(of, 'AWS::CloudWatch::Alarm')
    .map(([, raw]) => resolveIntrinsics(raw, new PhysicalResources()) as Alarm)
    .map((alarm) => [alarm.AlarmName.split('-').at(-1) ?? '', alarm] as const);
const alarms = alarmsOf(template);
const own = alarms.filter(([, { Namespace }]) => Namespace === METRIC_NAMESPACE);
const ofAws = alarms.filter(([, { Namespace }]) => Namespace !== METRIC_NAMESPACE);
const fleet = alarmsOf(account);
const expressionOf = ({ Metrics = [] }: Alarm) => String(Metrics.find(({ Expression }) => Expression)?.Expression);
const queries = fleet.filter(([, { Metrics }]) => Metrics !== undefined);

function stateOf(alarm: Alarm, values: readonly number[]): 'ALARM' | 'OK' {
  if (values.length === 0) return alarm.TreatMissingData === 'breaching' ? 'ALARM' : 'OK';
  const value = STATISTICS[alarm.Statistic ?? String(alarm.ExtendedStatistic)]?.(values) ?? Number.NaN;
  const breaches =
    alarm.ComparisonOperator === 'LessThanThreshold' ? value < alarm.Threshold : value >= alarm.Threshold;
  return breaches ? 'ALARM' : 'OK';
}

const dimensionsOf = ({ Dimensions = [] }: Alarm) =>
  Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]));
const identityOfAlarm = (alarm: Alarm) =>
  identityOf({ namespace: alarm.Namespace, name: alarm.MetricName, dimensions: dimensionsOf(alarm) });

let lines: string[] = [];
beforeEach(() => {
  lines = capturedLines();
});
afterEach(() => vi.restoreAllMocks());

/** Of what happens thousands of times, a part happens, and its lines are repeated. */
const MOST = 200;

async function happensTo(stack: string, metric: string, times: number): Promise<void> {
  const from = lines.length;
  const part = times > MOST && times % MOST === 0 ? MOST : times;
  await SCENARIOS[metric as MetricName]?.(powertoolsTelemetry({ POWERTOOLS_SERVICE_NAME: stack }), part);
  const written = lines.slice(from);
  for (let repeats = 1; repeats < times / part; repeats += 1) lines.push(...written);
}

async function datapoints(alarm: Alarm, times: number): Promise<number[]> {
  await happensTo(service, alarm.MetricName, times);
  return emissionsOf(lines)
    .filter((emission) => identityOf(emission) === identityOfAlarm(alarm))
    .flatMap(({ values }) => values);
}

describe('an alarm on what our code counts', () => {
  it.each(own)('%s fires at its threshold, and not before', async (_, alarm) => {
    expect(stateOf(alarm, [])).toBe('OK');
    const values = await datapoints(alarm, alarm.Threshold);
    expect(values.length).toBeGreaterThan(0);
    expect(stateOf(alarm, values)).toBe('ALARM');
    lines.length = 0;
    const one = await datapoints(alarm, 1);
    expect(stateOf(alarm, one)).toBe(alarm.Threshold > 1 ? 'OK' : 'ALARM');
  });
});

it.each([
  ['WatchdogSilent', alarms, 'ProcessingWatchdog'],
  ['CanaryFails', alarms, 'CanaryCaller'],
  ['FleetSilent', fleet, 'CheckChecker'],
] as const)('%s rings if every run of its function fails, and if there is none', (name, all, id) => {
  const alarm = new Map(all).get(name) as Alarm;
  expect(JSON.stringify(alarm.Dimensions)).toContain(id);
  expect([[], [1, 1], [0]].map((runs) => stateOf(alarm, runs))).toEqual(['ALARM', 'ALARM', 'OK']);
  // The checker looks for some things once a day: one failed run must ring.
  expect(stateOf(alarm, [0, 1])).toBe(name === 'FleetSilent' ? 'ALARM' : 'OK');
});

describe('an alarm over all stacks', () => {
  const stacks = ['acme', 'globex', 'initech'].map((company) => stackName({ company, stage: 'production' }));
  const [healthy = '', broken = '', idle = ''] = stacks;
  const alarming = (alarm: Alarm): string[] =>
    [...seriesOf(expressionOf(alarm), emissionsOf(lines))].flatMap(([stack, value]) =>
      value >= alarm.Threshold ? [stack] : [],
    );
  const ofOurs = queries.filter(([, alarm]) => askedBy(expressionOf(alarm)).namespace === METRIC_NAMESPACE);

  it.each(ofOurs)('%s fires by one of three companies, and names it', async (_, alarm) => {
    const { metric } = askedBy(expressionOf(alarm));
    await happensTo(healthy, 'ImportsOpen', 1);
    expect(alarming(alarm)).toEqual([]);
    await happensTo(broken, metric, alarm.Threshold);
    expect(alarming(alarm)).toEqual([broken]);
    expect(lines.join()).not.toContain(idle);
  });

  it.each(queries.filter((each) => !ofOurs.includes(each)))('%s looks at a metric that AWS emits', (_, alarm) => {
    const { namespace, dimensions, metric } = askedBy(expressionOf(alarm));
    expect(isAwsMetric(namespace, metric, dimensions)).toBe(true);
    expect(alarm.TreatMissingData).toBe('notBreaching');
  });

  it('no alarm on what AWS counts sees the resources of another team, and each sees the tagged ones of every stack', () => {
    for (const [name, alarm] of queries.filter((each) => !ofOurs.includes(each))) {
      const { namespace, dimensions, metric, tags } = askedBy(expressionOf(alarm));
      const emission = (value: string, tagged: Record<string, string>) => ({
        namespace,
        name: metric,
        dimensions: Object.fromEntries(dimensions.map((dimension) => [dimension, value])),
        values: [alarm.Threshold],
        tags: tagged,
      });
      const foreign = emission('theirs', { application: 'another', alarm: name });
      expect([...seriesOf(expressionOf(alarm), [foreign, emission('ours', tags)]).keys()]).toEqual(['ours']);
      expect(tags).toMatchObject({ application: 'course-progress-migration' });
    }
  });

  it('each resource that only some alarms watch has the tag of its alarm', () => {
    const tagged = Object.entries(template.Resources).flatMap(([id, { Properties }]) => {
      const tags = (Properties?.['Tags'] ?? []) as readonly { readonly Key: string; readonly Value: string }[];
      // The tags of a parameter are an object of names and values.
      return [tags]
        .flat()
        .flatMap(({ Key, Value }) => (Key === 'alarm' ? [`${Value} ${id.replace(/[0-9A-F]{8}$/, '')}`] : []));
    });
    expect(tagged.toSorted()).toEqual([
      'CanaryFails CanaryCaller',
      'MessagesWait ChunksDeadLetters',
      'MessagesWait IntakeDeadLetters',
      'MessagesWait IntakeQueue',
      'WatchdogFails ProcessingWatchdog',
    ]);
  });

  it('every metric with an alarm of a single stack has an alarm over all stacks, and others have one too', () => {
    const asked = new Set(queries.map(([, alarm]) => askedBy(expressionOf(alarm)).metric));
    const partsOf = (name: string) => Object.keys(POINTS.find(([sum]) => sum === name)?.[1] ?? { [name]: 1 });
    for (const [, { MetricName }] of own) for (const part of partsOf(MetricName)) expect(asked).toContain(part);
    expect(fleet.length).toBeGreaterThan(alarms.length);
  });
});

/** Alarms on silence, and the one that the checker rings. */
const SILENCES: ReadonlySet<string> = new Set(['WatchdogSilent', 'CanaryFails', 'FleetSilent', 'Heartbeat']);

/** Names that are no resource of the template. */
const NAMED: ReadonlySet<string> = new Set([service, settings.stage]);

function expectToExist({ Namespace, MetricName, Dimensions = [] }: WatchedMetric): void {
  const names = Dimensions.map(({ Name }) => Name);
  expect(isAwsMetric(Namespace, MetricName, names)).toBe(true);
  for (const { Value } of Dimensions) {
    const [id = ''] = Value.split('.');
    expect(NAMED.has(Value) || id in template.Resources).toBe(true);
  }
}

describe('an alarm on what AWS counts', () => {
  it.each([...ofAws, ...fleet].filter(([name, { Metrics }]) => Metrics === undefined && !SILENCES.has(name)))(
    '%s fires, and looks at a metric that exists',
    (_, alarm) => {
      expectToExist(alarm);
      expect([stateOf(alarm, []), stateOf(alarm, [0]), stateOf(alarm, [alarm.Threshold])]).toEqual([
        'OK',
        'OK',
        'ALARM',
      ]);
    },
  );
});

describe('a call that stops a stack', () => {
  const rules = resourcesOfType(account, 'AWS::Events::Rule')
    .map(([, rule]) => rule)
    .filter((rule) => 'EventPattern' in rule);
  const patterns = rules.map(({ EventPattern }) => resolveIntrinsics(EventPattern, new PhysicalResources()) as Pattern);

  /** As CloudTrail records it, without members that no rule reads. */
  const call = (eventName: string, service: string, requestParameters: object) => ({
    source: `aws.${service}`,
    'detail-type': 'AWS API Call via CloudTrail',
    detail: { eventSource: `${service}.amazonaws.com`, eventName, requestParameters },
  });

  it.each([
    ['DisableKey', 'kms', { keyId: 'k' }, true],
    ['ScheduleKeyDeletion', 'kms', { keyId: 'k' }, true],
    ['EnableKey', 'kms', { keyId: 'k' }, false],
  ])('%s of %s with %j notifies the topic: %s', (name, service, parameters, notifies) => {
    expect(patterns.some((pattern) => matches(pattern, call(name, service, parameters)))).toBe(notifies);
    const [topic = ''] = resourcesOfType(account, 'AWS::SNS::Topic')[0] ?? [];
    for (const { Targets } of rules) expect(JSON.stringify(Targets)).toContain(topic);
  });
});

type Value = string | { readonly prefix: string };
type Pattern = { readonly [member: string]: Pattern | readonly Value[] };

const isOneOf = (values: readonly Value[], value: unknown): boolean =>
  values.some((each) => (typeof each === 'string' ? each === value : String(value).startsWith(each.prefix)));

/** Whether EventBridge matches the event: every member of the pattern has one of its values, in lists any of theirs. */
function matches(pattern: Pattern, event: unknown): boolean {
  const each = [event].flat() as Record<string, unknown>[];
  return Object.entries(pattern).every(([member, expected]) =>
    each.some((one) => {
      const value = one?.[member];
      return Array.isArray(expected) ? isOneOf(expected, value) : matches(expected as Pattern, value);
    }),
  );
}

describe.each([
  ['a stack', template, alarms],
  ['the account stack', account, fleet],
])('every alarm of %s', (_, of, all) => {
  it('alarms may publish to the topic, which would refuse it under a policy that names no service', () => {
    const [[, policy] = []] = resourcesOfType(of, 'AWS::SNS::TopicPolicy');
    const { Statement } = (policy ?? {})['PolicyDocument'] as { Statement: object[] };
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
      }),
    );
  });

  it('each of the many alarms has its own name', () => {
    expect(all.length).toBeGreaterThan(7);
    expect(new Set(all.map(([name]) => name)).size).toBe(all.length);
  });

  it.each(all)('%s notifies the topic, and names its section of the runbook', (_name, alarm) => {
    expect(alarm.AlarmActions).toHaveLength(1);
    const [, anchor = ''] = /docs\/runbook\.md#([a-z-]+)$/.exec(alarm.AlarmDescription) ?? [];
    expect(sections).toContain(anchor);
  });
});

it('every section of the runbook about an alarm belongs to one that exists', () => {
  const sandbox = alarmsOf(templateOf({ company: 'acme', stage: 'sandbox' }));
  const named = new Set(
    [...alarms, ...sandbox, ...fleet].map(([name]) => name.replaceAll(/(?!^)[A-Z]/g, '-$&').toLowerCase()),
  );
  const [, text = ''] = /^## Alarms$(.*?)^## Tasks$/ms.exec(runbook) ?? [];
  const headings = [...text.matchAll(/^### (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  );
  expect(headings.toSorted()).toEqual([...named].toSorted());
});

it('a sandbox has two alarms, one of which stands for stuck imports and for signs of a theft', () => {
  expect(alarmsOf(templateOf({ company: 'acme', stage: 'sandbox' })).map(([name]) => name)).toEqual([
    'ServerErrors',
    'Attention',
  ]);
});
