import { type Commands, deployStacks } from './deploy.ts';
import type { Target, Wave } from './plan.ts';
import { type Ringing, textOf } from './signals.ts';

export interface ReleaseCommands extends Commands {
  /** What `verify` finds wrong: names of stacks. */
  readonly wrong: (targets: readonly Target[]) => Promise<readonly string[]>;
  /** A look for the alarms that are in the state ALARM because of the stacks. */
  readonly alarms: (targets: readonly Target[]) => () => Promise<readonly Ringing[]>;
  /** Keeps the deployed templates that the release replaces. */
  readonly keepFormer: (targets: readonly Target[]) => Promise<void>;
  /** Deploys the kept templates. Returns the stacks that have one, and whether all are deployed. */
  readonly goBack: (
    targets: readonly Target[],
  ) => Promise<{ readonly stacks: readonly string[]; readonly done: boolean }>;
  /** Whether an earlier run has deployed these templates to the wave, and they have baked. */
  readonly isDone: (wave: Wave) => Promise<boolean>;
  readonly markDone: (wave: Wave) => Promise<void>;
  readonly nowMs: () => number;
}

interface ReleaseOptions {
  readonly concurrency: number;
  /** For how many minutes the release bakes; 0: it does not, and nothing is taken back. */
  readonly bakeMinutes: number;
}

/** Why a release halts, and the stacks because of which it does. */
interface Red {
  readonly why: string;
  readonly stacks: readonly string[];
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
  const before = options.bakeMinutes > 0 ? await commands.alarms(targets)() : [];
  if (before.length > 0) commands.say(`These alarms rang before the deployment: ${before.map(textOf).join(', ')}.`);
  await commands.keepFormer(targets);
  const deployed: Target[] = [];
  for (const [, together] of Map.groupBy(targets, ({ stage }) => stage)) {
    const stacks = together.map(({ stack }) => stack);
    if (!(await deployStacks(stacks, options.concurrency, commands))) return 'a stack is not deployed';
    deployed.push(...together);
    const red = await foundWrong(together, commands);
    if (red !== undefined) return takeBack(red, deployed, options, commands);
  }
  const red = await bake(targets, options.bakeMinutes, before, commands);
  if (red !== undefined) return takeBack(red, deployed, options, commands);
  await commands.markDone(wave);
  return undefined;
}

/** Only the stacks that are red: others may be so because of a stranger. @returns why, and what was rolled back */
async function takeBack(
  { why, stacks: red }: Red,
  deployed: readonly Target[],
  { bakeMinutes }: ReleaseOptions,
  commands: ReleaseCommands,
): Promise<string> {
  if (bakeMinutes === 0) return why;
  commands.say(`${why}: ${red.length === 1 ? 'it is' : 'they are'} rolled back.`);
  const { stacks, done } = await commands.goBack(deployed.filter(({ stack }) => red.includes(stack)));
  const created = red.filter((stack) => !stacks.includes(stack));
  const left = deployed.length - red.length;
  return [
    why,
    ...(stacks.length === 0 ? [] : [`${done ? 'rolled back' : 'NOT rolled back'}: ${stacks.join(', ')}`]),
    ...(created.length === 0 ? [] : [`new, so there is nothing to roll back to: ${created.join(', ')}`]),
    ...(left === 0
      ? []
      : [`${left} other deployed ${left === 1 ? 'stack' : 'stacks'} of the wave: --back returns them`]),
  ].join('; ');
}

/** @returns what is wrong by the end of the time, or as soon as an alarm rings */
async function bake(
  targets: readonly Target[],
  minutes: number,
  before: readonly Ringing[],
  commands: ReleaseCommands,
): Promise<Red | undefined> {
  if (minutes === 0) return undefined;
  commands.say(`The release bakes for ${minutes} min.`);
  const look = commands.alarms(targets);
  const startMs = commands.nowMs();
  const endMs = startMs + minutes * MINUTE_MS;
  let ignored = before.map(textOf);
  // Looks take time of their own: the minutes are those of the clock.
  while (commands.nowMs() < endMs) {
    await commands.pause(Math.min(MINUTE_MS, endMs - commands.nowMs()));
    const ringing = await look();
    const fresh = ringing.filter((alarm) => !ignored.includes(textOf(alarm)));
    if (fresh.length > 0) {
      const minute = Math.round((commands.nowMs() - startMs) / MINUTE_MS);
      const stacks = [...new Set(fresh.map(({ stack }) => stack))];
      return { why: `${fresh.map(textOf).join(', ')} rang after ${minute} min`, stacks };
    }
    const still = new Set(ringing.map(textOf));
    ignored = ignored.filter((alarm) => still.has(alarm));
  }
  return foundWrong(targets, commands, ' after the bake');
}

/** What is wrong is looked at again after a minute: a network that failed once is no fault of a stack. */
async function foundWrong(targets: readonly Target[], commands: ReleaseCommands, when = ''): Promise<Red | undefined> {
  const first = await commands.wrong(targets);
  if (first.length === 0) return undefined;
  commands.say(`verify finds ${first.join(', ')} wrong${when}, and looks again in a minute.`);
  await commands.pause(MINUTE_MS);
  const stacks = await commands.wrong(targets.filter(({ stack }) => first.includes(stack)));
  return stacks.length === 0 ? undefined : { why: `verify finds ${stacks.join(', ')} wrong${when}`, stacks };
}

/** The minutes of `15m`. @throws Error for anything but 1 to 180 of them */
export function minutesOf(text: string): number {
  const [, digits] = /^(\d{1,3})m$/.exec(text) ?? [];
  const minutes = Number(digits);
  if (digits === undefined || minutes < 1 || minutes > 180) throw new Error('--bake must be 1m to 180m, such as 15m.');
  return minutes;
}
