/** The version that each company runs, as CloudFormation reports it. */
import { execFile, type ExecFileException } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import type { Target } from './plan.ts';

export interface DeployedStack {
  readonly version: string;
  /** Such as `UPDATE_ROLLBACK_COMPLETE`. */
  readonly status: string;
  readonly baseUrl: string;
}

/** The response of DescribeStacks. */
const DESCRIBED = v.object({
  Stacks: v.array(
    v.object({
      StackName: v.string(),
      StackStatus: v.string(),
      Outputs: v.optional(v.array(v.object({ OutputKey: v.string(), OutputValue: v.string() })), []),
    }),
  ),
});

const run = promisify(execFile);
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Every stack of the targets' regions, by its name.
 *
 * @throws Error if the AWS CLI is missing or fails
 */
export async function deployedStacks(targets: readonly Target[]): Promise<ReadonlyMap<string, DeployedStack>> {
  const found = new Map<string, DeployedStack>();
  for (const region of new Set(targets.map((target) => target.region))) {
    for (const { StackName, StackStatus, Outputs } of await described(region)) {
      const output = (key: string) => Outputs.find(({ OutputKey }) => OutputKey === key)?.OutputValue ?? '';
      found.set(StackName, { version: output('Version'), status: StackStatus, baseUrl: output('BaseUrl') });
    }
  }
  return found;
}

async function described(region: string | undefined) {
  const where = region === undefined ? [] : ['--region', region];
  const args = ['cloudformation', 'describe-stacks', '--output', 'json', ...where];
  const options = { maxBuffer: MOST_BYTES, env: { ...process.env, AWS_PAGER: '' } };
  const { stdout } = await run('aws', args, options).catch((error: ExecFileException) => {
    if (error.code === 'ENOENT') throw new Error('Install the AWS CLI: it reads which versions are deployed.');
    throw new Error(`The AWS CLI cannot read the stacks.\n${String(error.stderr)}`);
  });
  return v.parse(DESCRIBED, JSON.parse(stdout)).Stacks;
}

/** A line a stack: company, stage, version and state, in the order of the waves. */
export function versionLines(targets: readonly Target[], deployed: ReadonlyMap<string, DeployedStack>): string[] {
  const rows = targets.map(({ company, stage, stack }) => {
    const { version = '–', status = 'not deployed' } = deployed.get(stack) ?? {};
    return [company, stage, version, status];
  });
  const width = (at: number): number => Math.max(...rows.map((row) => row[at]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(width(at)))
      .join('  ')
      .trimEnd(),
  );
}
