/** The deployable stack on one machine: everything it runs is read from the synthesized template. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SignInSettings } from '../../functions/auth/provider-document.ts';
import * as ENV from '../../functions/runtime/variables.ts';
import { SAMPLE } from '../../lib/sandbox/sample.ts';
import { builtStack } from './built-stack.ts';
import { ENGINE_KEY, awsEnvironment, clientSettings } from './endpoints.ts';
import { startEngine } from './engine.ts';
import { engineAt, NO_PARAMETERS, eventBusEngine } from './engines.ts';
import { eventRules, startEventSources, startSchedules } from './event-sources.ts';
import { localFunctions, logLineSink } from './functions.ts';
import { gatewayResponses } from './gateway-responses.ts';
import { startHttpServer } from './http-server.ts';
import { intakeOf } from './intake.ts';
import { keyArn, PhysicalResources, resourcesOfType } from './template.ts';
import { type CallObserver, startAuthorisingProxy } from './iam/proxy.ts';
import { rolesOf } from './iam/roles.ts';
import { EVIDENCE_KEY_ID, SIGNING_KEY_ID, kmsEngine, signingKey } from './kms.ts';
import { Shutdown, StartupFault, systemCode } from './lifecycle.ts';
import { loadData } from './load-data.ts';
import { mailEngine } from './mails.ts';
import type { LocalOptions } from './options.ts';
import { registerSampleClient } from './sample-client.ts';
import { createQueues, startQueueEngine } from './queues.ts';
import { routeTable } from './route-table.ts';
import { createTables } from './tables.ts';

export type LocalStack = Awaited<ReturnType<typeof start>>;

export type StackOptions = Partial<Pick<LocalOptions, 'port' | 'verbose' | 'reset'>> & {
  readonly data?: string | undefined;
  readonly dir?: string | undefined;
  readonly clientKey?: string | undefined;
  /** An identity provider on this machine. */
  readonly signIn?: SignInSettings;
  readonly observe?: CallObserver;
  readonly onLogLine?: (line: string) => void;
  /** Gets a line for each mail. */
  readonly onMail?: (line: string) => void;
};

/** Starts the stack, or stops again what it has started. @throws StartupFault for a problem that the user can fix */
export async function startLocalStack(options: StackOptions = {}, shutdown = new Shutdown()): Promise<LocalStack> {
  try {
    return await start(options, shutdown);
  } catch (error) {
    await shutdown.stop();
    throw error;
  }
}

async function start(options: StackOptions, shutdown: Shutdown) {
  refuseReset(options);
  const directory = options.dir === undefined ? undefined : await dataDirectory(options.dir);
  const log = options.onLogLine ?? logLineSink(options.verbose ?? false, (line) => process.stderr.write(`${line}\n`));
  const engines = startEngines(options, directory, log, shutdown);
  const [{ bundles, template }, { proxy, bus, failed }] = await together([builtStack(), engines]);

  const resources = new PhysicalResources(template);
  provideKeys(resources);
  const [[tableName = '']] = await together([
    createTables(resources, proxy.operator, options.reset),
    createQueues(resources, proxy.operator),
  ]);
  const roles = rolesOf(resources);
  const keys = proxy.admit(roles);
  const accessKeyOf = (functionId: string): string => keys.get(functionId) ?? '';

  const { endpoint, operator } = proxy;
  const environmentOf = (id: string) => awsEnvironment(endpoint, accessKeyOf(id));
  const functions = localFunctions(bundles, resources, environmentOf, log);
  await shutdown.add(() => Promise.all([...functions.values()].map((each) => each.stop())));

  await loadData(resources, functions, options.data ?? SAMPLE);
  const intake = intakeOf(functions);
  await registerClient(options, intake);
  const http = await startHttpServer(options.port ?? 0, {
    route: routeTable(resources, functions),
    refuse: gatewayResponses(template),
    intake,
  });
  await shutdown.add(() => http.stop());
  const signIn = options.signIn && { [ENV.signIn]: JSON.stringify(options.signIn) };
  for (const each of functions.values()) each.inform({ [ENV.pageUrl]: `${http.url}/`, ...signIn });
  bus.deliverTo(eventRules(resources, functions));
  const sources = startEventSources(resources, functions, (id) => clientSettings(endpoint, accessKeyOf(id)));
  await shutdown.add(() => Promise.all(sources.map((stop) => stop())));
  await shutdown.add(startSchedules(resources, functions));

  return {
    /** Both base URLs of the interface. */
    url: http.url,
    /** For clients of the engines that no role limits. */
    operator,
    roles,
    tableName,
    /** Functions by ARN, for callers that invoke one directly. */
    functions,
    /** Resolves, with a message for the user, if the stack cannot continue. */
    failed,
    stop: () => shutdown.stop(),
  };
}

