/** MiniStack: an AWS on loopback, which accepts CloudFormation and runs the functions in Node processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '../../../../bin/local/endpoints.ts';
import { freePort } from '../../../../bin/local/engine.ts';
import { pythonTools } from '../../../kit/python-tools.ts';
import type { Template } from '../../../../bin/local/template.ts';
import type { Send } from '../../../kit/http-client.ts';

/** For MiniStack and cfn-lint. */
export const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const LOOPBACK = '127.0.0.1';
const START_ATTEMPTS = 600;

export interface MiniStack {
  readonly port: number;
  /** The variables that make the AWS CLI, the CDK, the SDK and `fetch` of a command use it. */
  readonly environment: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export async function startMiniStack(): Promise<MiniStack> {
  const command = join(pythonTools('rehearsal', REQUIREMENTS), 'ministack');
  const folder = mkdtempSync(join(tmpdir(), 'ministack-'));
  // Its own scripts are CommonJS, whatever a folder above says.
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  const port = await freePort();
  const server = spawn(command, {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      TMPDIR: folder,
      STATE_DIR: join(folder, 'state'),
      S3_DATA_DIR: join(folder, 's3'),
      BIND_HOST: LOOPBACK,
      MINISTACK_HOST: LOOPBACK,
      GATEWAY_PORT: String(port),
      IOT_MTLS_ENABLED: '0',
      LOG_LEVEL: 'ERROR',
      // Functions inherit this environment. At a higher level the log has no facts, so the ledger is empty.
      POWERTOOLS_LOG_LEVEL: 'INFO',
    },
    stdio: 'ignore',
    // A group of its own, so that the functions' processes end with it.
    detached: true,
  });
  const stop = async (): Promise<void> => {
    await ended(server);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await reachable(port, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, environment: environmentOf(port), stop };
}

function environmentOf(port: number): NodeJS.ProcessEnv {
  const { AWS_PROFILE: _, AWS_SESSION_TOKEN: __, ...rest } = process.env;
  return {
    ...rest,
    AWS_ENDPOINT_URL: `http://${LOOPBACK}:${port}`,
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'at-ministack.mjs')).href}`,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
  };
}

async function reachable(port: number, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < START_ATTEMPTS && server.exitCode === null; attempt += 1) {
    const health = await fetch(`http://${LOOPBACK}:${port}/_ministack/health`).catch(() => undefined);
    if (health?.ok) return;
    await setTimeout(100);
  }
  throw new Error('MiniStack does not start');
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null) return;
  const exited = once(server, 'exit');
  process.kill(-server.pid, 'SIGKILL');
  await exited;
}

/** Parts of a template that do not run, and that MiniStack refuses. */
const UNKNOWN = new Set([
  'AWS::Logs::QueryDefinition',
  'AWS::Budgets::Budget',
  'AWS::ObservabilityAdmin::TelemetryEnrichment',
]);

/** MiniStack has no alarms over several metrics either. */
const isUnknown = ({ Type, Properties }: Template['Resources'][string]): boolean =>
  UNKNOWN.has(Type) || (Type === 'AWS::CloudWatch::Alarm' && 'Metrics' in (Properties ?? {}));

/** MiniStack imports a table, which must have a name, only as `AWS::DynamoDB::Table`. */
function importable(resource: Template['Resources'][string]): Template['Resources'][string] {
  const { Type, Properties: { Replicas: _, ...Properties } = {} } = resource;
  const isNamed = Type === 'AWS::DynamoDB::GlobalTable' && 'TableName' in Properties;
  return isNamed ? { ...resource, Type: 'AWS::DynamoDB::Table', Properties } : resource;
}

/** Removes the resources that MiniStack does not know from a synthesized template. */
export function keepWhatMiniStackKnows(file: string): void {
  const template = JSON.parse(readFileSync(file, 'utf8')) as Template;
  const known = Object.entries(template.Resources).filter(([, each]) => !isUnknown(each));
  const Resources = Object.fromEntries(known.map(([id, each]) => [id, importable(each)]));
  writeFileSync(file, JSON.stringify({ ...template, Resources }));
}

export function hostSender(baseUrl: string, port: number): Send {
  const exchange = hostExchange(baseUrl, port);
  return async (method, path, { token, body, headers = {} } = {}) => {
    const sent = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const { payload, ...answer } = await exchange(method, path, sent, body);
    return { ...answer, body: payload === '' ? undefined : JSON.parse(payload) };
  };
}

interface TextAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly payload: string;
}

/**
 * Responses of a deployed API as text. MiniStack serves every API at one address and selects them by the Host header,
 * which a caller of `fetch` cannot set.
 */
export function hostExchange(baseUrl: string, port: number) {
  const [, id = '', stage = ''] = /^https:\/\/([^.]+)\.execute-api\.[^/]+\/(\w+)$/.exec(baseUrl) ?? [];
  const host = `${id}.execute-api.${LOOPBACK}:${port}`;
  return async (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
  ): Promise<TextAnswer> => {
    const sent = request({ host: LOOPBACK, port, method, path: `/${stage}${path}`, headers: { host, ...headers } });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
    });
    const payload = await text(response);
    const received = new Headers(response.headers as Record<string, string>);
    return { status: response.statusCode ?? 0, headers: received, payload };
  };
}

export async function sendMessages({ port }: MiniStack, QueueUrl: string, bodies: readonly string[]): Promise<void> {
  const client = new SQSClient(clientSettings(`http://${LOOPBACK}:${port}`));
  try {
    for (const MessageBody of bodies) await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  } finally {
    client.destroy();
  }
}
