/** Alarms and the topics that they notify, of one stack or of all. */
import { ArnFormat, Stack } from 'aws-cdk-lib/core';
import { Alarm, type AlarmBase, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { AlarmSpec } from './alarms.ts';

const isTopic = (to: string): boolean => to.startsWith('arn:');

/** As the settings name them: e-mail addresses, which subscribe to a topic here, and ARNs of further topics. */
export interface Notified {
  readonly alarms?: readonly string[] | undefined;
  /** Topics and addresses for alarms that can wait. Default: those of `alarms`. */
  readonly tickets?: readonly string[] | undefined;
  /** Address of the runbook that a pager opens. Default: the file of this repository. */
  readonly runbook?: string | undefined;
}

/** Alarms, and the topics that tell people: one that wakes them, and one for what can wait. Each alarm links its section of the runbook. */
export class Alarms extends Construct {
  readonly topic: AlarmTopic;
  /** The same topic where the settings name no `tickets`. */
  readonly ticketTopic: AlarmTopic;
  readonly all: readonly AlarmBase[];

  constructor(scope: Construct, specs: readonly AlarmSpec[], { alarms, tickets, runbook }: Notified = {}) {
    super(scope, 'Alarms');
    this.topic = new AlarmTopic(this, 'Topic', alarms);
    this.ticketTopic = tickets === undefined ? this.topic : new AlarmTopic(this, 'TicketTopic', tickets);
    this.all = specs.map(({ name, meaning, waits, isEvent, ...watched }) => {
      const alarm = new Alarm(this, name, {
        alarmName: `${Stack.of(this).stackName}-${name}`,
        alarmDescription: `${meaning} What to do: ${runbook ?? 'docs/runbook.md'}#${anchorOf(name)}`,
        evaluationPeriods: 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
        ...watched,
      });
      const { actions } = waits === true ? this.ticketTopic : this.topic;
      alarm.addAlarmAction(...actions);
      if (isEvent !== true) alarm.addOkAction(...actions);
      return alarm;
    });
  }
}

/** A topic that alarms of this stack may publish to, with the topics that others own beside it. */
export class AlarmTopic extends Topic {
  readonly actions: readonly SnsAction[];

  constructor(scope: Construct, id: string, notified: readonly string[] = []) {
    super(scope, id, { enforceSSL: true });
    this.#letAlarmsPublish();
    for (const to of notified) if (!isTopic(to)) this.addSubscription(new EmailSubscription(to));
    const shared = notified.filter(isTopic).map((arn, index) => Topic.fromTopicArn(scope, `${id}${index + 2}`, arn));
    this.actions = [this, ...shared].map((topic) => new SnsAction(topic));
  }

  /** The topic's own policy replaces the default one, so it must allow the alarms of this account to publish. */
  #letAlarmsPublish(): void {
    const alarms = alarmArn(this, `${Stack.of(this).stackName}-*`);
    this.letPublish('cloudwatch.amazonaws.com', { ArnLike: { 'aws:SourceArn': alarms } });
  }

  letPublish(service: string, conditions: Record<string, Record<string, unknown>> = {}): void {
    this.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal(service)],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
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