function refuseReset({ reset }: StackOptions): void {
  if (reset === true && process.env['DYNAMODB_ENDPOINT'] !== undefined)
    throw new StartupFault('--reset empties the data of --dir, not that of DYNAMODB_ENDPOINT: unset one of them');
}

async function registerClient({ clientKey }: StackOptions, intake: ReturnType<typeof intakeOf>): Promise<void> {
  if (clientKey !== undefined && intake) await registerSampleClient(clientKey, intake, Date.now());
}

async function dataDirectory(path: string): Promise<string> {
  const directory = resolve(path);
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new StartupFault(
      `--dir ${path} cannot be used (${systemCode(error) ?? String(error)}): name another directory`,
    );
  });
  return directory;
}

/** The engines that replace AWS, behind the proxy; the environment may name another database. */
async function startEngines(
  { observe, onMail }: StackOptions,
  directory: string | undefined,
  log: (line: string) => void,
  shutdown: Shutdown,
) {
  const { DYNAMODB_ENDPOINT } = process.env;
  const keyIn = (file: string) => signingKey(directory && join(directory, file));
  const kms = kmsEngine({
    [SIGNING_KEY_ID]: keyIn('signing-key.pem'),
    [EVIDENCE_KEY_ID]: keyIn('evidence-key.pem'),
  });
  const [engine, sqs] = await together([
    DYNAMODB_ENDPOINT
      ? { endpoint: DYNAMODB_ENDPOINT, accessKeyId: ENGINE_KEY, ended: new Promise<never>(() => undefined) }
      : stoppable(startEngine(directory), shutdown),
    stoppable(startQueueEngine(), shutdown),
  ]);
  const bus = eventBusEngine(log);
  const engines = {
    dynamodb: engineAt(engine.endpoint, engine.accessKeyId),
    sqs,
    kms,
    events: bus,
    ses: mailEngine(directory, onMail),
    ssm: NO_PARAMETERS,
  };
  const proxy = await stoppable(startAuthorisingProxy(engines, observe), shutdown);
  const failed = engine.ended.then(() => 'the database engine ended unexpectedly: start again');
  return { proxy, bus, failed };
}

async function stoppable<Server extends { stop(): Promise<void> }>(
  starting: Promise<Server>,
  shutdown: Shutdown,
): Promise<Server> {
  const server = await starting;
  await shutdown.add(() => server.stop());
  return server;
}

function provideKeys(resources: PhysicalResources): void {
  for (const [id] of resourcesOfType(resources.template, 'AWS::KMS::Key')) {
    const KeyId = id.startsWith('EvidenceKey') ? EVIDENCE_KEY_ID : SIGNING_KEY_ID;
    resources.set(id, { ref: KeyId, attributes: { Arn: keyArn(KeyId), KeyId } });
  }
}

async function together<const Steps extends readonly unknown[]>(
  steps: Steps,
): Promise<{ -readonly [At in keyof Steps]: Awaited<Steps[At]> }> {
  const outcomes = await Promise.allSettled(steps);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as never;
}
