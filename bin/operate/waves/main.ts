/**
 * Deploys one version to every company of a folder, wave by wave: `npm run deploy:waves`. It halts at the first stack that is not
 * deployed, or that fails `verify`; with `--bake` also at the first wave whose alarms ring, and rolls that wave back. The same
 * command resumes: a stack that is deployed already has no changes.
 *
 * Exit code 1 if it halts, 2 if the arguments are invalid.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { accountOf, type Accounts } from '../../../lib/account/account-settings.ts';
import { ACCOUNT_STACK_NAME } from '../../../lib/account/account-stack.ts';
import { deploymentsFrom } from '../../../lib/settings-file.ts';
import { messageOf } from '../../importer/engine/errors.ts';
import { deploymentAt } from '../verify/deployment.ts';
import { verify } from '../verify/main.ts';
import { checkoutVersion } from '../../build/version.ts';
import { awsCli, cliOf } from '../aws-cli.ts';
import { type Commands, deployStacks } from './deploy.ts';
import { deployedStacks, leftBy, versionLines } from './deployed.ts';
import { deployedTemplate, writeFormer } from './former.ts';
import { accountsOf, planWaves, type Target, targetOf, targetsIn, type Wave } from './plan.ts';
import { minutesOf, release, type ReleaseCommands } from './release.ts';
import { ringingAlarms } from './signals.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');
const USAGE = `usage: npm run deploy:waves -- [--canary COMPANY,COMPANY] [--wave 10] [--concurrency 4] [--bake 15m] [--companies FOLDER]
                               [--version VERSION] [--app FOLDER] [--address URL] [--connect HOST:PORT] [--list]
--canary       companies that go first; default: the first one
--wave         companies in a wave after the canaries
--concurrency  stacks of a wave that are updated at once; new ones come one after another
--bake         for how long the alarms of a wave are watched after its deployment; if one rings, the wave is rolled back
--app          a folder with the synthesized stacks, in place of a synthesis; then also name its --version
--address      where an API responds, if not at its own address: {api}, {company} and {stage} are filled in
--connect      where to connect, without TLS, if its name does not lead there yet
--list         deploy nothing: print which company runs which version`;

const OPTIONS = {
  canary: { type: 'string' },
  wave: { type: 'string', default: '10' },
  concurrency: { type: 'string', default: '4' },
  bake: { type: 'string' },
  companies: { type: 'string' },
  version: { type: 'string' },
  app: { type: 'string' },
  address: { type: 'string' },
  connect: { type: 'string' },
  list: { type: 'boolean', default: false },
} as const;

type Asked = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

interface Rollout {
  readonly asked: Asked;
  readonly version: string;
  /** Folder with the synthesized stacks. */
  readonly app: string;
  readonly concurrency: number;
  /** 0: a release does not bake. */
  readonly bakeMinutes: number;
  readonly targets: readonly Target[];
  /** The account stacks beside the targets. */
  readonly accounts: Accounts;
}

async function main(): Promise<number> {
  const { values: asked } = parseArgs({ options: OPTIONS });
  const { deployments, isFleet, accounts } = deploymentsFrom((name) =>
    name === 'companies' ? asked.companies : undefined,
  );
  if (!isFleet) throw new Error('There is no deployment: write companies/COMPANY.STAGE.json, or name another folder.');
  const canaries = (asked.canary ?? '').split(',').filter((company) => company !== '');
  const targets = await reachable(deployments.map(({ settings }) => targetOf(settings, accounts)));
  const waves = planWaves(targets, canaries, atLeastOne('wave', asked.wave));
  const ordered = waves.flatMap((wave) => wave.targets);
  const beside = new Map([...accounts].filter(([id]) => targets.some((each) => accountOf(each, accounts)?.[0] === id)));
  const halted = asked.list ? undefined : await rollOut(waves, asked, beside);
  if (halted !== undefined) console.error(halted);
  console.log(versionLines(ordered, await deployedStacks(targets)).join('\n'));
  return halted === undefined ? 0 : 1;
}

const IDENTITY = v.object({ Account: v.string() });

/** The targets in the account of the credentials, if a folder has several. Prints the others. */
async function reachable(targets: readonly Target[]): Promise<readonly Target[]> {
  if (accountsOf(targets).size < 2) return targets;
  const { Account } = v.parse(IDENTITY, await awsCli('find the account', ['sts', 'get-caller-identity']));
  const within = targetsIn(Account, targets);
  const left = targets.filter((target) => !within.includes(target)).map(({ stack }) => stack);
  console.error(
    `The credentials are of account ${Account}. These stacks are of others, and left out: ${left.join(', ')}.`,
  );
  return within;
}

/**
 * @param accounts the account stacks beside the targets
 * @returns why it halted, if it did
 */
async function rollOut(waves: readonly Wave[], asked: Asked, accounts: Accounts): Promise<string | undefined> {
  const version = asked.version ?? checkoutVersion();
  const app = asked.app ?? join(PROJECT, '.build', 'waves');
  const rollout = {
    asked,
    version,
    app,
    concurrency: atLeastOne('concurrency', asked.concurrency),
    bakeMinutes: asked.bake === undefined ? 0 : minutesOf(asked.bake),
    targets: waves.flatMap((wave) => wave.targets),
    accounts,
  };
  if (!(await isSynthesized(rollout))) return 'Halted: nothing is deployed, because the synthesis failed.';
  if (accounts.size > 0 && !(await deploy([...accounts.keys()], rollout)))
    return 'Halted: an account stack is not deployed.';
  for (const wave of waves) {
    const why = await carryOut(wave, rollout);
    if (why !== undefined)
      return `Halted in ${wave.name}: ${why}. Fix the cause, and run the same command again. Later waves are as they were.`;
  }
  return undefined;
}

