import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import * as ENV from '../../functions/runtime/variables.ts';
import type { BundledFunction } from '../functions/bundled-function.ts';
import { functionOf, type Shared } from '../functions/permissions.ts';
import { watch } from './tags.ts';

export interface CanaryProps {
  readonly shared: Shared;
  /** Where callers reach the API. */
  readonly baseUrl: string;
}

/** Calls the API every five minutes at its public address, without credentials. Its role may write its log, and nothing else. */
export class Canary extends Construct {
  readonly caller: BundledFunction;

  constructor(scope: Construct, id: string, { shared, baseUrl }: CanaryProps) {
    super(scope, id);
    this.caller = functionOf(this, 'Caller', 'canary', shared, {
      description: 'Checks what anyone can see of the API',
      memoryMb: 256,
      timeout: Duration.minutes(1),
    });
    this.caller.addEnvironment(ENV.baseUrl, baseUrl);
    watch(this.caller, 'CanaryFails');
    this.caller.runEvery(this, 'EveryFiveMinutes', Duration.minutes(5));
  }
}
