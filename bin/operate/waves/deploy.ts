/** Deploys the stacks of a wave as fast as AWS lets it: new ones one after another, others together, and again after a throttle. */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { DeployedStack } from './deployed.ts';

export const PROJECT = resolve(import.meta.dirname, '../../..');

export interface Commands {
  /** Runs `cdk deploy` for these stacks, so many at once, and returns what it printed. */
  readonly cdkDeploy: (stacks: readonly string[], concurrency: number) => Promise<Deployed>;
  readonly stacks: () => Promise<ReadonlyMap<string, DeployedStack>>;
  /** Continues a rollback that failed, and waits for its end. */
  readonly continueRollback: (stack: string) => Promise<void>;
  /** The resources that a failed creation left, which a next one may meet. */
  readonly leftBy: (stack: string) => Promise<readonly string[]>;
  readonly pause: (ms: number) => Promise<void>;
  readonly say: (line: string) => void;
}

type Deployed = Awaited<ReturnType<typeof cdk>>;

/** How API Gateway and CloudFormation say that an account calls too often. */
const THROTTLED = /Rate exceeded|Too ?Many ?Requests|Throttling|TooManyRequestsException|LimitExceeded.*rate/i;
const ATTEMPTS = 4;
const FIRST_WAIT_MS = 60_000;

/** API Gateway takes an API in three seconds: new stacks come one after another. @returns whether all are deployed */
export async function deployStacks(
  stacks: readonly string[],
  concurrency: number,
  commands: Commands,
): Promise<boolean> {
  const deployed = await commands.stacks();
  const isNew = (stack: string) =>
    ['', 'ROLLBACK_COMPLETE', 'REVIEW_IN_PROGRESS'].includes(deployed.get(stack)?.status ?? '');
  for (const stack of stacks.filter(isNew)) {
    if (await deployAgain([stack], 1, commands)) continue;
    const left = await commands.leftBy(stack);
    if (left.length > 0)
      commands.say(`The creation of ${stack} left these resources, which it does not delete:\n${left.join('\n')}`);
    return false;
  }
  const others = stacks.filter((stack) => !isNew(stack));
  return others.length === 0 || deployAgain(others, concurrency, commands);
}

/** Repeats a deployment that was throttled, with fewer stacks at once; a rollback that was throttled is continued first. */
async function deployAgain(stacks: readonly string[], concurrency: number, commands: Commands): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const { succeeded, printed } = await commands.cdkDeploy(stacks, attempt === 1 ? concurrency : 1);
    if (succeeded || attempt === ATTEMPTS || !THROTTLED.test(printed)) return succeeded;
    const waitMs = FIRST_WAIT_MS * attempt;
    commands.say(`AWS throttled the deployment. It is repeated in ${waitMs / 1000} s, one stack at a time.`);
    await commands.pause(waitMs);
    const now = await commands.stacks();
    for (const stack of stacks)
      if (now.get(stack)?.status === 'UPDATE_ROLLBACK_FAILED') await commands.continueRollback(stack);
  }
}

export async function cdk(args: readonly string[]) {
  const command = join(PROJECT, 'node_modules/.bin/cdk');
  const child = spawn(command, args, { cwd: PROJECT, stdio: ['inherit', 'pipe', 'pipe'] });
  let printed = '';
  child.stdout
    .setEncoding('utf8')
    .on('data', (text: string) => (printed += text))
    .pipe(process.stdout, { end: false });
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (printed += text))
    .pipe(process.stderr, { end: false });
  const code = await new Promise((done, reject) => child.once('error', reject).once('close', done));
  return { succeeded: code === 0, printed };
}

export const cdkDeployOf =
  (app: string): Commands['cdkDeploy'] =>
  (names, concurrency) => {
    const how = ['--exclusively', '--require-approval', 'never', '--progress', 'events'];
    return cdk(['deploy', '--app', app, ...how, '--concurrency', String(concurrency), ...names]);
  };