/** Synthesizes, unless the operator names a folder where that has been done. */
async function isSynthesized({ asked, version, app }: Rollout): Promise<boolean> {
  if (asked.app === undefined) {
    const context = asked.companies === undefined ? [] : ['-c', `companies=${asked.companies}`];
    return cdk(['synth', '--quiet', '-c', `version=${version}`, ...context, '--output', app]);
  }
  if (existsSync(join(app, 'manifest.json'))) return true;
  throw new Error(`--app names ${app}, which has no synthesized stacks.`);
}

/** @returns why it halted, if it did */
function carryOut({ name, targets }: Wave, rollout: Rollout): Promise<string | undefined> {
  console.log(`${rollout.version}: ${name}: ${targets.map(({ company }) => company).join(', ')}`);
  const stacks = targets.map(({ stack }) => stack);
  return release(stacks, rollout, releaseCommands(targets, rollout));
}

const deploy = (stacks: readonly string[], rollout: Rollout): Promise<boolean> =>
  deployStacks(stacks, rollout.concurrency, commandsOf(rollout));

function releaseCommands(wave: readonly Target[], rollout: Rollout): ReleaseCommands {
  const regions = [...Map.groupBy(wave, ({ region }) => region)];
  return {
    ...commandsOf(rollout),
    wrong: () => wrongIn(wave, rollout),
    async ringing() {
      const found: string[] = [];
      for (const [region, targets] of regions) {
        const stacks = targets.map(({ stack }) => stack);
        found.push(...(await ringingAlarms(stacks, cliOf(region))));
      }
      return found;
    },
    async keepFormer() {
      const deployed = await deployedStacks(wave);
      const kept = wave.filter(({ stack }) => deployed.get(stack)?.version);
      const templates = new Map<string, Awaited<ReturnType<typeof deployedTemplate>>>();
      for (const { stack, region } of kept) templates.set(stack, await deployedTemplate(stack, cliOf(region)));
      const folder = `${rollout.app}-former`;
      await writeFormer(rollout.app, folder, templates);
      return { stacks: [...templates.keys()], cdkDeploy: cdkDeployOf(folder) };
    },
  };
}

function commandsOf({ app, targets, accounts }: Rollout): Commands {
  const regionOf = (stack: string) => (accounts.get(stack) ?? targets.find((target) => target.stack === stack))?.region;
  return {
    cdkDeploy: cdkDeployOf(app),
    stacks: () => deployedStacks(targets),
    continueRollback: async (stack) => {
      const named = ['--stack-name', stack];
      await awsCli('continue a rollback', ['cloudformation', 'continue-update-rollback', ...named], regionOf(stack));
      await awsCli('wait', ['cloudformation', 'wait', 'stack-rollback-complete', ...named], regionOf(stack));
    },
    leftBy: (stack) => leftBy(accounts.has(stack) ? ACCOUNT_STACK_NAME : stack, regionOf(stack)),
    pause,
    say: (line) => console.error(line),
  };
}

/** Deploys stacks of a folder with synthesized stacks. */
const cdkDeployOf =
  (app: string): Commands['cdkDeploy'] =>
  async (names, concurrency) => {
    const how = ['--exclusively', '--require-approval', 'never', '--progress', 'events'];
    const printed: string[] = [];
    const args = ['deploy', '--app', app, ...how, '--concurrency', String(concurrency), ...names];
    return { succeeded: await cdk(args, (text) => printed.push(text)), printed: printed.join('') };
  };

/** @returns whether it succeeded. Passes on what it prints. */
function cdk(args: readonly string[], onText?: (text: string) => void): Promise<boolean> {
  const stdio = onText === undefined ? 'inherit' : (['inherit', 'pipe', 'pipe'] as const);
  const child = spawn(join(PROJECT, 'node_modules/.bin/cdk'), args, {
    cwd: PROJECT,
    stdio: typeof stdio === 'string' ? stdio : [...stdio],
  });
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    from?.setEncoding('utf8').on('data', (text: string) => {
      onText?.(text);
      to.write(text);
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve(code === 0));
  });
}

/** The stacks of the targets that do not run this version, or that fail a check. */
async function wrongIn(targets: readonly Target[], { asked, version }: Rollout): Promise<string[]> {
  const stacks = await deployedStacks(targets);
  const wrong: string[] = [];
  for (const target of targets) {
    const url = addressOf(target, stacks.get(target.stack)?.baseUrl ?? '', asked.address);
    const webAcl = target.hasWebAcl ? { webAcl: stacks.get(target.stack)?.stageArn ?? '' } : {};
    const { failed, lines } = await verify(deploymentAt(url, asked.connect), { version, ...webAcl });
    if (failed === 0) continue;
    wrong.push(target.stack);
    console.error(lines.filter((line) => line.startsWith('FAILED')).join('\n'));
  }
  return wrong;
}

function addressOf({ company, stage }: Target, baseUrl: string, address: string | undefined): string {
  const [, api = ''] = /^https:\/\/([^.]+)\./.exec(baseUrl) ?? [];
  const values: Readonly<Record<string, string>> = { api, company, stage };
  return address?.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '') ?? baseUrl;
}

function atLeastOne(name: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`--${name} must be a whole number from 1 on.`);
  return Number(text);
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(`${messageOf(error)}\n${USAGE}`);
  return 2;
});
