/**
 * Fires every alarm, each by what our own code emits where the metric is ours, and by a datapoint of AWS's where it is not; and
 * holds alarms, dashboard and runbook against what there is. Runs handlers in this process with stores that fail on purpose.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PhysicalResources, type Properties, resolveIntrinsics, resourcesOfType } from '../../bin/local/template.ts';
import { INDEXES } from '../../functions/dynamodb/table.ts';
import { METRIC_NAMESPACE, type MetricName } from '../../functions/runtime/metric-names.ts';
import { powertoolsTelemetry } from '../../functions/runtime/telemetry.ts';
import { stackName } from '../../lib/settings.ts';
import { templateOf } from '../kit/template.ts';
import { isAwsMetric, emissionsOf, identityOf, STATISTICS } from './support/metrics.ts';
import { SCENARIOS } from './support/scenarios.ts';

const settings = { company: 'acme', stage: 'production' } as const;
const service = stackName(settings);
const template = templateOf(settings);
const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');

interface WatchedMetric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
}

/** Of one metric, or of an expression over several. */
interface Alarm extends Properties, WatchedMetric {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: { readonly Metric: WatchedMetric };
  }[];
  readonly Statistic: string;
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  readonly TreatMissingData: string;
  readonly AlarmActions: readonly unknown[];
}

const alarms = resourcesOfType(template, 'AWS::CloudWatch::Alarm')
  .map(([, raw]) => resolveIntrinsics(raw, new PhysicalResources()) as Alarm)
  .map((alarm) => [alarm.AlarmName.slice(service.length + 1), alarm] as const);
const own = alarms.filter(([, { Namespace }]) => Namespace === METRIC_NAMESPACE);
const ofAws = alarms.filter(([, { Namespace }]) => Namespace !== METRIC_NAMESPACE);

/** What CloudWatch makes of the datapoints of one period. */
function stateOf(alarm: Alarm, values: readonly number[]): 'ALARM' | 'OK' {
  if (values.length === 0) return alarm.TreatMissingData === 'breaching' ? 'ALARM' : 'OK';
  const value = STATISTICS[alarm.Statistic]?.(values) ?? Number.NaN;
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
  lines = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((line) => (lines.push(String(line)), true));
});
afterEach(() => vi.restoreAllMocks());

/** Datapoints that reach the alarm while its scenario runs so many times. */
async function datapoints(alarm: Alarm, times: number): Promise<number[]> {
  await SCENARIOS[alarm.MetricName as MetricName]?.(powertoolsTelemetry({ POWERTOOLS_SERVICE_NAME: service }), times);
  return emissionsOf(lines)
    .filter((emission) => identityOf(emission) === identityOfAlarm(alarm))
    .flatMap(({ values }) => values);
}

describe('an alarm on what our code counts', () => {
  it.each(own.filter(([name]) => name !== 'WatchdogSilent'))('%s fires, and not before', async (_, alarm) => {
    expect(stateOf(alarm, [])).toBe('OK');
    const values = await datapoints(alarm, alarm.Threshold);
    expect(values.length).toBeGreaterThan(0);
    expect(stateOf(alarm, values)).toBe('ALARM');
    lines = [];
    const one = await datapoints(alarm, 1);
    expect(stateOf(alarm, one)).toBe(alarm.Threshold > 1 ? 'OK' : 'ALARM');
  });

  it('WatchdogSilent fires when nothing is counted, and is content with a count of none', async () => {
    const alarm = new Map(own).get('WatchdogSilent') as Alarm;
    expect(stateOf(alarm, [])).toBe('ALARM');
    expect(stateOf(alarm, await datapoints(alarm, 1))).toBe('OK');
  });
});

/** Names that are no resource of the template. */
const NAMED = new Set([service, ...INDEXES.map(({ name }) => name)]);

function expectToExist({ Namespace, MetricName, Dimensions = [] }: WatchedMetric): void {
  const names = Dimensions.map(({ Name }) => Name);
  expect(isAwsMetric(Namespace, MetricName, names)).toBe(true);
  for (const { Value } of Dimensions) {
    const [id = ''] = Value.split('.');
    expect(NAMED.has(Value) || id in template.Resources).toBe(true);
  }
}

