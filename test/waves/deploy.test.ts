/** Deployments of a wave against a control plane that throttles. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import type { DeployedStack } from '../../bin/waves/deployed.ts';
import { type Commands, deployStacks } from '../../bin/waves/deploy.ts';

const THROTTLED = 'Resource handler returned message: "Too Many Requests (Service: ApiGateway, Status Code: 429)"';

/** CloudFormation with these stacks; `fails` is asked for each deployment, and returns what it prints. */
function cloud(
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

describe('deployStacks', () => {
  it('deployStacks: new and deployed stacks → new ones one after another, the others together', async () => {
    const { calls, commands } = cloud(
      { a: 'UPDATE_COMPLETE', b: 'CREATE_COMPLETE', d: 'ROLLBACK_COMPLETE' },
      () => undefined,
    );
    expect(await deployStacks(['a', 'b', 'c', 'd'], 4, commands)).toBe(true);
    expect(calls).toEqual(['c by 1', 'd by 1', 'a+b by 4']);
  });

  it('deployStacks: a throttle while several are updated → the same again, one at a time', async () => {
    const { calls, commands } = cloud({ a: 'UPDATE_COMPLETE', b: 'UPDATE_COMPLETE' }, (_, concurrency) =>
      concurrency > 1 ? THROTTLED : undefined,
    );
    expect(await deployStacks(['a', 'b'], 4, commands)).toBe(true);
    expect(calls).toEqual(['a+b by 4', expect.stringContaining('throttled'), 'wait 60', 'a+b by 1']);
  });

  it('deployStacks: a rollback that was throttled too → it is continued before the next attempt', async () => {
    const statuses: Record<string, string> = { a: 'UPDATE_COMPLETE' };
    const { calls, commands } = cloud(statuses, (_, __, nth) => {
      if (nth > 1) return undefined;
      statuses['a'] = 'UPDATE_ROLLBACK_FAILED';
      return THROTTLED;
    });
    expect(await deployStacks(['a'], 1, commands)).toBe(true);
    expect(calls).toEqual(['a by 1', expect.stringContaining('throttled'), 'wait 60', 'continue a', 'a by 1']);
  });

  it('deployStacks: a throttle that does not end → false after four attempts', async () => {
    const { calls, commands } = cloud({ a: 'UPDATE_COMPLETE' }, () => 'Rate exceeded');
    expect(await deployStacks(['a'], 1, commands)).toBe(false);
    expect(calls.filter((call) => call === 'a by 1')).toHaveLength(4);
  });

  it('deployStacks: another failure of a first creation → false at once, with what the creation left', async () => {
    const { calls, commands } = cloud({}, () => 'Resource limit');
    expect(await deployStacks(['a', 'b'], 4, commands)).toBe(false);
    expect(calls).toEqual(['a by 1', 'a-table']);
  });
});
