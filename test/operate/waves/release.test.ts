/** Releases that bake, against a control plane that counts time and rings for a bad build. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { planWaves, type Target, targetOf, type Wave } from '../../../bin/operate/waves/plan.ts';
import { type Cli, CLIS } from '../../../bin/operate/aws-cli.ts';
import { minutesOf, release, type ReleaseCommands } from '../../../bin/operate/waves/release.ts';
import { alarmsOf, type Ringing } from '../../../bin/operate/waves/signals.ts';
import { cloud } from './support/cloud.ts';

const target = (stack: string, stage: 'production' | 'sandbox' = 'production'): Target => ({
  ...targetOf({ company: stack, stage }),
  stack,
});
const waveOf = (...stacks: string[]): Wave => ({ name: 'wave', targets: stacks.map((stack) => target(stack)) });
const RINGS = { stack: 'b', alarm: 'ServerErrors' };

interface Fault {
  /** What rings, at each look: before the deployment, then each minute. */
  readonly ringing?: readonly (readonly Ringing[])[];
  /** What `verify` finds, each time. */
  readonly wrong?: readonly (readonly string[])[];
  /** Whether the former templates cannot be deployed again. */
  readonly stuck?: boolean;
  /** Stacks of the wave that were deployed before. */
  readonly former?: readonly string[];
}

/** Two stacks that run a former version, and a new one. */
function control({ ringing = [], wrong = [], stuck = false, former = ['a', 'b', 's'] }: Fault) {
  const { calls, commands } = cloud({ a: 'UPDATE_COMPLETE', b: 'UPDATE_COMPLETE', s: '-' }, () => undefined);
  const [looks, checks] = [[...ringing], [...wrong]];
  const checked: string[] = [];
  let now = 0;
  const done = new Set<string>();
  const all: ReleaseCommands = {
    ...commands,
    async wrong(some) {
      checked.push(some.map(({ stack }) => stack).join('+'));
      return checks.shift() ?? [];
    },
    alarms: () => async () => looks.shift() ?? [],
    nowMs: () => now,
    pause(ms) {
      now += ms;
      return commands.pause(ms);
    },
    keepFormer: async (some) => void calls.push(`keep ${some.map(({ stack }) => stack).join('+')}`),
    async goBack(some) {
      const stacks = some.map(({ stack }) => stack).filter((stack) => former.includes(stack));
      calls.push(`former ${stacks.join('+')}`);
      return { stacks, done: !stuck };
    },
    isDone: async ({ name }) => done.has(name),
    markDone: async ({ name }) => void done.add(name),
  };
  const deployed = () => calls.filter((call) => /^(former )?[abnews+]+( by \d)?$/.test(call));
  return { calls, commands: all, deployed, done, checked };
}

const BAKED = { concurrency: 2, bakeMinutes: 15 };

describe('release', () => {
  it('release: no alarm for fifteen minutes → deployed, after as many looks; a second run finds it done', async () => {
    const { calls, commands, deployed } = control({});
    expect(await release(waveOf('a', 'b'), BAKED, commands)).toBeUndefined();
    expect(calls.indexOf('keep a+b')).toBeLessThan(calls.indexOf('a+b by 2'));
    expect(calls.filter((call) => call === 'wait 60')).toHaveLength(15);
    expect(await release(waveOf('a', 'b'), BAKED, commands)).toBeUndefined();
    expect(deployed()).toEqual(['a+b by 2']);
    expect(calls.at(-1)).toBe('wave: done by an earlier run.');
  });

  it('release: a bad build rings an alarm in the third minute → halted, not done, and that stack gets its former template', async () => {
    const { commands, deployed, done } = control({ ringing: [[], [], [], [RINGS]] });
    const why = await release(waveOf('a', 'b'), BAKED, commands);
    expect(why).toBe(
      'b: ServerErrors rang after 3 min; rolled back: b; 1 other deployed stack of the wave: --back returns them',
    );
    expect(deployed()).toEqual(['a+b by 2', 'former b']);
    expect(done.size).toBe(0);
  });

  it('release: an alarm that rang before the deployment → ignored until it has stopped', async () => {
    const lasting = Array.from({ length: 16 }, () => [RINGS]);
    expect(await release(waveOf('a', 'b'), BAKED, control({ ringing: lasting }).commands)).toBeUndefined();
    const { commands } = control({ ringing: [[RINGS], [RINGS], [], [RINGS]] });
    expect(await release(waveOf('a', 'b'), BAKED, commands)).toMatch(/^b: ServerErrors rang after 3 min; rolled back/);
  });

  it('release: verify fails after the sandboxes, or after the bake → what is deployed is rolled back', async () => {
    const { commands, deployed } = control({ wrong: [['s'], ['s']] });
    const wave = { name: 'wave', targets: [target('s', 'sandbox'), target('a')] };
    expect(await release(wave, BAKED, commands)).toBe('verify finds s wrong; rolled back: s');
    expect(deployed()).toEqual(['s by 2', 'former s']);
    const later = control({ wrong: [[], ['a'], ['a']] });
    expect(await release(waveOf('a', 'b'), BAKED, later.commands)).toMatch(
      /^verify finds a wrong after the bake; rolled back: a; 1 other/,
    );
  });

  it('release: verify fails once → it looks again at that stack alone after a minute, and nothing is rolled back', async () => {
    const { calls, commands, checked, deployed } = control({ wrong: [['b'], []] });
    expect(await release(waveOf('a', 'b'), { ...BAKED, bakeMinutes: 1 }, commands)).toBeUndefined();
    expect(checked).toEqual(['a+b', 'b', 'a+b']);
    expect(calls.filter((call) => call === 'wait 60')).toHaveLength(2);
    expect(deployed()).toEqual(['a+b by 2']);
  });

  it('release: looks at the alarms that take long → it bakes no longer than its minutes', async () => {
    const { commands } = control({});
    let looks = 0;
    const alarms = () => async () => {
      looks += 1;
      await commands.pause(4 * 60_000);
      return [];
    };
    expect(await release(waveOf('a'), BAKED, { ...commands, alarms })).toBeUndefined();
    // One before the deployment.
    expect(looks).toBe(1 + 3);
  });

  it('release: a stack that was new in the wave → it stays, and is named', async () => {
    const { commands } = control({ ringing: [[], [RINGS, { ...RINGS, stack: 'new' }]], former: ['b'] });
    expect(await release(waveOf('new', 'b'), BAKED, commands)).toBe(
      'b: ServerErrors, new: ServerErrors rang after 1 min; rolled back: b; new, so there is nothing to roll back to: new',
    );
  });

  it('release: a rollback that fails → named as such', async () => {
    const { commands } = control({ ringing: [[], [RINGS]], stuck: true });
    expect(await release(waveOf('b'), BAKED, commands)).toMatch(/; NOT rolled back: b$/);
  });

  it('release: without a bake → no alarm is read, and nothing is rolled back', async () => {
    const { calls, commands, deployed } = control({ ringing: [[RINGS]], wrong: [['a'], ['a']] });
    expect(await release(waveOf('a'), { concurrency: 2, bakeMinutes: 0 }, commands)).toBe('verify finds a wrong');
    expect([deployed(), calls.some((call) => call.includes('bakes'))]).toEqual([['a by 2'], false]);
  });
});

