import { type Commands, deployStacks } from './deploy.ts';
import type { Target, Wave } from './plan.ts';

export interface ReleaseCommands extends Commands {
  /** What `verify` finds wrong: names of stacks. */
  readonly wrong: (targets: readonly Target[]) => Promise<readonly string[]>;
  /** The alarms that are in the state ALARM because of the stacks, each with its stack. */
  readonly ringing: (targets: readonly Target[]) => Promise<readonly string[]>;
  /** Keeps the deployed templates that the release replaces. */
  readonly keepFormer: (targets: readonly Target[]) => Promise<void>;
  /** Deploys the kept templates. Returns the stacks that have one, and whether all are deployed. */
  readonly goBack: (
    targets: readonly Target[],
  ) => Promise<{ readonly stacks: readonly string[]; readonly done: boolean }>;
  /** Whether an earlier run has deployed these templates to the wave, and they have baked. */
  readonly isDone: (wave: Wave) => Promise<boolean>;
  readonly markDone: (wave: Wave) => Promise<void>;
}

interface ReleaseOptions {
  readonly concurrency: number;
  /** For how many minutes the release bakes; 0: it does not, and nothing is taken back. */
  readonly bakeMinutes: number;
}

const MINUTE_MS = 60_000;

/** Sandboxes before production; then all bake. Alarms that rang before do not count. @returns why it halts */
export async function release(
  wave: Wave,
  options: ReleaseOptions,
  commands: ReleaseCommands,
): Promise<string | undefined> {
  const { name, targets } = wave;
  if (await commands.isDone(wave)) {
    commands.say(`${name}: done by an earlier run.`);
    return undefined;
  }
  commands.say(`${name}: ${[...new Set(targets.map(({ company }) => company))].join(', ')}`);
  const before = options.bakeMinutes > 0 ? await commands.ringing(targets) : [];
  if (before.length > 0) commands.say(`These alarms rang before the deployment: ${before.join(', ')}.`);
  await commands.keepFormer(targets);
  const deployed: Target[] = [];
  for (const [, together] of Map.groupBy(targets, ({ stage }) => stage)) {
    const stacks = together.map(({ stack }) => stack);
    if (!(await deployStacks(stacks, options.concurrency, commands))) return 'a stack is not deployed';
    deployed.push(...together);
    const why = wrongText(await commands.wrong(together));
    if (why !== undefined) return takeBack(why, deployed, options, commands);
  }
  const why = await bake(targets, options.bakeMinutes, before, commands);
  if (why !== undefined) return takeBack(why, deployed, options, commands);
  await commands.markDone(wave);
  return undefined;
}

/** @returns why, and what was rolled back */
async function takeBack(
  why: string,
  deployed: readonly Target[],
  { bakeMinutes }: ReleaseOptions,
  commands: ReleaseCommands,
): Promise<string> {
  if (bakeMinutes === 0) return why;
  commands.say(`${why}: the wave is rolled back.`);
  const { stacks, done } = await commands.goBack(deployed);
  const created = deployed.map(({ stack }) => stack).filter((stack) => !stacks.includes(stack));
  return [
    why,
    ...(stacks.length === 0 ? [] : [`${done ? 'rolled back' : 'NOT rolled back'}: ${stacks.join(', ')}`]),
    ...(created.length === 0 ? [] : [`new, so there is nothing to roll back to: ${created.join(', ')}`]),
  ].join('; ');
}

/** @returns what is wrong by the end of the time, or as soon as an alarm rings */
async function bake(
  targets: readonly Target[],
  minutes: number,
  before: readonly string[],
  commands: ReleaseCommands,
): Promise<string | undefined> {
  if (minutes === 0) return undefined;
  commands.say(`The release bakes for ${minutes} min.`);
  let ignored = before;
  for (let minute = 1; minute <= minutes; minute += 1) {
    await commands.pause(MINUTE_MS);
    const ringing = await commands.ringing(targets);
    const fresh = ringing.filter((alarm) => !ignored.includes(alarm));
    if (fresh.length > 0) return `${fresh.join(', ')} rang after ${minute} min`;
    ignored = ignored.filter((alarm) => ringing.includes(alarm));
  }
  return wrongText(await commands.wrong(targets), ' after the bake');
}

const wrongText = (wrong: readonly string[], when = ''): string | undefined =>
  wrong.length === 0 ? undefined : `verify finds ${wrong.join(', ')} wrong${when}`;

/** The minutes of `15m`. @throws Error for anything but 1 to 180 of them */
export function minutesOf(text: string): number {
  const [, digits] = /^(\d{1,3})m$/.exec(text) ?? [];
  const minutes = Number(digits);
  if (digits === undefined || minutes < 1 || minutes > 180) throw new Error('--bake must be 1m to 180m, such as 15m.');
  return minutes;
}
