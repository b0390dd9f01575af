/** The CDK's command, as an operator types it, and what it deploys to MiniStack. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { keepWhatMiniStackKnows, type MiniStack, startMiniStack } from './ministack.ts';

const PROJECT = resolve(import.meta.dirname, '../../../..');
const CDK = join(PROJECT, 'node_modules/.bin/cdk');
const run = promisify(execFile);

/** @returns its output; throws an error with the output if it fails */
export async function cdk(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  folder = PROJECT,
): Promise<string> {
  const options = { cwd: folder, env: { ...environment, CI: 'true', NO_COLOR: '1' }, maxBuffer: 32 * 1024 * 1024 };
  const { stdout, stderr } = await run(CDK, [...args, '--no-color'], options).catch((error) => {
    throw new Error(`cdk ${args.join(' ')}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout + stderr;
}

export const contextOf = (context: Readonly<Record<string, string>>): string[] =>
  Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** MiniStack, in which these regions are bootstrapped. That must not load the app, so it is done in another folder. */
export async function startAws(folder: string, regions = ['us-east-1']): Promise<MiniStack> {
  const aws = await startMiniStack();
  for (const region of regions) await cdk(['bootstrap', `aws://000000000000/${region}`], aws.environment, folder);
  return aws;
}

export type Outputs = Readonly<Record<string, string>>;

/** Writes the app of one stack to the folder and deploys it. @returns its outputs */
export async function deployStack(
  aws: MiniStack,
  folder: string,
  stack: string,
  context: Readonly<Record<string, string>>,
  more: readonly string[] = [],
): Promise<Outputs> {
  const [app, outputs] = [join(folder, stack), join(folder, `${stack}-outputs.json`)];
  await cdk(['synth', '--quiet', ...contextOf(context), '--output', app], aws.environment);
  keepWhatMiniStackKnows(join(app, `${stack}.template.json`));
  const how = ['--require-approval', 'never', '--outputs-file', outputs, '--progress', 'events', ...more];
  await cdk(['deploy', '--app', app, ...how], aws.environment);
  return JSON.parse(readFileSync(outputs, 'utf8'))[stack];
}
