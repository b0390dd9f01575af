/** Deployments of a wave against a control plane that throttles. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { deployStacks } from '../../../bin/operate/waves/deploy.ts';
import { cloud } from './support/cloud.ts';

const THROTTLED = 'Resource handler returned message: "Too Many Requests (Service: ApiGateway, Status Code: 429)"';

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
