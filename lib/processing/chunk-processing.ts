import { Duration } from 'aws-cdk-lib/core';
import type { Rule } from 'aws-cdk-lib/aws-events';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { LONGEST_TIMEOUT_SECONDS, MAX_RECEIVES, PROCESSOR_TIMEOUT_SECONDS } from '../../functions/shared/limits.ts';
import type { BundledFunction } from '../functions/bundled-function.ts';
import { watch } from '../observability/tags.ts';
import { functionOf, type Shared } from '../functions/permissions.ts';

const PROCESSOR_TIMEOUT = Duration.seconds(PROCESSOR_TIMEOUT_SECONDS);
/** Six times the processor's timeout, as AWS recommends for an event source. */
const VISIBILITY_TIMEOUT = Duration.seconds(120);

export interface MessageQueue {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

/** A queue, and the dead letters to which a message goes after so many failures, for an operator. */
export function messageQueue(scope: Construct, visibilityTimeout: Duration, maxReceiveCount: number): MessageQueue {
  const options = { retentionPeriod: Duration.days(14), encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
  const deadLetters = new Queue(scope, 'DeadLetters', options);
  watch(deadLetters, 'MessagesWait');
  const deadLetterQueue = { queue: deadLetters, maxReceiveCount };
  return { queue: new Queue(scope, 'Queue', { ...options, visibilityTimeout, deadLetterQueue }), deadLetters };
}

/** One small message per chunk. */
export const chunkQueue = (scope: Construct): MessageQueue =>
  messageQueue(new Construct(scope, 'Chunks'), VISIBILITY_TIMEOUT, MAX_RECEIVES);

/** Everything after the response: the processor reads chunks from the queue, the watchdog finds imports that stopped moving. */
export class ChunkProcessing extends Construct {
  readonly processor: BundledFunction;
  readonly watchdog: BundledFunction;
  readonly everyMinute: Rule;
  readonly source: SqsEventSource;

  /** @param processors how many batches are processed at once */
  constructor(scope: Construct, id: string, shared: Shared, processors: number) {
    super(scope, id);
    this.processor = functionOf(this, 'ProcessChunk', 'process-chunk', shared, {
      description: 'Decides and applies one chunk of an import',
      memoryMb: 1024,
      timeout: PROCESSOR_TIMEOUT,
    });
    this.source = new SqsEventSource(shared.queue, {
      batchSize: 4,
      reportBatchItemFailures: true,
      // Bounded here, not by reserved concurrency: throttled deliveries would count as failures.
      maxConcurrency: processors,
    });
    this.processor.addEventSource(this.source);

    this.watchdog = functionOf(this, 'Watchdog', 'watchdog', shared, {
      description: 'Sends missing chunks again and ends imports that cannot',
      memoryMb: 512,
      timeout: Duration.seconds(LONGEST_TIMEOUT_SECONDS),
    });
    watch(this.watchdog, 'WatchdogFails');
    this.everyMinute = this.watchdog.runEvery(this, 'EveryMinute', Duration.minutes(1));
  }
}
