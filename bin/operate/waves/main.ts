/**
 * `npm run deploy:waves`: halts at the first stack that is not deployed or fails `verify`; with `--bake` at the first wave whose
 * alarms ring, of which it rolls back the stacks that are red. The same command resumes. Exit code 1 if it halts, 2 if the arguments are invalid.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inParallel } from '../../../functions/runtime/batching.ts';
import { accountOf, type Accounts } from '../../../lib/account/account-settings.ts';
import { ACCOUNT_STACK_NAME } from '../../../lib/account/account-stack.ts';
import { deploymentsFrom } from '../../../lib/settings-file.ts';
import { messageOf } from '../../importer/engine/ground/errors.ts';
import { checkoutVersion } from '../../build/version.ts';
import { CLIS, cliOf, identity } from '../aws-cli.ts';
import { cdk, cdkDeployOf, type Commands, deployStacks, PROJECT } from './deploy.ts';
import { deployedStacks, leftBy, versionLines, versionOf } from './deployed.ts';
import type { Template } from '../../local/template.ts';
import { CHECKS_EVERY_MS, turnsOf, wrongStacks } from './checks.ts';
import { bucketsIn, doneWaves, keepReplaced, keptTemplates, writeFormer } from './former.ts';
import { accountsOf, overbooked, planWaves, type Target, targetOf, targetsIn, type Wave } from './plan.ts';
import { minutesOf, release, type ReleaseCommands } from './release.ts';
import { alarmsOf } from './signals.ts';

const USAGE = `usage: npm run deploy:waves -- [--canary COMPANY,COMPANY] [--wave 10] [--concurrency 25] [--bake 15m] [--companies FOLDER]
                               [--version VERSION] [--app FOLDER] [--back COMPANY,COMPANY] [--list]
--canary       companies that go first; default: the first one
--wave         companies in the first wave after the canaries; each later one has four times as many
--concurrency  stacks of a wave that are updated at once; new ones come one after another
--bake         for how long the alarms of a wave are watched after its deployment; a stack for which one rings is rolled back
--app          a folder with the synthesized stacks, in place of a synthesis; then also name its --version
--back         deploy nothing new: return these companies to the templates that this version replaced
--list         deploy nothing: print which company runs which version`;

const OPTIONS = {
  canary: { type: 'string' },
  wave: { type: 'string', default: '10' },
  concurrency: { type: 'string', default: '25' },
  bake: { type: 'string' },
  companies: { type: 'string' },
  version: { type: 'string' },
  app: { type: 'string' },
  back: { type: 'string' },
  list: { type: 'boolean', default: false },
} as const;

type Asked = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

type Rollout = ReturnType<typeof rolloutOf>;

async function main(): Promise<number> {
  const { values: asked } = parseArgs({ options: OPTIONS });
  const { deployments, isFleet, accounts } = deploymentsFrom((name) =>
    name === 'companies' ? asked.companies : undefined,
  );
  if (!isFleet) throw new Error('There is no deployment: write companies/COMPANY.STAGE.json, or name another folder.');
  const targets = await reachable(deployments.map(({ settings }) => targetOf(settings, accounts)));
  const waves = planWaves(targets, namesIn(asked.canary), wholeNumber('wave', asked.wave));
  const ordered = waves.flatMap((wave) => wave.targets);
  const beside = new Map([...accounts].filter(([id]) => targets.some((each) => accountOf(each, accounts)?.[0] === id)));
  const halted = asked.list ? undefined : await rollOut(waves, asked, beside);
  if (halted !== undefined) console.error(halted);
  console.log(versionLines(ordered, await deployedStacks(targets)).join('\n'));
  return halted === undefined ? 0 : 1;
}

/** The targets in the account of the credentials, if a folder has several. Prints the others. */
async function reachable(targets: readonly Target[]): Promise<readonly Target[]> {
  if (accountsOf(targets).size < 2) return targets;
  const { Account } = await identity(cliOf());
  const within = targetsIn(Account, targets);
  const left = targets.filter((target) => !within.includes(target)).map(({ stack }) => stack);
  console.error(
    `The credentials are of account ${Account}. These stacks are of others, and left out: ${left.join(', ')}.`,
  );
  return within;
}

/** @returns why it halted, if it did */
async function rollOut(waves: readonly Wave[], asked: Asked, accounts: Accounts): Promise<string | undefined> {
  const rollout = rolloutOf(waves, asked, accounts);
  if (!(await isSynthesized(rollout))) return 'Halted: nothing is deployed, because the synthesis failed.';
  const commands = commandsOf(rollout);
  if (asked.back !== undefined) return goBack(namesIn(asked.back), rollout, commands);
  const full = overbooked(rollout.targets, accounts);
  if (full.length > 0) return `Halted: ${full.join(' ')}`;
  if (accounts.size > 0 && !(await deployStacks([...accounts.keys()], rollout.concurrency, commands)))
    return 'Halted: an account stack is not deployed.';
  console.log(`${rollout.version} is released.`);
  for (const wave of waves) {
    const why = await release(wave, rollout, commands);
    if (why !== undefined)
      return `Halted in ${wave.name}: ${why}. Fix the cause, and run the same command again. Later waves are as they were.`;
  }
  return undefined;
}

