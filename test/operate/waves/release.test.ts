/** Releases that bake, against a control plane on which a bad build rings an alarm. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { minutesOf, release, type ReleaseCommands } from '../../../bin/operate/waves/release.ts';
import { cloud } from './support/cloud.ts';

const RINGS = 'b: ServerErrors';

interface Fault {
  /** What rings, at each look: before the deployment, then each minute. */
  readonly ringing?: readonly (readonly string[])[];
  /** What `verify` finds, each time. */
  readonly wrong?: readonly (readonly string[])[];
  /** Stacks of which the former template cannot be deployed again. */
  readonly stuck?: boolean;
  /** Stacks of the wave that were deployed before. */
  readonly former?: readonly string[];
}

/** Two stacks that run a former version, and a new one. */
function control({ ringing = [], wrong = [], stuck = false, former = ['a', 'b'] }: Fault) {
  const { calls, commands } = cloud({ a: 'UPDATE_COMPLETE', b: 'UPDATE_COMPLETE' }, () => undefined);
  const [looks, checks] = [[...ringing], [...wrong]];
  const all: ReleaseCommands = {
    ...commands,
    wrong: async () => checks.shift() ?? [],
    ringing: async () => looks.shift() ?? [],
    keepFormer: async () => ({
      stacks: former,
      async cdkDeploy(each) {
        calls.push(`former ${each.join('+')}`);
        return { succeeded: !stuck, printed: '' };
      },
    }),
  };
  const deployed = () => calls.filter((call) => /^(former )?[abnew+]+( by \d)?$/.test(call));
  return { calls, commands: all, deployed };
}

const BAKED = { concurrency: 2, bakeMinutes: 15 };

describe('release', () => {
  it('release: no alarm for fifteen minutes → deployed, after as many looks', async () => {
    const { calls, commands, deployed } = control({});
    expect(await release(['a', 'b'], BAKED, commands)).toBeUndefined();
    expect(deployed()).toEqual(['a+b by 2']);
    expect(calls.filter((call) => call === 'wait 60')).toHaveLength(15);
  });

  it('release: a bad build rings an alarm in the third minute → halted, and all stacks of the wave get the former templates', async () => {
    const { commands, deployed } = control({ ringing: [[], [], [], [RINGS]] });
    expect(await release(['a', 'b'], BAKED, commands)).toBe('b: ServerErrors rang after 3 min; rolled back: a, b');
    expect(deployed()).toEqual(['a+b by 2', 'former a+b']);
  });

  it('release: an alarm that rang before the deployment → ignored until it has stopped', async () => {
    const lasting = Array.from({ length: 16 }, () => [RINGS]);
    expect(await release(['a', 'b'], BAKED, control({ ringing: lasting }).commands)).toBeUndefined();
    const { commands } = control({ ringing: [[RINGS], [RINGS], [], [RINGS]] });
    expect(await release(['a', 'b'], BAKED, commands)).toMatch(/^b: ServerErrors rang after 3 min; rolled back/);
  });

  it('release: verify fails after the deployment, or after the bake → rolled back', async () => {
    const atOnce = control({ wrong: [['a']] });
    expect(await release(['a', 'b'], BAKED, atOnce.commands)).toBe('verify finds a wrong; rolled back: a, b');
    const later = control({ wrong: [[], ['a']] });
    expect(await release(['a', 'b'], BAKED, later.commands)).toMatch(/^verify finds a wrong after the bake; rolled/);
  });

  it('release: a stack that was new in the wave → it stays, and is named', async () => {
    const { commands } = control({ ringing: [[], [RINGS]], former: ['b'] });
    expect(await release(['new', 'b'], BAKED, commands)).toBe(
      'b: ServerErrors rang after 1 min; rolled back: b; new, so there is nothing to roll back to: new',
    );
  });

  it('release: a rollback that fails → named as such', async () => {
    const { commands } = control({ ringing: [[], [RINGS]], stuck: true, former: ['a'] });
    expect(await release(['a'], BAKED, commands)).toMatch(/; NOT rolled back: a$/);
  });

  it('release: without a bake → no alarm is read, and nothing is rolled back', async () => {
    const { calls, commands, deployed } = control({ ringing: [[RINGS]], wrong: [['a']] });
    expect(await release(['a'], { concurrency: 2, bakeMinutes: 0 }, commands)).toBe('verify finds a wrong');
    expect([deployed(), calls.includes('wait 60')]).toEqual([['a by 2'], false]);
  });
});

it('minutesOf: whole minutes from 1 to 180 → their number, anything else → an error', () => {
  expect(['1m', '15m', '180m'].map(minutesOf)).toEqual([1, 15, 180]);
  for (const text of ['0m', '181m', '15', '15s', '']) expect(() => minutesOf(text)).toThrow('--bake must be');
});