/** Minutes of the parts of a release; an update is that of thirty functions and an API. A call of the CLI takes three seconds. */
const MINUTES = { update: 4, check: 0.25, cli: 0.05 };

it('200 companies with both stages are released within three hours, with a bake of 15 minutes a wave, while an alarm of the account rings throughout', async () => {
  const companies = Array.from({ length: 200 }, (_, at) => `c${at}`);
  const targets = companies.flatMap((company) =>
    (['sandbox', 'production'] as const).map((stage) => targetOf({ company, stage })),
  );
  let minutes = 0;
  const takes = (count: number, atOnce: number, each: number) => void (minutes += Math.ceil(count / atOnce) * each);
  const calls: Record<string, number> = {};
  const cli: Cli = async (_, [, command = '']) => {
    calls[command] = (calls[command] ?? 0) + 1;
    takes(1, 1, command === 'list-stack-resources' ? MINUTES.cli / CLIS : MINUTES.cli);
    if (command === 'describe-alarms')
      return { MetricAlarms: [{ AlarmName: 'course-progress-migration-account-ThrottledWrites' }] };
    if (command === 'list-stack-resources') return { StackResourceSummaries: [] };
    return { AlarmContributors: [{ ContributorAttributes: { TableName: 'another' } }] };
  };
  const { commands } = cloud(
    Object.fromEntries(targets.map(({ stack }) => [stack, 'UPDATE_COMPLETE'])),
    () => undefined,
  );
  const timed: ReleaseCommands = {
    ...control({}).commands,
    ...commands,
    cdkDeploy(stacks, concurrency) {
      takes(stacks.length, concurrency, MINUTES.update);
      return commands.cdkDeploy(stacks, concurrency);
    },
    nowMs: () => minutes * 60_000,
    pause: async (ms) => takes(1, 1, ms / 60_000),
    wrong: async (some) => (takes(some.length, 25, MINUTES.check), []),
    alarms: (some) =>
      alarmsOf(
        some.map(({ stack }) => stack),
        cli,
      ),
    // The template of each is read, and kept.
    keepFormer: async (some) => takes(2 * some.length, CLIS, MINUTES.cli),
  };
  const waves = planWaves(targets, [], 10);
  for (const wave of waves) expect(await release(wave, { concurrency: 25, bakeMinutes: 15 }, timed)).toBeUndefined();
  expect(waves.map((wave) => wave.targets.length)).toEqual([2, 20, 80, 298]);
  expect(minutes / 60).toBeLessThan(3);
  expect(minutes / 60).toBeGreaterThan(2);
  // Of each stack twice: before its deployment, and for the bake. Of 64 looks, 60 are in bakes at most.
  expect(calls['list-stack-resources']).toBe(2 * targets.length);
  expect(calls['describe-alarms']).toBeLessThanOrEqual(64);
});

it('minutesOf: whole minutes from 1 to 180 → their number, anything else → an error', () => {
  expect(['1m', '15m', '180m'].map(minutesOf)).toEqual([1, 15, 180]);
  for (const text of ['0m', '181m', '15', '15s', '']) expect(() => minutesOf(text)).toThrow('--bake must be');
});
