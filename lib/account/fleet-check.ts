import { Duration, Stack, Validations } from 'aws-cdk-lib/core';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { GATEWAY_METRIC, METRIC_NAMESPACE, SILENT_METRIC } from '../../functions/runtime/metrics.ts';
import * as ENV from '../../functions/runtime/variables.ts';
import { BundledFunction } from '../functions/bundled-function.ts';
import { alarmArn } from '../observability/alarm-topic.ts';
import { alarm, type AlarmName, type AlarmSpec, FIVE_MINUTES, REFUSED } from '../observability/alarms.ts';
import { APPLICATION } from '../observability/tags.ts';
import { apiMetric, functionMetric, ownMetric, query, watchedBy } from './fleet-queries.ts';

const QUIET_DAYS = 7;
const EVERY = Duration.minutes(15);
/** Each has one run at least, also if a run comes late. */
const PERIOD = Duration.minutes(30);
/** One a second, as for a stack of its own. */
const REFUSED_IN_A_RUN = REFUSED * (EVERY.toMinutes() / FIVE_MINUTES.toMinutes());
/** The topic of the account stack hears of it once a day (`bin/operate/verify/check-fleet.ts`). */
const HEARTBEAT = 'Heartbeat';

/**
 * Finds what no metric shows: stacks whose watchdog or canary does not run, or that the alarms cannot see, silent platforms, and calls
 * that reached no function, because an alarm has one query alone. An account in China cannot have it.
 */
export function silenceAlarms(scope: Construct, bundles: string, quietDays = QUIET_DAYS): readonly AlarmSpec[] {
  const part = new Construct(scope, 'Check');
  const role = new Role(part, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  const checker = new BundledFunction(part, 'Checker', {
    bundle: `${bundles}/check-fleet`,
    description: 'Looks for stacks that are silent, or that the alarms cannot see',
    memoryMb: 256,
    timeout: Duration.minutes(2),
    role,
  });
  const { stackName } = Stack.of(scope);
  const heartbeatAlarm = `${stackName}-${HEARTBEAT}`;
  const runs = (['WatchdogFails', 'CanaryFails'] as const).map((name) =>
    query('SUM', watchedBy(name, functionMetric('Invocations')), EVERY),
  );
  // Each call counts, but only one that reached a function has a latency of the integration.
  const calls = ['Count', 'IntegrationLatency'].map((metric) => query('COUNT', apiMetric(metric), EVERY));
  const refusedAlarm = `${stackName}-${'CallsRefused' satisfies AlarmName}`;
  const environment = {
    [ENV.runsQueries]: JSON.stringify(runs.map(({ expression }) => expression)),
    [ENV.callsQueries]: JSON.stringify(calls.map(({ expression }) => expression)),
    [ENV.refusedAlarm]: refusedAlarm,
    [ENV.application]: APPLICATION,
    [ENV.heartbeatAlarm]: heartbeatAlarm,
    [ENV.quietDays]: String(quietDays),
  };
  for (const [name, value] of Object.entries(environment)) checker.addEnvironment(name, value);
  const alarms = [alarmArn(scope, heartbeatAlarm)];
  role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:SetAlarmState'], resources: alarms }));
  const reads = [
    'cloudformation:DescribeStacks',
    'cloudwatch:DescribeAlarms',
    'cloudwatch:GetMetricData',
    'tag:GetResources',
  ];
  role.addToPolicy(new PolicyStatement({ actions: reads, resources: ['*'] }));
  role.addToPolicy(
    new PolicyStatement({
      actions: ['cloudwatch:PutMetricData'],
      resources: ['*'],
      conditions: { StringEquals: { 'cloudwatch:namespace': METRIC_NAMESPACE } },
    }),
  );
  Validations.of(role).acknowledge({
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
    reason:
      'It lists stacks, tagged resources, alarms and metrics, and counts what it finds: these actions know no resources, or all.',
  });
  checker.runEvery(part, 'EveryQuarterOfAnHour', EVERY);
  const metric = checker.metricErrors({ statistic: 'Maximum', period: PERIOD });
  return [
    {
      name: 'StackSilent',
      meaning: 'A watchdog, a canary or a platform is silent, or the alarms cannot see a stack.',
      metric: query('MAX', ownMetric(SILENT_METRIC), PERIOD),
      threshold: 1,
    },
    alarm('GatewayRefuses', query('MAX', ownMetric(GATEWAY_METRIC), EVERY), REFUSED_IN_A_RUN),
    {
      name: 'FleetSilent',
      meaning: 'The checker of the fleet fails or does not run: nothing looks for silent stacks.',
      metric,
      threshold: 1,
      treatMissingData: TreatMissingData.BREACHING,
    },
    {
      name: HEARTBEAT,
      meaning: 'Nothing is wrong: it rings once a day, to show that alarms arrive.',
      isEvent: true,
      metric,
      // The checker sets its state.
      threshold: 1000,
    },
  ];
}
