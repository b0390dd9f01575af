import { ArnFormat, Stack } from 'aws-cdk-lib/core';
import { Alarm, type AlarmBase, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { alarmList } from './alarms.ts';
import { OperationsDashboard } from './dashboard.ts';
import type { Watched } from './metrics.ts';
import { SavedQueries } from './saved-queries.ts';

export interface ObservabilityProps {
  readonly watched: Watched;
  /** Of the service. */
  readonly version: string;
  /** E-mail addresses, which subscribe to the stack's own topic, and ARNs of further topics. */
  readonly signingKey: IKey;
  readonly notified?: readonly string[] | undefined;
}

/** Alarms, dashboard and saved queries: all that an operator looks at. */
export class Observability extends Construct {
  readonly alarms: Alarms;
  readonly dashboard: OperationsDashboard;

  constructor(scope: Construct, id: string, props: ObservabilityProps) {
    super(scope, id);
    this.alarms = new Alarms(this, 'Alarms', props);
    this.dashboard = new OperationsDashboard(this, 'Dashboard', props, this.alarms.all);
    new SavedQueries(this, 'Queries', props.watched);
    notifyOfKey(this, props.signingKey, this.alarms.topic);
  }
}

/** All alarms. They notify one topic, to which the people on call subscribe. */
class Alarms extends Construct {
  readonly topic: Topic;
  readonly all: readonly AlarmBase[];

  constructor(scope: Construct, id: string, { watched, notified = [] }: ObservabilityProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    this.#letAlarmsPublish();
    const [topics = [], addresses = []] = [true, false].map((arn) =>
      notified.filter((to) => to.startsWith('arn:') === arn),
    );
    for (const address of addresses) this.topic.addSubscription(new EmailSubscription(address));
    const shared = topics.map((arn, index) => Topic.fromTopicArn(this, `Topic${index + 2}`, arn));
    const actions = [this.topic, ...shared].map((topic) => new SnsAction(topic));
    this.all = alarmList(watched).map(({ name, meaning, metric, threshold, ...how }) => {
      const alarm = new Alarm(this, name, {
        alarmName: `${Stack.of(this).stackName}-${name}`,
        alarmDescription: `${meaning} What to do: docs/runbook.md#${anchorOf(name)}`,
        metric,
        threshold,
        evaluationPeriods: how.periods ?? 1,
        comparisonOperator: how.comparison ?? ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: how.missing ?? TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(...actions);
      alarm.addOkAction(...actions);
      return alarm;
    });
  }

  /** The topic's own policy replaces the default one, so it must allow the alarms of this account to publish. */
  #letAlarmsPublish(): void {
    const { account, stackName } = Stack.of(this);
    const alarms = Stack.of(this).formatArn({
      service: 'cloudwatch',
      resource: 'alarm',
      resourceName: `${stackName}-*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': account }, ArnLike: { 'aws:SourceArn': alarms } },
      }),
    );
  }
}

/**
 * Notifies of calls that make the signing key unusable, before the next login fails. EventBridge gets such calls from CloudTrail,
 * so only in an account with a trail of management events; the alarm `SigningKeyUnusable` needs none.
 */
function notifyOfKey(scope: Construct, key: IKey, topic: Topic): void {
  new Rule(scope, 'KeyChanges', {
    description: 'Somebody disabled the signing key, or scheduled its deletion',
    eventPattern: {
      source: ['aws.kms'],
      detailType: ['AWS API Call via CloudTrail'],
      detail: {
        eventSource: ['kms.amazonaws.com'],
        eventName: ['DisableKey', 'ScheduleKeyDeletion'],
        resources: { ARN: [key.keyArn] },
      },
    },
    // A policy of the topic that lets EventBridge publish would let the rules of every account.
    targets: [new SnsTopic(topic, { authorizeUsingRole: true })],
  });
}

/** The anchor of the alarm's section in the runbook: `DeadLettersWaiting` → `dead-letters-waiting`. */
function anchorOf(name: string): string {
  return name.replaceAll(/(?!^)[A-Z]/g, (capital) => `-${capital}`).toLowerCase();
}
