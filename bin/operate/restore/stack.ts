/** The parts of a deployed stack that a restore closes, replaces and opens again, by the AWS CLI. */
import * as v from 'valibot';
import { awsCli, cliOf } from '../aws-cli.ts';
import { describedStacks, resourcesOf } from '../aws-stacks.ts';
import { inParallel } from '../../../functions/runtime/batching.ts';
import type { ErasedPerson } from './cleanse.ts';

const LOGGING = v.object({ LoggingConfig: v.object({ LogGroup: v.string() }) });
const SOURCE = v.object({ FunctionArn: v.string() });
const EVENTS = v.object({ events: v.array(v.object({ message: v.string() })) });
const ERASED = v.object({ company_id: v.string(), user_id: v.number(), version: v.number() });

/** Calls of the CLI at once: each starts a process. */
const AT_ONCE = 4;
/** Functions that a deployment invokes itself. */
const OF_DEPLOYMENTS = /^(Settings|SandboxData)/;

export type DeployedStack = Awaited<ReturnType<typeof deployedStack>>;

export async function deployedStack(name: string, region: string | undefined) {
  const aws = (task: string, ...args: string[]) => awsCli(task, args, region);
  const [described] = await describedStacks(cliOf(region), name);
  const output = (key: string): string => {
    const value = described?.outputs.get(key);
    if (value === undefined) throw new Error(`The stack ${name} has no output ${key}.`);
    return value;
  };
  const resources = await resourcesOf(cliOf(region), name);
  const ofType = (type: string) => resources.filter(({ ResourceType }) => ResourceType === type);
  const functions = ofType('AWS::Lambda::Function')
    .filter(({ LogicalResourceId }) => !OF_DEPLOYMENTS.test(LogicalResourceId))
    .map(({ PhysicalResourceId }) => PhysicalResourceId);
  const sources = ofType('AWS::Lambda::EventSourceMapping').map(({ PhysicalResourceId }) => PhysicalResourceId);

  const setSource = (id: string, state: '--enabled' | '--no-enabled') =>
    aws('change a queue', 'lambda', 'update-event-source-mapping', '--uuid', id, state);
  const allow = (id: string) => aws('open a function', 'lambda', 'delete-function-concurrency', '--function-name', id);

  return {
    table: output('TableName'),
    signingKey: output('SigningKeyId'),

    /** No function of the stack runs from now on. Queues are not delivered: a throttled delivery would count as a failed one. */
    async close(): Promise<void> {
      for (const id of sources) await setSource(id, '--no-enabled');
      const none = ['--reserved-concurrent-executions', '0'];
      await inParallel(functions, AT_ONCE, (id) =>
        aws('close a function', 'lambda', 'put-function-concurrency', '--function-name', id, ...none),
      );
    },

    /** What carries out erasures runs; the API and the intake stay closed. */
    async openWorkers(): Promise<void> {
      const read = ['get-event-source-mapping', '--uuid', output('ChunkEventSource')];
      const { FunctionArn } = v.parse(SOURCE, await aws('find the processor', 'lambda', ...read));
      for (const id of [FunctionArn, output('WatchdogFunction')]) await allow(id);
      await setSource(output('ChunkEventSource'), '--enabled');
    },

    async open(): Promise<void> {
      await inParallel(functions, AT_ONCE, allow);
      for (const id of sources) await setSource(id, '--enabled');
    },

    /** The erasures that the intake logged since this time: ids and versions, oldest first. */
    async ledger(sinceMs: number): Promise<ErasedPerson[]> {
      const intake = output('IntakeFunctionName');
      const read = ['get-function-configuration', '--function-name', intake];
      const { LogGroup } = v.parse(LOGGING, await aws('find the log of the intake', 'lambda', ...read)).LoggingConfig;
      const wanted = ['--start-time', String(sinceMs), '--filter-pattern', '{ $.erased IS TRUE }'];
      const found = await aws('read the ledger', 'logs', 'filter-log-events', '--log-group-name', LogGroup, ...wanted);
      return v.parse(EVENTS, found).events.map(({ message }) => v.parse(ERASED, JSON.parse(message)));
    },
  };
}

const TIME_TO_LIVE = v.object({ TimeToLiveDescription: v.object({ TimeToLiveStatus: v.string() }) });

/** Restores the table into a new one, with expiry, recovery and deletion protection, unless it is there already. */
export async function restoredTable(
  from: string,
  table: string,
  to: string,
  region: string | undefined,
): Promise<void> {
  const aws = (task: string, ...args: string[]) => awsCli(task, ['dynamodb', ...args], region);
  const named = ['--table-name', table];
  const isThere = await aws('look for the table', 'describe-table', ...named).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && error.message.includes('ResourceNotFoundException')) return false;
      throw error;
    },
  );
  if (!isThere) {
    const when = to === 'latest' ? ['--use-latest-restorable-time'] : ['--restore-date-time', to];
    const tables = ['--source-table-name', from, '--target-table-name', table];
    await aws('restore the table', 'restore-table-to-point-in-time', ...tables, ...when);
  }
  await aws('wait for the table', 'wait', 'table-exists', ...named);
  const expiry = v.parse(TIME_TO_LIVE, await aws('read the expiry', 'describe-time-to-live', ...named));
  if (expiry.TimeToLiveDescription.TimeToLiveStatus === 'DISABLED') {
    const enabled = ['--time-to-live-specification', 'Enabled=true,AttributeName=expires_at_seconds'];
    await aws('set the expiry', 'update-time-to-live', ...named, ...enabled);
  }
  const recovery = ['--point-in-time-recovery-specification', 'PointInTimeRecoveryEnabled=true'];
  await aws('set the recovery', 'update-continuous-backups', ...named, ...recovery);
  await aws('protect the table', 'update-table', ...named, '--deletion-protection-enabled');
}
