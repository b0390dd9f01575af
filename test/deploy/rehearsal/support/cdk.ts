/** The CDK's command, as an operator types it. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

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
