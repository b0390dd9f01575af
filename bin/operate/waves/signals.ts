/** The alarms that ring because of some stacks: their own, and those of the account stack that name one of them. */
import * as v from 'valibot';
import { inParallel } from '../../../functions/runtime/batching.ts';
import { ACCOUNT_STACK_NAME } from '../../../lib/account/account-stack.ts';
import { APPLICATION } from '../../../lib/observability/tags.ts';
import { type Cli, CLIS, resourcesOf } from '../aws-cli.ts';

export interface Ringing {
  readonly stack: string;
  readonly alarm: string;
}

const ALARMS = v.object({ MetricAlarms: v.array(v.object({ AlarmName: v.string() })) });
const CONTRIBUTORS = v.object({
  AlarmContributors: v.optional(v.array(v.object({ ContributorAttributes: v.record(v.string(), v.string()) })), []),
});

/**
 * Looks for alarms that ring because of these stacks of one account and region, sorted. The resources of the stacks are read once, at
 * the first look that needs them. @throws Error if the AWS CLI fails
 */
export function alarmsOf(stacks: readonly string[], cli: Cli): () => Promise<Ringing[]> {
  let names: Promise<(readonly [stack: string, names: ReadonlySet<string>])[]> | undefined;
  return async () => {
    const asked = ['cloudwatch', 'describe-alarms', '--state-value', 'ALARM', '--alarm-name-prefix', `${APPLICATION}-`];
    const { MetricAlarms } = v.parse(ALARMS, await cli('read the alarms', asked));
    const ringing = MetricAlarms.map(({ AlarmName }) => {
      const at = AlarmName.lastIndexOf('-');
      return { alarmName: AlarmName, stack: AlarmName.slice(0, at), alarm: AlarmName.slice(at + 1) };
    });
    const found = ringing.flatMap(({ stack, alarm }) => (stacks.includes(stack) ? [{ stack, alarm }] : []));
    for (const { alarmName, alarm } of ringing.filter(({ stack }) => stack === ACCOUNT_STACK_NAME)) {
      const because = await contributorsOf(alarmName, cli);
      names ??= inParallel(stacks, CLIS, async (stack) => [stack, await namesIn(stack, cli)] as const);
      for (const [stack, own] of await names) if (because.some((each) => own.has(each))) found.push({ stack, alarm });
    }
    return found.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  };
}

export const textOf = ({ stack, alarm }: Ringing): string => `${stack}: ${alarm}`;

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
