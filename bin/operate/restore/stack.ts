/** The parts of a deployed stack that a restore closes, replaces and opens again, by the AWS CLI. */
import * as v from 'valibot';
import { cliOf, describedStacks, logLines, resourcesOf } from '../aws-cli.ts';
import { inParallel } from '../../../functions/runtime/batching.ts';

const LOGGING = v.object({ LoggingConfig: v.object({ LogGroup: v.string() }) });
const SOURCE = v.object({ FunctionArn: v.string() });

/** Calls of the CLI at once: each starts a process. */
const AT_ONCE = 4;
/** Functions that a deployment invokes itself. */
const OF_DEPLOYMENTS = /^(Settings|SandboxData)/;

export type DeployedStack = Awaited<ReturnType<typeof deployedStack>>;

export async function deployedStack(name: string, region: string | undefined) {
  const cli = cliOf(region);
  const aws = (task: string, ...args: string[]) => cli(task, ['lambda', ...args]);
  const [described] = await describedStacks(cli, name);
  const output = (key: string): string => {
    const value = described?.outputs.get(key);
    if (value === undefined) throw new Error(`The stack ${name} has no output ${key}.`);
    return value;
  };
  const resources = await resourcesOf(cli, name);
  const ofType = (type: string) => resources.filter(({ ResourceType }) => ResourceType === type);
  const functions = ofType('AWS::Lambda::Function')
    .filter(({ LogicalResourceId }) => !OF_DEPLOYMENTS.test(LogicalResourceId))
    .map(({ PhysicalResourceId }) => PhysicalResourceId);
  const sources = ofType('AWS::Lambda::EventSourceMapping').map(({ PhysicalResourceId }) => PhysicalResourceId);

  const setSource = (id: string, state: '--enabled' | '--no-enabled') =>
    aws('change a queue', 'update-event-source-mapping', '--uuid', id, state);
  const allow = (id: string) => aws('open a function', 'delete-function-concurrency', '--function-name', id);

  return {
    table: output('TableName'),
    signingKey: output('SigningKeyId'),

    /** No function of the stack runs from now on. Queues are not delivered: a throttled delivery would count as a failed one. */
    async close(): Promise<void> {
      for (const id of sources) await setSource(id, '--no-enabled');
      const none = ['--reserved-concurrent-executions', '0'];
      await inParallel(functions, AT_ONCE, (id) =>
        aws('close a function', 'put-function-concurrency', '--function-name', id, ...none),
      );
    },

    /** What carries out erasures runs; the API and the intake stay closed. */
    async openWorkers(): Promise<void> {
      const read = ['get-event-source-mapping', '--uuid', output('ChunkEventSource')];
      const { FunctionArn } = v.parse(SOURCE, await aws('find the processor', ...read));
      for (const id of [FunctionArn, output('WatchdogFunction')]) await allow(id);
      await setSource(output('ChunkEventSource'), '--enabled');
    },

    /** What takes facts runs too; the API stays closed. */
    async openIntake(): Promise<void> {
      await allow(output('IntakeFunctionName'));
      for (const id of sources) await setSource(id, '--enabled');
    },

    async open(): Promise<void> {
      await inParallel(functions, AT_ONCE, allow);
      for (const id of sources) await setSource(id, '--enabled');
    },

    async *factLines(sinceMs: number): AsyncGenerator<string> {
      const intake = output('IntakeFunctionName');
      const read = ['get-function-configuration', '--function-name', intake];
      const { LogGroup } = v.parse(LOGGING, await aws('find the log of the intake', ...read)).LoggingConfig;
      yield* logLines(cli, 'read the ledger', LogGroup, sinceMs, 'A fact was');
    },
  };
}
