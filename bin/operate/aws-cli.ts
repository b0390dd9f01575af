/** The AWS CLI, with the credentials of the caller: for commands of an operator, which should need no SDK of every service. */
import { execFile, type ExecFileException } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';

/** Runs a command in a region, and returns what it prints. */
export type Cli = (task: string, args: readonly string[]) => Promise<unknown>;

const run = promisify(execFile);
const MOST_BYTES = 256 * 1024 * 1024;

/** How many calls of the CLI run at once: each is a process. */
export const CLIS = 4;

/** What the CLI prints, as JSON. `task`: like “read the stacks”. @throws Error of the CLI, or how to install it */
export const cliOf =
  (region?: string): Cli =>
  async (task, args) => {
    const where = region === undefined ? [] : ['--region', region];
    const options = { maxBuffer: MOST_BYTES, env: { ...process.env, AWS_PAGER: '' } };
    const { stdout } = await run('aws', [...args, '--output', 'json', ...where], options).catch(
      (error: ExecFileException) => {
        if (error.code === 'ENOENT') throw new Error(`Install the AWS CLI: it is needed to ${task}.`);
        throw new Error(`The AWS CLI cannot ${task}.\n${String(error.stderr)}`);
      },
    );
    return stdout.trim() === '' ? {} : JSON.parse(stdout);
  };

const IDENTITY = v.object({ Arn: v.string(), Account: v.string() });

export const identity = async (cli: Cli) =>
  v.parse(IDENTITY, await cli('find the account', ['sts', 'get-caller-identity']));

const STACKS = v.object({
  Stacks: v.array(
    v.object({
      StackName: v.optional(v.string(), ''),
      StackStatus: v.optional(v.string(), ''),
      Outputs: v.optional(v.array(v.object({ OutputKey: v.string(), OutputValue: v.string() })), []),
    }),
  ),
});
const RESOURCES = v.object({
  StackResourceSummaries: v.array(
    v.object({
      LogicalResourceId: v.string(),
      ResourceType: v.string(),
      PhysicalResourceId: v.optional(v.string(), ''),
    }),
  ),
});

export async function describedStacks(cli: Cli, name?: string) {
  const which = name === undefined ? [] : ['--stack-name', name];
  const task = name === undefined ? 'read the stacks' : 'read the stack';
  const { Stacks } = v.parse(STACKS, await cli(task, ['cloudformation', 'describe-stacks', ...which]));
  return Stacks.map(({ StackName, StackStatus, Outputs }) => ({
    name: StackName,
    status: StackStatus,
    outputs: new Map(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue])),
  }));
}

export async function resourcesOf(cli: Cli, stack: string) {
  const args = ['cloudformation', 'list-stack-resources', '--stack-name', stack];
  return v.parse(RESOURCES, await cli('read the resources of the stack', args)).StackResourceSummaries;
}

const EVENTS = v.object({ events: v.array(v.object({ message: v.string() })), NextToken: v.optional(v.string()) });
/** Lines of one call of the CLI, which keeps them in memory. */
const LINES = '20000';

/** The lines of a log group since then that contain the text. */
export async function* logLines(cli: Cli, task: string, group: string, sinceMs: number, text: string) {
  const what = ['--log-group-name', group, '--start-time', String(sinceMs), '--filter-pattern', `"${text}"`];
  let from: string[] | undefined = [];
  while (from !== undefined) {
    const args: string[] = ['logs', 'filter-log-events', ...what, '--max-items', LINES, ...from];
    const { events, NextToken } = v.parse(EVENTS, await cli(task, args));
    for (const { message } of events) yield message;
    from = NextToken === undefined ? undefined : ['--starting-token', NextToken];
  }
}
