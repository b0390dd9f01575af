/** Stacks of CloudFormation as they are deployed, for commands of an operator. */
import * as v from 'valibot';
import type { Cli } from './aws-cli.ts';

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

/** All stacks of a region, or the one with this name, with their outputs by name. @throws Error of the CLI */
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

/** The resources of a stack. @throws Error of the CLI */
export async function resourcesOf(cli: Cli, stack: string) {
  const args = ['cloudformation', 'list-stack-resources', '--stack-name', stack];
  return v.parse(RESOURCES, await cli('read the resources of the stack', args)).StackResourceSummaries;
}
