/** What `npm run verify` checks without a login, on a schedule; a wrong login once a day: its metric has a price. */
import * as ENV from '../../../functions/runtime/variables.ts';
import { powertoolsTelemetry, type Telemetry } from '../../../functions/runtime/telemetry.ts';
import { outcomeOf, publicChecks } from './checks.ts';
import { type Deployment, deploymentAt } from './deployment.ts';

/** @throws Error if a check fails, which it logs: Lambda then counts the run as failed */
export async function runCanary(
  deployment: Deployment,
  telemetry: Pick<Telemetry, 'error'>,
  guesses = true,
): Promise<void> {
  const failed: string[] = [];
  for (const check of publicChecks(deployment, { guesses })) {
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

export const handler = (): Promise<void> =>
  runCanary(deploymentAt(ENV.variable(process.env, ENV.baseUrl)), powertoolsTelemetry(), isFirstOfDay(Date.now()));
