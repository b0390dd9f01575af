import { Duration } from 'aws-cdk-lib/core';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import * as ENV from '../../functions/runtime/variables.ts';
import { CANARY } from '../function-sources.ts';
import { BundledFunction } from '../functions/bundled-function.ts';
import type { Shared } from '../functions/permissions.ts';
import { watch } from './tags.ts';

export interface CanaryProps {
  /** Folder with one folder per built function. */
  readonly bundles: string;
  readonly shared: Shared;
  /** Where callers reach the API. */
  readonly baseUrl: string;
}

/** Calls the API every five minutes at its public address, without credentials. Its role may write its log, and nothing else. */
export class Canary extends Construct {
  readonly caller: BundledFunction;

  constructor(scope: Construct, id: string, { bundles, shared, baseUrl }: CanaryProps) {
    super(scope, id);
    this.caller = new BundledFunction(this, 'Caller', {
      bundle: `${bundles}/${CANARY}`,
      description: 'Checks what anyone can see of the API',
      memoryMb: 256,
      timeout: Duration.minutes(1),
      role: shared.roles.of(CANARY),
    });
    this.caller.addEnvironment(ENV.baseUrl, baseUrl);
    watch(this.caller, 'CanaryFails');
    // The next run is five minutes later anyway.
    this.caller.configureAsyncInvoke({ retryAttempts: 0 });
    new Rule(this, 'EveryFiveMinutes', {
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new LambdaFunction(this.caller, { retryAttempts: 0 })],
    });
  }
}
