import { Aws, CfnMapping, CfnOutput, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { CfnTelemetryEnrichment } from 'aws-cdk-lib/aws-observabilityadmin';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { type Construct, Construct as Part } from 'constructs';
import { rateLimits, WEB_ACL_PARAMETER } from '../api/web-acl.ts';
import { addTags, propsOf } from '../landing-zone.ts';
import { Alarms } from '../observability/alarm-topic.ts';
import { APPLICATION } from '../observability/tags.ts';
import { DEFAULT_CONCURRENCY } from '../processing/chunk-processing.ts';
import { saveQueries } from '../observability/saved-queries.ts';
import { ACCOUNT_STACK, type AccountSettings } from './account-settings.ts';
import { fleetAlarms } from './fleet-alarms.ts';
import { silenceAlarms } from './fleet-check.ts';
import { fleetDashboard } from './fleet-dashboard.ts';

/** The same in every account and region, so that a second one cannot be deployed beside it. */
export const ACCOUNT_STACK_NAME = 'course-progress-migration-account';

/** What all stacks of an account and region share: alarms, a dashboard, saved queries, a web ACL, a budget. */
export class AccountStack extends Stack {
  constructor(scope: Construct, settings: AccountSettings, bundles: string, id = ACCOUNT_STACK) {
    const { alarms: called, tickets, runbook, budget, tags, 'permissions-boundary': boundary, ...zone } = settings;
    super(scope, id, {
      stackName: ACCOUNT_STACK_NAME,
      description: 'What all course progress migrations of this account and region share',
      ...propsOf({ ...zone, ...(boundary !== undefined && { permissionsBoundary: boundary }) }),
    });
    addTags(this, { application: APPLICATION, ...tags });
    const silence = settings['fleet-check'] === false ? [] : silenceAlarms(this, bundles, settings['quiet-days']);
    const specs = [...fleetAlarms(settings.concurrency ?? DEFAULT_CONCURRENCY), ...silence];
    const alarms = new Alarms(this, specs, { alarms: called, tickets, runbook });
    const dashboard = fleetDashboard(this, alarms.all);
    saveQueries(this);
    notifyOfKeyChanges(this, alarms.topic);
    if (settings['resource-tags'] !== false) bringTagsToMetrics(this);
    if (settings['execution-logs'] === true) letApisLog(this);
    if (settings['web-acl'] === true) shareWebAcl(this);
    if (budget !== undefined) {
      alarms.ticketTopic.letPublish('budgets.amazonaws.com');
      addBudget(this, budget, alarms.ticketTopic);
    }
    const url = `https://${consoleHost(this)}/cloudwatch/home?region=${this.region}#dashboards:name=${dashboard.dashboardName}`;
    new CfnOutput(this, 'DashboardUrl', { value: url, description: 'Are imports healthy, and whose are not?' });
    new CfnOutput(this, 'AlarmTopicArn', { value: alarms.topic.topicArn, description: 'Subscribe the people on call' });
    if (tickets !== undefined) {
      const value = alarms.ticketTopic.topicArn;
      new CfnOutput(this, 'TicketTopicArn', { value, description: 'Of alarms that can wait' });
    }
  }
}

/** Before a login fails; from CloudTrail, so only in an account with a trail of management events. */
function notifyOfKeyChanges(scope: Construct, topic: Topic): void {
  new Rule(scope, 'KeyChanges', {
    description: 'A key was disabled, or its deletion was scheduled',
    eventPattern: {
      detailType: ['AWS API Call via CloudTrail'],
      source: ['aws.kms'],
      detail: { eventSource: ['kms.amazonaws.com'], eventName: ['DisableKey', 'ScheduleKeyDeletion'] },
    },
    // A policy of the topic that lets EventBridge publish would let the rules of every account.
    targets: [new SnsTopic(topic, { authorizeUsingRole: true })],
  });
}

/** An account has one such role for all APIs: it replaces another one, and stays when the stack is deleted. */
function letApisLog(scope: Construct): void {
  const part = new Part(scope, 'Gateway');
  const role = new Role(part, 'Role', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs')],
  });
  role.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  new CfnAccount(part, 'Account', { cloudWatchRoleArn: role.roleArn });
  Validations.of(part).acknowledge({
    id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason: 'The policy that AWS makes for this one purpose: API Gateway chooses the names of the log groups itself.',
  });
}

function consoleHost(stack: Stack): string {
  const hosts = new CfnMapping(stack, 'Consoles', {
    mapping: {
      aws: { host: 'console.aws.amazon.com' },
      'aws-cn': { host: 'console.amazonaws.cn' },
      'aws-us-gov': { host: 'console.amazonaws-us-gov.com' },
    },
  });
  return hosts.findInMap(Aws.PARTITION, 'host');
}

/**
 * Alarms on AWS's metrics need it, once in an account and region. It stays when the stack is deleted, but not if the first creation
 * fails: it would block the next.
 */
function bringTagsToMetrics(scope: Construct): void {
  const tags = new CfnTelemetryEnrichment(scope, 'ResourceTags', { scope: 'ACCOUNT' });
  tags.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
}

function shareWebAcl(scope: Construct): void {
  const part = new Part(scope, 'WebAcl');
  new StringParameter(part, 'Arn', {
    parameterName: WEB_ACL_PARAMETER,
    stringValue: rateLimits(part).attrArn,
    description: 'The web ACL of the APIs that have none of their own',
  });
}

function addBudget(scope: Construct, amount: number, topic: Topic): void {
  const subscribers = [{ subscriptionType: 'SNS', address: topic.topicArn }];
  const notify = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
    subscribers,
  });
  new CfnBudget(scope, 'Budget', {
    budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount, unit: 'USD' } },
    notificationsWithSubscribers: [notify('ACTUAL', 80), notify('FORECASTED', 100)],
  });
}
