import { Duration } from 'aws-cdk-lib/core';
import { ArnPrincipal, AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { LONGEST_TIMEOUT_SECONDS } from '../../functions/shared/limits.ts';
import { INTAKE } from '../function-sources.ts';
import { BundledFunction } from '../functions/bundled-function.ts';
import { type Shared, permit } from '../functions/permissions.ts';

/** A hundred facts with a clear password each, which is the slowest message. */
const TIMEOUT = Duration.seconds(LONGEST_TIMEOUT_SECONDS);
/** A rejected message is tried again after it: what its facts lack may have arrived by then. */
const VISIBILITY_TIMEOUT = Duration.seconds(180);
/** Never 1: a delivery that Lambda throttles counts as well. */
const RECEIVES = 3;

export interface IntakeProps {
  readonly bundles: string;
  readonly shared: Shared;
  /** ARN of the role or user that may send; without it, nobody outside is granted anything. */
  readonly platform: string | undefined;
}

/** How the platform tells the stack of companies, users, courses and organic progress: a function without a URL, and its queue. */
export class Intake extends Construct {
  readonly intake: BundledFunction;
  readonly queue: Queue;
  /** Messages with rejected facts, whose other facts were applied. */
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { bundles, shared, platform }: IntakeProps) {
    super(scope, id);
    const options = { retentionPeriod: Duration.days(14), encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new Queue(this, 'DeadLetters', options);
    this.queue = new Queue(this, 'Queue', {
      ...options,
      visibilityTimeout: VISIBILITY_TIMEOUT,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: RECEIVES },
    });
    this.intake = new BundledFunction(this, 'Function', {
      bundle: `${bundles}/${INTAKE}`,
      description: 'Applies what the platform says of companies, users, courses and organic progress',
      memoryMb: 1769,
      timeout: TIMEOUT,
    });
    permit(this.intake, INTAKE, shared);
    this.intake.addEventSource(
      new SqsEventSource(this.queue, { batchSize: 1, reportBatchItemFailures: true, maxConcurrency: 2 }),
    );
    if (platform !== undefined) this.#allow(platform);
  }

  /** The queue refuses everyone else, whatever their own policies allow; a function's policy can only allow. */
  #allow(platform: string): void {
    const principal = new ArnPrincipal(platform);
    this.intake.addPermission('Platform', { principal });
    this.queue.grantSendMessages(principal);
    this.queue.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['sqs:SendMessage'],
        resources: [this.queue.queueArn],
        conditions: { ArnNotEquals: { 'aws:PrincipalArn': platform } },
      }),
    );
  }
}
