/** What `npm run verify` checks of anyone’s requests, on a schedule; logins once a day: their metric has a price. */
import * as ENV from '../../../functions/runtime/variables.ts';
import { powertoolsTelemetry, type Telemetry } from '../../../functions/runtime/telemetry.ts';
import { outcomeOf, publicChecks } from './checks.ts';
import { type Deployment, deploymentAt } from './deployment.ts';

/** @throws Error if a check fails, which it logs: Lambda then counts the run as failed */
export async function runCanary(
  deployment: Deployment,
  telemetry: Pick<Telemetry, 'error'>,
  logins = true,
): Promise<void> {
  const failed: string[] = [];
  for (const check of publicChecks(deployment, { logins })) {
    const outcome = await outcomeOf(check);
    if (outcome.failed) failed.push(outcome.line);
  }
  if (failed.length === 0) return;
  const error = new Error(failed.join(' '));
  telemetry.error('The canary found faults.', error);
  throw error;
}

const RUN_MS = 5 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
export const isFirstOfDay = (nowMs: number): boolean => nowMs % DAY_MS < RUN_MS;

/** Of the minute that the function has. */
const PATIENCE_MS = 5_000;

export function handler(): Promise<void> {
  const deployment = deploymentAt(ENV.variable(process.env, ENV.baseUrl), { patienceMs: PATIENCE_MS });
  return runCanary(deployment, powertoolsTelemetry(), isFirstOfDay(Date.now()));
}
