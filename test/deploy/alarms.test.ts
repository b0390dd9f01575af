/**
 * Fires every alarm, each by what our own code emits where the metric is ours, and by a datapoint of AWS's where it is not; and
 * holds alarms, dashboard and runbook against what there is. Runs handlers in this process with stores that fail on purpose.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PhysicalResources, type Properties, resolveIntrinsics, resourcesOfType } from '../../bin/local/template.ts';
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

interface Alarm extends Properties {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions: readonly { readonly Name: string; readonly Value: string }[];
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

const dimensionsOf = ({ Dimensions }: Alarm) => Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]));
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

describe('an alarm on what AWS counts', () => {
  it.each(ofAws)('%s fires, and looks at a metric that there is', (_, alarm) => {
    const names = alarm.Dimensions.map(({ Name }) => Name);
    expect(isAwsMetric(alarm.Namespace, alarm.MetricName, names)).toBe(true);
    for (const { Name, Value } of alarm.Dimensions) {
      const [id = ''] = Value.split('.');
      expect(Name === 'ApiName' ? Value === service : id in template.Resources).toBe(true);
    }
    expect([stateOf(alarm, []), stateOf(alarm, [0]), stateOf(alarm, [alarm.Threshold])]).toEqual(['OK', 'OK', 'ALARM']);
  });
});

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
