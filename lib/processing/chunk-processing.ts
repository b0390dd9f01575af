import { Duration } from 'aws-cdk-lib/core';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { LONGEST_TIMEOUT_SECONDS, MAX_RECEIVES, PROCESSOR_TIMEOUT_SECONDS } from '../../functions/shared/limits.ts';
import { PROCESS_CHUNK, WATCHDOG } from '../function-sources.ts';
import { BundledFunction } from '../functions/bundled-function.ts';
import { watch } from '../observability/tags.ts';
import { type Shared, inform } from '../functions/permissions.ts';

const PROCESSOR_TIMEOUT = Duration.seconds(PROCESSOR_TIMEOUT_SECONDS);
/** Six times the processor's timeout, as AWS recommends for an event source. */
const VISIBILITY_TIMEOUT = Duration.seconds(120);

/** One small message per chunk. A message that fails five times goes to the dead-letter queue, for an operator. */
export class ChunkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const options = { retentionPeriod: Duration.days(14), encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new Queue(this, 'DeadLetters', options);
    watch(this.deadLetters, 'MessagesWait');
    this.queue = new Queue(this, 'Queue', {
      ...options,
      visibilityTimeout: VISIBILITY_TIMEOUT,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES },
    });
  }
}

export interface ChunkProcessingProps {
  /** Folder with one folder per built function. */
  readonly bundles: string;
  readonly shared: Shared;
  /** How many batches are processed at once. */
  readonly processors: number;
}

/** Everything after the response: the processor reads chunks from the queue, the watchdog finds imports that stopped moving. */
export class ChunkProcessing extends Construct {
  readonly processor: BundledFunction;
  readonly watchdog: BundledFunction;
  /** The rule that starts the watchdog. */
  readonly everyMinute: Rule;
  /** The event source of the processor. */
  readonly source: SqsEventSource;

  constructor(scope: Construct, id: string, { bundles, shared, processors }: ChunkProcessingProps) {
    super(scope, id);
    const processor = new BundledFunction(this, 'ProcessChunk', {
      bundle: `${bundles}/${PROCESS_CHUNK}`,
      description: 'Decides and applies one chunk of an import',
      memoryMb: 1024,
      timeout: PROCESSOR_TIMEOUT,
      role: shared.roles.of(PROCESS_CHUNK),
    });
    inform(processor, PROCESS_CHUNK, shared);
    this.source = new SqsEventSource(shared.queue, {
      batchSize: 4,
      reportBatchItemFailures: true,
      // Bounded here, not by reserved concurrency: throttled deliveries would count as failures.
      maxConcurrency: processors,
    });
    processor.addEventSource(this.source);

    const watchdog = new BundledFunction(this, 'Watchdog', {
      bundle: `${bundles}/${WATCHDOG}`,
      description: 'Sends missing chunks again and ends imports that cannot',
      memoryMb: 512,
      timeout: Duration.seconds(LONGEST_TIMEOUT_SECONDS),
      role: shared.roles.of(WATCHDOG),
    });
    inform(watchdog, WATCHDOG, shared);
    watch(watchdog, 'WatchdogFails');
    // Lambda would repeat a failed run twice, beside the runs of the next minutes. The rule's retries are set separately.
    watchdog.configureAsyncInvoke({ retryAttempts: 0 });
    this.processor = processor;
    this.watchdog = watchdog;
    this.everyMinute = new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      // The next run is a minute later anyway.
      targets: [new LambdaFunction(watchdog, { retryAttempts: 0 })],
    });
  }
}
