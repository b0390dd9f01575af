/** A control plane of stacks: what a deployment calls, and what it leaves. */
import type { Commands } from '../../../../bin/operate/waves/deploy.ts';
import type { DeployedStack } from '../../../../bin/operate/waves/deployed.ts';

/** CloudFormation with these stacks; `fails` is asked for each deployment, and returns what it prints. */
export function cloud(
  statuses: Record<string, string>,
  fails: (stacks: readonly string[], concurrency: number, nth: number) => string | undefined,
) {
  const calls: string[] = [];
  const commands: Commands = {
    async cdkDeploy(stacks, concurrency) {
      calls.push(`${stacks.join('+')} by ${concurrency}`);
      const printed = fails(stacks, concurrency, calls.length);
      if (printed === undefined) for (const stack of stacks) statuses[stack] = 'UPDATE_COMPLETE';
      return { succeeded: printed === undefined, printed: printed ?? '' };
    },
    stacks: async () => new Map(Object.entries(statuses).map(([name, status]) => [name, { status } as DeployedStack])),
    async continueRollback(stack) {
      calls.push(`continue ${stack}`);
      statuses[stack] = 'UPDATE_ROLLBACK_COMPLETE';
    },
    leftBy: async (stack) => [`${stack}-table`],
    pause: async (ms) => void calls.push(`wait ${ms / 1000}`),
    say: (line) => void calls.push(line.split('\n').at(-1) ?? ''),
  };
  return { calls, commands };
}
