import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import * as ENV from '../../functions/runtime/variables.ts';
import type { BundledFunction } from '../functions/bundled-function.ts';
import { functionOf, type Shared } from '../functions/permissions.ts';
import { watch } from './tags.ts';

/** Calls the API every five minutes at its public address, as anyone may: by default in production. */
export function canary(scope: Construct, shared: Shared, baseUrl: string): BundledFunction | undefined {
  const { canary: isWanted, stage } = shared.settings;
  if (!(isWanted ?? stage === 'production')) return undefined;
  const part = new Construct(scope, 'Canary');
  const caller = functionOf(part, 'Caller', 'canary', shared, {
    description: 'Checks what anyone can see of the API',
    memoryMb: 256,
    timeout: Duration.minutes(1),
  });
  caller.addEnvironment(ENV.baseUrl, baseUrl);
  watch(caller, 'CanaryFails');
  caller.runEvery(part, 'EveryFiveMinutes', Duration.minutes(5));
  return caller;
}
