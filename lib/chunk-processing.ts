import { Duration } from 'aws-cdk-lib/core';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { BundledFunction } from './bundled-function.ts';
import { PROCESSOR_TIMEOUT } from './chunk-queue.ts';
import { PROCESS_CHUNK, WATCHDOG } from './function-sources.ts';
import { type Shared, permit } from './permissions.ts';

/** What happens after the answer: chunks are processed from the queue, and a schedule looks after imports that stopped moving. */
export class ChunkProcessing extends Construct {
  readonly processor: BundledFunction;
  readonly watchdog: BundledFunction;

  constructor(scope: Construct, id: string, { bundles, shared }: { bundles: string; shared: Shared }) {
    super(scope, id);
    const processor = new BundledFunction(this, 'ProcessChunk', {
      bundle: `${bundles}/${PROCESS_CHUNK}`,
      description: 'Decides and applies one chunk of an import',
      memoryMb: 1024,
      timeout: PROCESSOR_TIMEOUT,
    });
    permit(processor, PROCESS_CHUNK, shared);
    processor.addEventSource(
      // Bounded here rather than by reserved concurrency, which would turn waiting messages into failed ones.
      new SqsEventSource(shared.queue, { batchSize: 4, reportBatchItemFailures: true, maxConcurrency: 10 }),
    );

    const watchdog = new BundledFunction(this, 'Watchdog', {
      bundle: `${bundles}/${WATCHDOG}`,
      description: 'Sends missing chunks again and ends imports that cannot',
      memoryMb: 512,
      timeout: Duration.seconds(60),
    });
    permit(watchdog, WATCHDOG, shared);
    this.processor = processor;
    this.watchdog = watchdog;
    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      // The next minute looks again anyway.
      targets: [new LambdaFunction(watchdog, { retryAttempts: 0 })],
    });
  }
}
