/**
 * The alarms of a stack and of the account stack, compared with the metrics, resources and sections of the runbook that
 * exist. `faults.test.ts` has when each rings.
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
import { askedBy } from './support/fleet-queries.ts';
import { isAwsMetric, emissionsOf, identityOf } from './support/metrics.ts';
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

let lines: string[] = [];
beforeEach(() => {
  lines = capturedLines();
});
afterEach(() => vi.restoreAllMocks());

it.each(own)('%s looks at a metric that our code counts, under its dimensions', async (_, alarm) => {
  const { Namespace: namespace, MetricName: name, Dimensions = [] } = alarm;
  await SCENARIOS[name as MetricName]?.(powertoolsTelemetry({ POWERTOOLS_SERVICE_NAME: service }), 1);
  const dimensions = Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]));
  expect(emissionsOf(lines).map(identityOf)).toContain(identityOf({ namespace, name, dimensions }));
});

it.each([
  ['WatchdogSilent', alarms, 'ProcessingWatchdog'],
  ['CanaryFails', alarms, 'CanaryCaller'],
  ['FleetSilent', fleet, 'CheckChecker'],
] as const)('%s looks at the runs of its function', (name, all, id) => {
  expect(JSON.stringify(new Map(all).get(name)?.Dimensions)).toContain(id);
});

describe('an alarm over all stacks', () => {
  it('an alarm on what AWS counts sees only resources that have our tag', () => {
    const asked = queries.map(([, alarm]) => askedBy(expressionOf(alarm)));
    const ofAws = asked.filter(({ namespace }) => namespace !== METRIC_NAMESPACE);
    expect(ofAws.length).toBeGreaterThan(5);
    for (const { tags } of ofAws) expect(tags).toMatchObject({ application: 'course-progress-migration' });
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

/** Names that are no resource of the template. */
const NAMED: ReadonlySet<string> = new Set([service, settings.stage]);

const exists = (id: string) => NAMED.has(id) || id in template.Resources || id in account.Resources;

it.each([...ofAws, ...fleet].filter(([, { Metrics }]) => Metrics === undefined))(
  '%s looks at a metric of AWS and a resource that exist',
  (_, { Namespace, MetricName, Dimensions = [] }) => {
    const names = Dimensions.map(({ Name }) => Name);
    expect(isAwsMetric(Namespace, MetricName, names)).toBe(true);
    for (const { Value } of Dimensions) expect(exists(Value.split('.')[0] ?? '')).toBe(true);
  },
);

it('a call that stops a stack notifies the topic', () => {
  const rules = resourcesOfType(account, 'AWS::Events::Rule').filter(([, rule]) => 'EventPattern' in rule);
  const [topic = ''] = resourcesOfType(account, 'AWS::SNS::Topic')[0] ?? [];
  for (const [, { Targets }] of rules) expect(JSON.stringify(Targets)).toContain(topic);
  const detail = { eventSource: ['kms.amazonaws.com'], eventName: ['DisableKey', 'ScheduleKeyDeletion'] };
  expect(rules.map(([, { EventPattern }]) => EventPattern)).toMatchObject([{ source: ['aws.kms'], detail }]);
});

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
