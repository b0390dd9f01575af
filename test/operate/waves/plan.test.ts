/** The order of the stacks. Costs milliseconds; test/deploy/rehearsal deploys for real. */
import { describe, expect, it } from 'vitest';
import { accountsOf, overbooked, planWaves, targetOf, targetsIn } from '../../../bin/operate/waves/plan.ts';

const of = (company: string, stage: 'production' | 'sandbox') => targetOf({ company, stage });
const both = (...companies: string[]) =>
  companies.flatMap((company) => [of(company, 'production'), of(company, 'sandbox')]);
const shown = (waves: ReturnType<typeof planWaves>) =>
  waves.map(({ name, targets }) => `${name}: ${targets.map(({ company, stage }) => `${company} ${stage}`).join(', ')}`);

describe('planWaves', () => {
  it('the waves start with the canaries and take more companies each time, the sandboxes first', () => {
    const planned = planWaves(both('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), ['d', 'b'], 1);
    expect(shown(planned.slice(0, 2))).toEqual([
      'canaries: b sandbox, d sandbox, b production, d production',
      'wave 1 of 3: a sandbox, a production',
    ]);
    expect(planned.map(({ targets }) => targets.length / 2)).toEqual([2, 1, 4, 1]);
  });

  it('the waves start with the first company if no canary is named, and leave out stages that it does not have', () => {
    expect(shown(planWaves([of('b', 'production'), of('a', 'sandbox')], [], 10))).toEqual([
      'canaries: a sandbox',
      'wave 1 of 1: b production',
    ]);
  });

  it('every stack is in one wave', () => {
    const targets = both(...Array.from({ length: 23 }, (_, at) => `c${at}`));
    const planned = planWaves(targets, ['c7'], 5).flatMap((wave) => wave.targets);
    expect(planned.map(({ stack }) => stack).toSorted()).toEqual(targets.map(({ stack }) => stack).toSorted());
  });

  it('a canary without a deployment is refused', () => {
    expect(() => planWaves(both('a'), ['b'], 1)).toThrow('--canary names b, which has no deployment.');
  });
});

it('targetsIn: a folder of two accounts → the stacks of one, and those that name no account', () => {
  const target = (company: string, account?: string) =>
    targetOf({ company, stage: 'sandbox', ...(account !== undefined && { account, region: 'eu-west-1' }) });
  const targets = [target('a', '111111111111'), target('b', '222222222222'), target('c')];
  expect([...accountsOf(targets)]).toEqual(['111111111111', '222222222222']);
  expect(targetsIn('111111111111', targets).map(({ company }) => company)).toEqual(['a', 'c']);
});

it('overbooked: queues that may use more than 80 % of the quota of their account → the quota to ask for', () => {
  const place = { account: '111111111111', region: 'eu-west-1' };
  const targets = Array.from({ length: 160 }, (_, at) =>
    targetOf({ company: `c${at}`, stage: 'production', ...place, ...(at > 0 && { processors: 5 }) }),
  );
  expect(overbooked(targets, new Map())).toEqual([]);
  const platform = 'arn:aws:iam::111111111111:role/platform';
  const more = [...targets, targetOf({ company: 'more', stage: 'production', ...place, platform })];
  expect(overbooked(more, new Map())).toEqual([expect.stringMatching(/may use 807 .* of 1000: .* raised to 1009 /)]);
  expect(overbooked(more, new Map([['account', { ...place, concurrency: 1010 } as never]]))).toEqual([]);
});
