/** Alarms and the topic that they notify, of one stack or of all. */
import { ArnFormat, Stack } from 'aws-cdk-lib/core';
import { Alarm, type AlarmBase, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { AlarmSpec } from './alarms.ts';

const isTopic = (to: string): boolean => to.startsWith('arn:');

/** Alarms, and the topic that tells people. Each alarm links its section of the runbook. */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly all: readonly AlarmBase[];

  /** @param notified e-mail addresses, which subscribe to the topic, and ARNs of further topics */
  constructor(scope: Construct, specs: readonly AlarmSpec[], notified: readonly string[] = []) {
    super(scope, 'Alarms');
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    this.#letAlarmsPublish();
    for (const to of notified) if (!isTopic(to)) this.topic.addSubscription(new EmailSubscription(to));
    const shared = notified.filter(isTopic).map((arn, index) => Topic.fromTopicArn(this, `Topic${index + 2}`, arn));
    const actions = [this.topic, ...shared].map((topic) => new SnsAction(topic));
    this.all = specs.map(({ name, meaning, ...watched }) => {
      const alarm = new Alarm(this, name, {
        alarmName: `${Stack.of(this).stackName}-${name}`,
        alarmDescription: `${meaning} What to do: docs/runbook.md#${anchorOf(name)}`,
        evaluationPeriods: 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
        ...watched,
      });
      alarm.addAlarmAction(...actions);
      alarm.addOkAction(...actions);
      return alarm;
    });
  }

  /** The topic's own policy replaces the default one, so it must allow the alarms of this account to publish. */
  #letAlarmsPublish(): void {
    const alarms = alarmArn(this, `${Stack.of(this).stackName}-*`);
    this.letPublish('cloudwatch.amazonaws.com', { ArnLike: { 'aws:SourceArn': alarms } });
  }

  letPublish(service: string, conditions: Record<string, Record<string, unknown>> = {}): void {
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal(service)],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account }, ...conditions },
      }),
    );
  }
}

/** The ARN of an alarm, known before the alarm is made. */
export function alarmArn(scope: Construct, resourceName: string): string {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return Stack.of(scope).formatArn({ service: 'cloudwatch', resource: 'alarm', resourceName, arnFormat });
}

function anchorOf(name: string): string {
  return name.replaceAll(/(?!^)[A-Z]/g, (capital) => `-${capital}`).toLowerCase();
}
