/** Releases a version to the stacks of one wave: deploys them, checks them, and watches their alarms while the release bakes. */
import { type Commands, deployStacks } from './deploy.ts';

/** The commands that a wave uses beside those of its deployment. */
export interface ReleaseCommands extends Commands {
  /** What `verify` finds wrong: names of stacks. */
  readonly wrong: () => Promise<readonly string[]>;
  /** The alarms that are in the state ALARM because of the wave's stacks, each with its stack. */
  readonly ringing: () => Promise<readonly string[]>;
  /** Keeps the templates that are deployed, and returns the wave's stacks that have one, with the command that deploys those again. */
  readonly keepFormer: () => Promise<Former>;
}

export interface Former {
  readonly stacks: readonly string[];
  readonly cdkDeploy: Commands['cdkDeploy'];
}

export interface ReleaseOptions {
  /** Stacks that are updated at once. */
  readonly concurrency: number;
  /** For how many minutes the release bakes; 0: it does not, and nothing is taken back. */
  readonly bakeMinutes: number;
}

const MINUTE_MS = 60_000;

/**
 * An alarm that rang before the deployment is not of this release, until it has stopped.
 *
 * @returns why the release halts, if it does
 */
export async function release(
  stacks: readonly string[],
  { concurrency, bakeMinutes }: ReleaseOptions,
  commands: ReleaseCommands,
): Promise<string | undefined> {
  const bakes = bakeMinutes > 0;
  const before = bakes ? await commands.ringing() : [];
  if (before.length > 0) commands.say(`These alarms rang before the deployment: ${before.join(', ')}.`);
  const former = bakes ? await commands.keepFormer() : undefined;
  if (!(await deployStacks(stacks, concurrency, commands))) return 'a stack is not deployed';
  const why = await faultOf({ bakeMinutes, before }, commands);
  if (why === undefined || former === undefined) return why;
  commands.say(`${why}: the wave is rolled back.`);
  return `${why}; ${await rollBack(stacks, former, concurrency, commands)}`;
}

async function faultOf(
  { bakeMinutes, before }: { readonly bakeMinutes: number; readonly before: readonly string[] },
  commands: ReleaseCommands,
): Promise<string | undefined> {
  const wrong = await commands.wrong();
  if (wrong.length > 0) return `verify finds ${wrong.join(', ')} wrong`;
  if (bakeMinutes === 0) return undefined;
  commands.say(`The release bakes for ${bakeMinutes} min.`);
  let ignored = before;
  for (let minute = 1; minute <= bakeMinutes; minute += 1) {
    await commands.pause(MINUTE_MS);
    const ringing = await commands.ringing();
    const fresh = ringing.filter((alarm) => !ignored.includes(alarm));
    if (fresh.length > 0) return `${fresh.join(', ')} rang after ${minute} min`;
    ignored = ignored.filter((alarm) => ringing.includes(alarm));
  }
  const wrongByNow = await commands.wrong();
  return wrongByNow.length > 0 ? `verify finds ${wrongByNow.join(', ')} wrong after the bake` : undefined;
}

/** @returns what was rolled back, and what was not */
async function rollBack(
  stacks: readonly string[],
  former: Former,
  concurrency: number,
  commands: ReleaseCommands,
): Promise<string> {
  const done = await deployStacks(former.stacks, concurrency, { ...commands, cdkDeploy: former.cdkDeploy });
  const created = stacks.filter((stack) => !former.stacks.includes(stack));
  return [
    ...(former.stacks.length === 0
      ? []
      : [done ? `rolled back: ${former.stacks.join(', ')}` : `NOT rolled back: ${former.stacks.join(', ')}`]),
    ...(created.length === 0 ? [] : [`new, so there is nothing to roll back to: ${created.join(', ')}`]),
  ].join('; ');
}

/** The minutes of `15m`. @throws Error for anything but 1 to 180 of them */
export function minutesOf(text: string): number {
  const [, digits] = /^(\d{1,3})m$/.exec(text) ?? [];
  const minutes = Number(digits);
  if (digits === undefined || minutes < 1 || minutes > 180) throw new Error('--bake must be 1m to 180m, such as 15m.');
  return minutes;
}
