/** The alarms that ring because of some stacks: their own, and those of the account stack that name one of them. */
import * as v from 'valibot';
import { ACCOUNT_STACK_NAME } from '../../lib/account/account-stack.ts';
import { APPLICATION } from '../../lib/observability/tags.ts';
import { awsCli } from '../aws-cli.ts';

/** A command of the AWS CLI in the region of the stacks. */
export type Cli = (task: string, args: readonly string[]) => Promise<unknown>;

export const cliOf =
  (region: string | undefined): Cli =>
  (task, args) =>
    awsCli(task, args, region);

const ALARMS = v.object({ MetricAlarms: v.array(v.object({ AlarmName: v.string() })) });
const CONTRIBUTORS = v.object({
  AlarmContributors: v.optional(v.array(v.object({ ContributorAttributes: v.record(v.string(), v.string()) })), []),
});
const RESOURCES = v.object({
  StackResourceSummaries: v.array(v.object({ PhysicalResourceId: v.optional(v.string(), '') })),
});

/**
 * @param stacks of one account and region
 * @returns `STACK: ALARM` of each, sorted
 * @throws Error if the AWS CLI is missing or fails
 */
export async function ringingAlarms(stacks: readonly string[], cli: Cli): Promise<string[]> {
  const asked = ['cloudwatch', 'describe-alarms', '--state-value', 'ALARM', '--alarm-name-prefix', `${APPLICATION}-`];
  const { MetricAlarms } = v.parse(ALARMS, await cli('read the alarms', asked));
  const ringing = MetricAlarms.map(({ AlarmName }) => {
    const at = AlarmName.lastIndexOf('-');
    return { alarmName: AlarmName, stack: AlarmName.slice(0, at), name: AlarmName.slice(at + 1) };
  });
  const own = ringing.filter(({ stack }) => stacks.includes(stack)).map(({ stack, name }) => `${stack}: ${name}`);
  const shared: string[] = [];
  for (const { alarmName, name } of ringing.filter(({ stack }) => stack === ACCOUNT_STACK_NAME))
    for (const stack of await contributing(stacks, alarmName, cli)) shared.push(`${stack}: ${name}`);
  return [...own, ...shared].toSorted();
}

/** The stacks for which an alarm over all of them rings: it names a stack, or a resource of one. */
async function contributing(stacks: readonly string[], alarmName: string, cli: Cli): Promise<string[]> {
  const asked = ['cloudwatch', 'describe-alarm-contributors', '--alarm-name', alarmName];
  const { AlarmContributors } = v.parse(CONTRIBUTORS, await cli('read why an alarm rings', asked));
  const named = AlarmContributors.flatMap(({ ContributorAttributes }) => Object.values(ContributorAttributes));
  const found: string[] = [];
  for (const stack of stacks)
    if (named.includes(stack) || (named.length > 0 && (await hasOneOf(stack, named, cli)))) found.push(stack);
  return found;
}

async function hasOneOf(stack: string, named: readonly string[], cli: Cli): Promise<boolean> {
  const asked = ['cloudformation', 'list-stack-resources', '--stack-name', stack];
  const { StackResourceSummaries } = v.parse(RESOURCES, await cli('read the resources of a stack', asked));
  // The id of a queue is its address, which ends with its name.
  return StackResourceSummaries.some(({ PhysicalResourceId: id }) => named.includes(id.split('/').at(-1) ?? ''));
}
