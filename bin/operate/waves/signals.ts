/** The alarms that ring because of some stacks: their own, and those of the account stack that name one of them. */
import * as v from 'valibot';
import { ACCOUNT_STACK_NAME } from '../../../lib/account/account-stack.ts';
import { APPLICATION } from '../../../lib/observability/tags.ts';
import { type Cli, resourcesOf } from '../aws-cli.ts';

const ALARMS = v.object({ MetricAlarms: v.array(v.object({ AlarmName: v.string() })) });
const CONTRIBUTORS = v.object({
  AlarmContributors: v.optional(v.array(v.object({ ContributorAttributes: v.record(v.string(), v.string()) })), []),
});
/** `STACK: ALARM` of each, sorted, for stacks of one account and region. @throws Error if the AWS CLI fails */
export async function ringingAlarms(stacks: readonly string[], cli: Cli): Promise<string[]> {
  const asked = ['cloudwatch', 'describe-alarms', '--state-value', 'ALARM', '--alarm-name-prefix', `${APPLICATION}-`];
  const { MetricAlarms } = v.parse(ALARMS, await cli('read the alarms', asked));
  const ringing = MetricAlarms.map(({ AlarmName }) => {
    const at = AlarmName.lastIndexOf('-');
    return { alarmName: AlarmName, stack: AlarmName.slice(0, at), name: AlarmName.slice(at + 1) };
  });
  const own = ringing.filter(({ stack }) => stacks.includes(stack)).map(({ stack, name }) => `${stack}: ${name}`);
  const because = new Map<string, readonly string[]>();
  for (const { alarmName, name } of ringing.filter(({ stack }) => stack === ACCOUNT_STACK_NAME))
    because.set(name, await contributorsOf(alarmName, cli));
  const shared: string[] = [];
  for (const stack of because.size === 0 ? [] : stacks) {
    const names = await namesIn(stack, cli);
    const rings = [...because].filter(([, named]) => named.some((each) => names.has(each)));
    shared.push(...rings.map(([name]) => `${stack}: ${name}`));
  }
  return [...own, ...shared].toSorted();
}

async function contributorsOf(alarmName: string, cli: Cli): Promise<string[]> {
  const asked = ['cloudwatch', 'describe-alarm-contributors', '--alarm-name', alarmName];
  const { AlarmContributors } = v.parse(CONTRIBUTORS, await cli('read why an alarm rings', asked));
  return AlarmContributors.flatMap(({ ContributorAttributes }) => Object.values(ContributorAttributes));
}

async function namesIn(stack: string, cli: Cli): Promise<ReadonlySet<string>> {
  const resources = await resourcesOf(cli, stack);
  // The id of a queue is its address, which ends with its name.
  return new Set([stack, ...resources.map(({ PhysicalResourceId: id }) => id.split('/').at(-1) ?? '')]);
}