const rolloutOf = (waves: readonly Wave[], asked: Asked, accounts: Accounts) => ({
  asked,
  version: asked.version ?? checkoutVersion(),
  app: asked.app ?? join(PROJECT, '.build', 'waves'),
  concurrency: wholeNumber('concurrency', asked.concurrency),
  bakeMinutes: asked.bake === undefined ? 0 : minutesOf(asked.bake),
  targets: waves.flatMap((wave) => wave.targets),
  accounts,
});

/** @returns what did not go back, if any */
async function goBack(companies: readonly string[], { targets }: Rollout, commands: ReleaseCommands) {
  const unknown = companies.find((each) => targets.every(({ company }) => company !== each));
  if (unknown !== undefined) throw new Error(`--back names ${unknown}, which has no deployment.`);
  const own = targets.filter(({ company }) => companies.includes(company));
  const { stacks, done } = await commands.goBack(own);
  const left = own.map(({ stack }) => stack).filter((stack) => !done || !stacks.includes(stack));
  return left.length === 0 ? undefined : `NOT returned to a former template: ${left.join(', ')}`;
}

/** Synthesizes, unless the operator names a folder where that has been done. */
async function isSynthesized({ asked, version, app }: Rollout): Promise<boolean> {
  if (asked.app === undefined) {
    const context = asked.companies === undefined ? [] : ['-c', `companies=${asked.companies}`];
    return (await cdk(['synth', '--quiet', '-c', `version=${version}`, ...context, '--output', app])).succeeded;
  }
  if (existsSync(join(app, 'manifest.json'))) return true;
  throw new Error(`--app names ${app}, which has no synthesized stacks.`);
}

function commandsOf(rollout: Rollout): ReleaseCommands {
  const { app, version, concurrency, targets, accounts } = rollout;
  const regionOf = (stack: string) => (accounts.get(stack) ?? targets.find((target) => target.stack === stack))?.region;
  const done = doneWaves(app, cliOf(targets[0]?.region));
  const sending = { turn: turnsOf(CHECKS_EVERY_MS, Date.now, pause) };
  const deploying: Commands = {
    cdkDeploy: cdkDeployOf(app),
    stacks: () => deployedStacks(targets),
    continueRollback: async (stack) => {
      const [cli, named] = [cliOf(regionOf(stack)), ['--stack-name', stack]];
      await cli('continue a rollback', ['cloudformation', 'continue-update-rollback', ...named]);
      await cli('wait', ['cloudformation', 'wait', 'stack-rollback-complete', ...named]);
    },
    leftBy: (stack) => leftBy(accounts.has(stack) ? ACCOUNT_STACK_NAME : stack, regionOf(stack)),
    pause,
    say: (line) => console.error(line),
  };
  return {
    ...deploying,
    ...formerTemplates(rollout, deploying, done.forget),
    nowMs: Date.now,
    wrong: async (some) =>
      wrongStacks(some, await deployedStacks(some), { version, concurrency, sending, say: deploying.say }),
    alarms(some) {
      const looks = [...Map.groupBy(some, (target) => target.region)].map(([region, each]) =>
        alarmsOf(
          each.map(({ stack }) => stack),
          cliOf(region),
        ),
      );
      return async () => (await inParallel(looks, 1, (look) => look())).flat();
    },
    async isDone({ targets: some }) {
      const deployed = await deployedStacks(some);
      const isDeployed = some.every(({ stack }) => versionOf(deployed.get(stack)) === version);
      return isDeployed && done.has(some);
    },
    markDone: ({ targets: some }) => done.add(some),
  };
}

function formerTemplates(
  { app, version, concurrency }: Rollout,
  deploying: Commands,
  forget: () => Promise<void>,
): Pick<ReleaseCommands, 'keepFormer' | 'goBack'> {
  const folder = `${app}-former`;
  const buckets = () => bucketsIn(app, cliOf());
  return {
    async keepFormer(some) {
      const [deployed, bucketOf] = [await deployedStacks(some), await buckets()];
      const existing = some.filter(({ stack }) => versionOf(deployed.get(stack)));
      const inBuckets = Map.groupBy(existing, ({ stack, region }) => JSON.stringify([bucketOf(stack, region), region]));
      for (const together of inBuckets.values()) {
        const [{ stack, region } = { stack: '', region: undefined }] = together;
        const cli = cliOf(region);
        await keepReplaced(together, app, bucketOf(stack, region), keptTemplates(version, folder, cli), cli);
      }
    },
    async goBack(some) {
      const bucketOf = await buckets();
      const former = new Map<string, Template>();
      await inParallel(some, CLIS, async ({ stack, region }) => {
        const template = await keptTemplates(version, folder, cliOf(region)).read(bucketOf(stack, region), stack);
        if (template !== undefined) former.set(stack, template);
      });
      await writeFormer(app, folder, former);
      await forget();
      const stacks = [...former.keys()].toSorted();
      return {
        stacks,
        done: await deployStacks(stacks, concurrency, { ...deploying, cdkDeploy: cdkDeployOf(folder) }),
      };
    },
  };
}

const namesIn = (text = ''): string[] => text.split(',').filter((company) => company !== '');

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new Error(`--${name} must be a whole number from 1 on.`);
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(`${messageOf(error)}\n${USAGE}`);
  return 2;
});
