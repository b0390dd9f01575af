/** What `verify` finds of the stacks of a wave: without a login, and below every limit of an address. */
import { inParallel } from '../../../functions/runtime/batching.ts';
import { deploymentAt, type Sending } from '../verify/deployment.ts';
import { verify } from '../verify/main.ts';
import type { DeployedStack } from './deployed.ts';
import type { Target } from './plan.ts';

/** Of the requests of all stacks together: 1,200 a minute, less than half of those that any web ACL allowed an address. */
export const CHECKS_EVERY_MS = 50;

/** Takes turns: each caller waits until the time after the one before has passed. */
export function turnsOf(everyMs: number, nowMs: () => number, pause: (ms: number) => Promise<unknown>) {
  let nextMs = 0;
  return async (): Promise<void> => {
    const waitMs = Math.max(0, nextMs - nowMs());
    nextMs = nowMs() + waitMs + everyMs;
    if (waitMs > 0) await pause(waitMs);
  };
}

interface ChecksOptions {
  readonly version: string;
  readonly concurrency: number;
  readonly sending: Sending;
  readonly say: (line: string) => void;
}

/** The stacks of the targets that do not run this version, or that fail a check. */
export async function wrongStacks(
  targets: readonly Target[],
  stacks: ReadonlyMap<string, DeployedStack>,
  { version, concurrency, sending, say }: ChecksOptions,
): Promise<string[]> {
  const wrong = await inParallel(targets, concurrency, async (target) => {
    const output = (name: string) => stacks.get(target.stack)?.outputs.get(name) ?? '';
    const webAcl = target.hasWebAcl ? output('ApiStageArn') : undefined;
    const deployment = deploymentAt(output('BaseUrl'), sending);
    const { failed, lines } = await verify(deployment, { version, webAcl, logins: false });
    if (failed === 0) return [];
    say(lines.filter((line) => line.startsWith('FAILED')).join('\n'));
    return [target.stack];
  });
  return wrong.flat();
}
