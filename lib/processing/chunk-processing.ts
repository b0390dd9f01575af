import { Duration } from 'aws-cdk-lib/core';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { LONGEST_TIMEOUT_SECONDS, MAX_RECEIVES, PROCESSOR_TIMEOUT_SECONDS } from '../../functions/shared/limits.ts';
import { watch } from '../observability/tags.ts';
import { functionOf, type Shared } from '../functions/permissions.ts';
import type { Settings } from '../settings.ts';

const PROCESSOR_TIMEOUT = Duration.seconds(PROCESSOR_TIMEOUT_SECONDS);
/** Six times the processor's timeout, as AWS recommends for an event source. */
const VISIBILITY_TIMEOUT = Duration.seconds(120);

/** A queue, and the dead letters to which a message goes after so many failures, for an operator. */
export function messageQueue(scope: Construct, visibilityTimeout: Duration, maxReceiveCount: number) {
  const options = { retentionPeriod: Duration.days(14), encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
  const deadLetters = new Queue(scope, 'DeadLetters', options);
  watch(deadLetters, 'MessagesWait');
  const deadLetterQueue = { queue: deadLetters, maxReceiveCount };
  return { queue: new Queue(scope, 'Queue', { ...options, visibilityTimeout, deadLetterQueue }), deadLetters };
}

/** One small message per chunk. */
export const chunkQueue = (scope: Construct) =>
  messageQueue(new Construct(scope, 'Chunks'), VISIBILITY_TIMEOUT, MAX_RECEIVES);

/** Everything after the response: the processor reads chunks from the queue, the watchdog finds imports that stopped moving. */
export function processChunks(scope: Construct, shared: Shared) {
  const part = new Construct(scope, 'Processing');
  const processor = functionOf(part, 'ProcessChunk', 'process-chunk', shared, {
    description: 'Decides and applies one chunk of an import',
    memoryMb: 1024,
    timeout: PROCESSOR_TIMEOUT,
  });
  const source = new SqsEventSource(shared.queue, {
    batchSize: 4,
    reportBatchItemFailures: true,
    // Bounded here, not by reserved concurrency: throttled deliveries would count as failures.
    maxConcurrency: processorsOf(shared.settings),
  });
  processor.addEventSource(source);
  const watchdog = functionOf(part, 'Watchdog', 'watchdog', shared, {
    description: 'Sends missing chunks again and ends imports that cannot',
    memoryMb: 512,
    timeout: Duration.seconds(LONGEST_TIMEOUT_SECONDS),
  });
  watch(watchdog, 'WatchdogFails');
  return { processor, source, watchdog, everyMinute: watchdog.runEvery(part, 'EveryMinute', Duration.minutes(1)) };
}

/** AWS's own quota of an account and region; a new account may have 10. */
export const DEFAULT_CONCURRENCY = 1000;
/** Leaves the other half of a new account's ten concurrent executions to the API and the watchdog. */
const DEFAULT_PROCESSORS = 5;
/** Writes a second that one processor makes: 2,600 records of 2.13 writes. */
const WRITES_OF_A_PROCESSOR = 5_500;
/** Of the intake, which has a queue if a platform may send to it. */
export const INTAKE_CONCURRENCY = 2;

type Sized = Pick<Settings, 'processors' | 'warm' | 'platform'>;

/** How many batches of chunks are processed at once: as the settings say, or as many as `warm` needs. */
const processorsOf = ({ processors, warm = 0 }: Sized): number =>
  processors ?? Math.max(DEFAULT_PROCESSORS, Math.ceil(warm / WRITES_OF_A_PROCESSOR));

/** Concurrent executions that a stack keeps for its processor and intake. */
export const concurrencyOf = (settings: Sized): number =>
  processorsOf(settings) + (settings.platform === undefined ? 0 : INTAKE_CONCURRENCY);
