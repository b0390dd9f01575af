import { Duration, Stack, Validations } from 'aws-cdk-lib/core';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import * as ENV from '../../functions/runtime/variables.ts';
import { EVENT_SOURCE, RUN_EVENT_TYPES } from '../../functions/shared/codes.ts';
import { LONGEST_TIMEOUT_SECONDS } from '../../functions/shared/limits.ts';
import { functionOf, type Shared } from '../functions/permissions.ts';

/**
 * A rule of the account's bus, and the function that it invokes: it alone may send mail, from one address. EventBridge and Lambda
 * repeat what fails. Events of other companies of the account find none of their administrators in this table.
 */
export function mailNotices(scope: Construct, shared: Shared, pageUrl: string | undefined): void {
  const { mailFrom, stage } = shared.settings;
  if (mailFrom === undefined) return;
  const part = new Construct(scope, 'Notices');
  const mailer = functionOf(part, 'Send', 'send-notices', shared, {
    description: 'Mails notices of runs to those whom they name',
    memoryMb: 256,
    timeout: Duration.seconds(LONGEST_TIMEOUT_SECONDS),
  });
  mailer.addEnvironment(ENV.mailFrom, mailFrom);
  if (pageUrl !== undefined) mailer.addEnvironment(ENV.pageUrl, pageUrl);
  const ofSes = (resource: string, resourceName: string): string =>
    Stack.of(part).formatArn({ service: 'ses', resource, resourceName });
  Grant.addToPrincipal({
    grantee: mailer,
    actions: ['ses:SendEmail'],
    // An identity may have a default configuration set, which SES asks for as well.
    resourceArns: [...identitiesOf(mailFrom).map((each) => ofSes('identity', each)), ofSes('configuration-set', '*')],
    conditions: { StringEquals: { 'ses:FromAddress': mailFrom } },
  });
  Validations.of(mailer.role ?? mailer).acknowledge({
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:configuration-set/*]',
    reason: 'Which configuration set an identity has is decided in the account. The sender is limited to one address.',
  });
  new Rule(part, 'OfRuns', {
    description: 'Notices of runs, to be mailed',
    eventPattern: { source: [EVENT_SOURCE], detailType: [...RUN_EVENT_TYPES], detail: { stage: [stage] } },
    targets: [new LambdaTarget(mailer)],
  });
}

/** The identities that may be verified for an address: itself, its domain, and the domains above that. */
function identitiesOf(address: string): string[] {
  const [, domain = ''] = address.split('@');
  const labels = domain.split('.');
  return [address, ...labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))];
}
