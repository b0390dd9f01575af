import { Duration } from 'aws-cdk-lib/core';
import { ArnPrincipal, AnyPrincipal, Effect, Grant, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import * as ENV from '../../functions/runtime/variables.ts';
import { LONGEST_TIMEOUT_SECONDS } from '../../functions/shared/limits.ts';
import { watch } from '../observability/tags.ts';
import type { Outputs } from '../landing-zone.ts';
import type { BundledFunction } from '../functions/bundled-function.ts';
import { INTAKE_CONCURRENCY, messageQueue } from './chunk-processing.ts';
import { functionOf, type Shared } from '../functions/permissions.ts';

/** A hundred facts with a clear password each, which is the slowest message. */
const TIMEOUT = Duration.seconds(LONGEST_TIMEOUT_SECONDS);
export const INTAKE_QUEUE = {
  /** Six times the function's timeout, as AWS recommends for an event source. */
  visibilitySeconds: 6 * LONGEST_TIMEOUT_SECONDS,
  /** The most that SQS allows, which is four days: a delivery that meets a throttle counts as well, and loses no fact. */
  receives: 1000,
};

/**
 * A function without a URL, and a queue if a role may send to it: polling an idle one has a price. Dead letters are messages with
 * rejected facts, whose other facts were applied: the function sends them there.
 */
export function takeFacts(scope: Construct, shared: Shared) {
  const { platform, operator } = shared.settings;
  const part = new Construct(scope, 'Intake');
  const intake = functionOf(part, 'Function', 'intake', shared, {
    description: 'Applies what the platform says of companies, users, courses and organic progress',
    memoryMb: 1769,
    timeout: TIMEOUT,
  });
  const messages = platform === undefined ? undefined : queueOf(part, intake, platform, operator);
  const outputs: Outputs = {
    IntakeFunctionName: [intake.functionName, 'Invoke it with facts of the platform'],
    ...(messages && {
      IntakeQueueUrl: [messages.queue.queueUrl, 'Send facts of the platform here'],
      IntakeDeadLetterQueueUrl: [messages.deadLetters.queueUrl, 'Messages with facts that were rejected'],
    }),
  };
  return { intake, messages, outputs };
}

/** The queue refuses everyone else, whatever their own policies allow; a function's policy can only allow. */
function queueOf(scope: Construct, intake: BundledFunction, platform: string, operator: string | undefined) {
  const principal = new ArnPrincipal(platform);
  const own = intake.role?.roleArn;
  const messages = messageQueue(scope, Duration.seconds(INTAKE_QUEUE.visibilitySeconds), INTAKE_QUEUE.receives);
  const { queue, deadLetters } = messages;
  watch(queue, 'MessagesWait');
  const source = new SqsEventSource(queue, {
    batchSize: 1,
    reportBatchItemFailures: true,
    maxConcurrency: INTAKE_CONCURRENCY,
  });
  intake.addEventSource(source);
  intake.addEnvironment(ENV.intakeQueueUrl, queue.queueUrl);
  intake.addEnvironment(ENV.intakeDeadLettersUrl, deadLetters.queueUrl);
  const resourceArns = [queue.queueArn, deadLetters.queueArn];
  Grant.addToPrincipal({ grantee: intake, actions: ['sqs:SendMessage'], resourceArns });
  intake.addPermission('Platform', { principal });
  queue.grantSendMessages(principal);
  queue.addToResourcePolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      // To redrive is to send, by the principal that asks for it.
      conditions: {
        ArnNotEquals: { 'aws:PrincipalArn': [platform, ...(operator === undefined ? [] : [operator]), own] },
      },
    }),
  );
  return messages;
}