const ofSums = ofAws.filter(([, { Metrics }]) => Metrics !== undefined);

describe('an alarm on a sum of what AWS counts', () => {
  it.each(ofSums)(
    '%s fires by any part of it, the table or one index, where the others have no datapoint',
    (_, alarm) => {
      const { Metrics = [] } = alarm;
      const parts = Metrics.flatMap(({ Id, MetricStat }) =>
        MetricStat === undefined ? [] : [[Id, MetricStat] as const],
      );
      const expression = Metrics.find(({ Expression }) => Expression !== undefined)?.Expression;
      expect(expression).toBe(parts.map(([id]) => `FILL(${id}, 0)`).join(' + '));
      expect(parts).toHaveLength(1 + INDEXES.length);
      for (const [, { Metric }] of parts) expectToExist(Metric);
      expect(new Set(parts.map(([, { Metric }]) => JSON.stringify(Metric))).size).toBe(parts.length);
      expect([alarm.Threshold, alarm.TreatMissingData]).toEqual([100, 'notBreaching']);
    },
  );
});

describe('an alarm on what AWS counts', () => {
  it.each(ofAws.filter(([, { Metrics }]) => Metrics === undefined))(
    '%s fires, and looks at a metric that there is',
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

describe('a call that makes the signing key unusable', () => {
  const rule = resourcesOfType(template, 'AWS::Events::Rule').find(([, { EventPattern }]) => EventPattern)?.[1];
  const pattern = resolveIntrinsics(rule?.['EventPattern'], new PhysicalResources()) as Pattern;
  const [keyId = ''] = resourcesOfType(template, 'AWS::KMS::Key')[0] ?? [];

  /** As CloudTrail records it, with members that no rule looks at left out. */
  const call = (eventName: string, key = keyId) => ({
    source: 'aws.kms',
    'detail-type': 'AWS API Call via CloudTrail',
    detail: {
      eventSource: 'kms.amazonaws.com',
      eventName,
      resources: [{ accountId: '1', type: 'AWS::KMS::Key', ARN: `${key}.Arn` }],
    },
  });

  it.each([
    ['DisableKey', keyId, true],
    ['ScheduleKeyDeletion', keyId, true],
    ['EnableKey', keyId, false],
    ['DisableKey', 'another', false],
  ])('%s of %s notifies the topic: %s', (name, key, notifies) => {
    expect(matches(pattern, call(name, key))).toBe(notifies);
    const targets = JSON.stringify(rule?.['Targets']);
    expect(targets).toContain(resourcesOfType(template, 'AWS::SNS::Topic')[0]?.[0]);
  });
});

type Pattern = { readonly [member: string]: Pattern | readonly string[] };

/** Whether EventBridge finds the event to match: every member of the pattern holds one of its values, in lists any of theirs. */
function matches(pattern: Pattern, event: unknown): boolean {
  const each = [event].flat() as Record<string, unknown>[];
  return Object.entries(pattern).every(([member, expected]) =>
    each.some((one) => {
      const value = one?.[member];
      return Array.isArray(expected) ? expected.includes(value) : matches(expected as Pattern, value);
    }),
  );
}

describe('every alarm', () => {
  it('may publish to the topic, which would refuse it under a policy that names nobody', () => {
    const [[, policy] = []] = resourcesOfType(template, 'AWS::SNS::TopicPolicy');
    const { Statement } = (policy ?? {})['PolicyDocument'] as { Statement: object[] };
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
      }),
    );
  });

  it('is one of many, each under its own name', () => {
    expect(alarms.length).toBeGreaterThan(10);
    expect(new Set(alarms.map(([name]) => name)).size).toBe(alarms.length);
  });

  it.each(alarms)('%s notifies the topic, and names its section of the runbook', (_, alarm) => {
    expect(alarm.AlarmActions).toHaveLength(1);
    const [, anchor = ''] = /docs\/runbook\.md#([a-z-]+)$/.exec(alarm.AlarmDescription) ?? [];
    const headings = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    expect(headings).toContain(anchor);
  });
});
