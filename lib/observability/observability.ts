import { ArnFormat, Stack } from 'aws-cdk-lib/core';
import { Alarm, type AlarmBase, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { alarmList } from './alarms.ts';
import { OperationsDashboard } from './dashboard.ts';
import type { Watched } from './metrics.ts';
import { SavedQueries } from './saved-queries.ts';

/** Alarms, dashboard and saved queries: all that an operator looks at. */
export class Observability extends Construct {
  readonly alarms: Alarms;
  readonly dashboard: OperationsDashboard;

  constructor(scope: Construct, id: string, props: { watched: Watched; email?: string | undefined }) {
    super(scope, id);
    this.alarms = new Alarms(this, 'Alarms', props);
    this.dashboard = new OperationsDashboard(this, 'Dashboard', props.watched, this.alarms.all);
    new SavedQueries(this, 'Queries', props.watched);
  }
}

/** All alarms. They notify one topic, to which the people on call subscribe. */
class Alarms extends Construct {
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

/** The anchor of the alarm's section in the runbook: `DeadLettersWaiting` → `dead-letters-waiting`. */
function anchorOf(name: string): string {
  return name.replaceAll(/(?!^)[A-Z]/g, (capital) => `-${capital}`).toLowerCase();
}
