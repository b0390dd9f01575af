/** The AWS CLI, with the credentials of the caller: for commands of an operator, which should need no SDK of every service. */
import { execFile, type ExecFileException } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a command in a region, and returns what it prints. */
export type Cli = (task: string, args: readonly string[]) => Promise<unknown>;

const run = promisify(execFile);
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Runs a command such as `['cloudformation', 'describe-stacks']` and returns what it prints, as JSON; `{}` if it prints nothing.
 *
 * @param task what the command is for, such as “read the stacks”
 * @throws Error with the message of the CLI, or with the advice to install it
 */
export async function awsCli(task: string, args: readonly string[], region?: string): Promise<unknown> {
  const where = region === undefined ? [] : ['--region', region];
  const options = { maxBuffer: MOST_BYTES, env: { ...process.env, AWS_PAGER: '' } };
  const { stdout } = await run('aws', [...args, '--output', 'json', ...where], options).catch(
    (error: ExecFileException) => {
      if (error.code === 'ENOENT') throw new Error(`Install the AWS CLI: it is needed to ${task}.`);
      throw new Error(`The AWS CLI cannot ${task}.\n${String(error.stderr)}`);
    },
  );
  return stdout.trim() === '' ? {} : JSON.parse(stdout);
}

export const cliOf =
  (region: string | undefined): Cli =>
  (task, args) =>
    awsCli(task, args, region);
