/**
 * The role in the template allows every call to the table in the crash simulator, rare ones included. Costs seconds.
 * `test/deploy/least-privilege` compares both ways, with queue, key and bus, over the local stack.
 */
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, it } from 'vitest';
import { tableArn } from '../../bin/local/template.ts';
import { isLike, type RequestedAction, type Statement, statementFor } from '../../bin/local/iam/policy.ts';
import { requestedActions } from '../../bin/local/iam/requested.ts';
import { rolesOf } from '../../bin/local/iam/roles.ts';
import { PhysicalResources, resourcesOfType } from '../../bin/local/template.ts';
import { ITEMS } from '../../lib/functions/item-kinds.ts';
import { cases, FIRST_SEED } from '../kit/at-length.ts';
import { templateOf } from '../kit/template.ts';
import { abandonedSchedules } from './single-faults.ts';
import { erasureWorkload } from './erasure-workload.ts';
import { randomFaults } from './faults.ts';
import { simulate } from './run.ts';
import type { Caller } from './services.ts';
import { archiving, randomWorkload, revertWorkload, type Workload } from './workload.ts';

const FUNCTIONS: Readonly<Record<string, string>> = {
  accept: 'HttpStartImport',
  cancel: 'HttpCancelImport',
  revert: 'HttpRevertImport',
  poll: 'HttpListImportRecords',
  register: 'HttpRegisterUserMappings',
  intake: 'IntakeFunction',
  process: 'ProcessingProcessChunk',
  watchdog: 'ProcessingWatchdog',
};

const template = templateOf({ company: 'acme', stage: 'production' });
const resources = new PhysicalResources(template);
for (const [id] of resourcesOfType(template, 'AWS::DynamoDB::GlobalTable'))
  resources.set(id, { ref: 'table', attributes: { Arn: tableArn('table') } });
const roles = [...rolesOf(resources).values()];
const statementsOf = (kind: string): readonly Statement[] =>
  roles.find(({ functionId }) => functionId.slice(0, -8) === FUNCTIONS[kind])?.statements ?? [];

function sent(value: unknown, name = ''): unknown {
  if (name === 'Key' || name === 'Item' || name === 'ExpressionAttributeValues') return marshall(value, LENIENT);
  if (name === 'Keys') return (value as object[]).map((key) => marshall(key));
  if (name === 'Parameters') return (value as unknown[]).map((each) => marshall({ each }, LENIENT)['each']);
  if (Array.isArray(value)) return value.map((each) => sent(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, sent(each, member)]));
}
const LENIENT = { removeUndefinedValues: true };

function actionsOf(command: object): RequestedAction[] {
  const { input, clientCommand = command } = command as { readonly input: unknown; readonly clientCommand?: object };
  const operation = clientCommand.constructor.name.replace(/Command$/, '');
  return requestedActions({ service: 'dynamodb', operation }, sent(input) as Record<string, unknown>);
}

/** Every call of the runs, such as `watchdog dynamodb:DeleteItem *#record#*`, and those that its role denies. */
function calls() {
  const seen = new Set<string>();
  const denied = new Set<string>();
  const note = (action: RequestedAction, kind: string): void => {
    const patterns = action.leadingKeys.map((key) => Object.values(ITEMS).find((each) => isLike(each, key)) ?? key);
    const call = `${kind} ${action.action} ${[...new Set(patterns)].join()}`;
    seen.add(call);
    if (statementFor(statementsOf(kind), action) === undefined) denied.add(call);
  };
  const breakCommand = (command: object, { kind }: Caller): object => {
    try {
      for (const action of actionsOf(command)) note(action, kind);
    } catch (error) {
      // The simulator would treat an error as a fault of the invocation.
      denied.add(String(error));
    }
    return command;
  };
  return { seen, denied, variant: { breakCommand } };
}

/** An erasure reads each run. */
function inRun(workload: Workload, seed: number): Workload {
  const { imports, ...others } = archiving(workload, seed);
  return { ...others, imports: imports.map((sent) => ({ ...sent, run_id: 'run' })) };
}

it('every call in random schedules, with reverts and erasures too, is one that the role allows', async () => {
  const { seen, denied, variant } = calls();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + cases(60, 2); seed += 1)
    for (const workload of [
      randomWorkload(seed),
      archiving(revertWorkload(seed, 5), seed),
      inRun(erasureWorkload(seed), seed),
    ])
      await simulate({ seed, workload, faults: randomFaults(seed, 10, 80), variant });
  expect([...denied]).toEqual([]);
  expect(new Set([...seen].map((call) => call.split(' ')[0]))).toEqual(new Set(Object.keys(FUNCTIONS)));
});

it('every call of a watchdog that frees the ids of a dead invocation is one that the role allows', async () => {
  const { seen, denied, variant } = calls();
  for await (const { violations } of abandonedSchedules(variant)) expect(violations).toEqual([]);
  expect([...denied]).toEqual([]);
  expect([...seen]).toEqual(
    expect.arrayContaining(['watchdog dynamodb:UpdateItem *#record#*', 'watchdog dynamodb:DeleteItem *#record#*']),
  );
});
