import { ArnFormat, Stack } from 'aws-cdk-lib/core';
import { Alarm, type AlarmBase, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { alarmList } from './alarm-list.ts';
import type { Watched } from './watched.ts';

/** The alarms, all told to one topic: whoever is on call subscribes to it. */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly all: readonly AlarmBase[];

  constructor(scope: Construct, id: string, { watched, email }: { watched: Watched; email?: string | undefined }) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    this.#letAlarmsPublish();
    if (email !== undefined) this.topic.addSubscription(new EmailSubscription(email));
    const action = new SnsAction(this.topic);
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
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
      return alarm;
    });
  }

  /** A policy of its own takes the place of the one that lets the account's alarms publish. */
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

/** The anchor of a heading that says the name in words: `DeadLettersWaiting` → `dead-letters-waiting`. */
export function anchorOf(name: string): string {
  return name.replaceAll(/(?!^)[A-Z]/g, (capital) => `-${capital}`).toLowerCase();
}
