/**
 * `npm run verify -- URL --deep` against a local stack whose proxy denies each granted action once, as IAM does while a role is new: the report
 * names every one that the checks reach. Runs at length: it waits for the fences of reverts and erasures, about five minutes.
 */
import { describe, expect, it } from 'vitest';
import { startLocalStack } from '../../bin/local/stack.ts';
import { COMPANY, denialsIn, type Operator } from '../../bin/verify/deep.ts';
import { deploymentAt } from '../../bin/verify/deployment.ts';
import { verify } from '../../bin/verify/main.ts';
import { functionOf } from './support/clone-import.ts';
import { grantedBy } from './support/granted.ts';
import { AT_LENGTH } from '../kit/at-length.ts';

it('denialsIn: lines of functions and of Lambda → each role and action once, sorted', () => {
  const line = (role: string, action: string) =>
    `{"error":{"message":"User: arn:aws:sts::1:assumed-role/${role}/fn-1 is not authorized to perform: ${action} on resource: r"}}`;
  const lines = [line('b', 'kms:Sign'), line('a', 'sqs:SendMessage'), line('b', 'kms:Sign'), 'another line'];
  expect(denialsIn(lines)).toEqual(['a sqs:SendMessage', 'b kms:Sign']);
});

/** Roles and actions that no call from outside reaches, with the reason. */
const NOT_REACHED: Readonly<Record<string, RegExp>> = {
  'a deployment alone calls them': /^Roles(loadsandboxdata|checksettings)/,
  'an event source logs no denial: an import that is never processed shows it': / sqs:(Receive|Delete)Message$/,
};

describe.runIf(AT_LENGTH)('the checks of --deep', () => {
  it('the checks pass, leave no person and no course, and name each action that was denied', async () => {
    const denied = new Set<string>();
    const lines: string[] = [];
    const stack = await startLocalStack({
      port: 0,
      onLogLine: (line) => void lines.push(line),
      observe: ({ caller, requested }) => {
        const role = stackRoles().get(caller);
        const first = requested.find(({ action }) => !denied.has(`${role} ${action}`));
        if (role === undefined || first === undefined || /sqs:(Receive|Delete)Message/.test(first.action)) return true;
        denied.add(`${role} ${first.action}`);
        return first;
      },
    }).then((started) => ((roles = new Map([...started.roles].map(([id, { roleId }]) => [id, roleId]))), started));
    const operator: Operator = {
      async inform(facts) {
        const { results } = (await functionOf(stack, 'Intake').invoke({ facts })) as { results: { status: string }[] };
        return results;
      },
      linesSince: async (_, text) => lines.filter((line) => line.includes(text)),
    };
    const { lines: report } = await verify(deploymentAt(stack.url), { operator });
    const granted = new Set(
      grantedBy(stack.roles.values()).map(({ callers: [caller = ''], action }) => `${roles.get(caller)} ${action}`),
    );
    await stack.stop();
    const failed = report.filter((line) => line.startsWith('FAILED'));
    expect(failed).toEqual([expect.stringContaining('FAILED No role was denied an action.')]);
    const missed = [...granted].filter((each) => failed[0]?.includes(each) !== true);
    expect(missed.filter((each) => !Object.values(NOT_REACHED).some((reason) => reason.test(each)))).toEqual([]);
    expect(COMPANY).toBe('verify');
  }, 900_000);
});

let roles: ReadonlyMap<string, string> = new Map();
const stackRoles = () => roles;
