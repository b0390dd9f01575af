/** The order of the stacks. Costs milliseconds; test/deploy/rehearsal deploys for real. */
import { describe, expect, it } from 'vitest';
import { accountsOf, planWaves, targetOf, targetsIn } from '../../../bin/operate/waves/plan.ts';

const of = (company: string, stage: 'production' | 'sandbox') => targetOf({ company, stage });
const both = (...companies: string[]) =>
  companies.flatMap((company) => [of(company, 'production'), of(company, 'sandbox')]);
const shown = (waves: ReturnType<typeof planWaves>) =>
  waves.map(({ name, targets }) => `${name}: ${targets.map(({ company }) => company).join(' ')}`);

describe('planWaves', () => {
  it('the waves start with the sandboxes of the canaries and their production, then take companies by the size of a wave', () => {
    expect(shown(planWaves(both('a', 'b', 'c', 'd', 'e'), ['d', 'b'], 2))).toEqual([
      'canaries, sandbox: b d',
      'canaries, production: b d',
      'wave 1 of 2, sandbox: a c',
      'wave 1 of 2, production: a c',
      'wave 2 of 2, sandbox: e',
      'wave 2 of 2, production: e',
    ]);
  });

  it('the waves start with the first company if no canary is named, and leave out stages that it does not have', () => {
    expect(shown(planWaves([of('b', 'production'), of('a', 'sandbox')], [], 10))).toEqual([
      'canaries, sandbox: a',
      'wave 1 of 1, production: b',
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
