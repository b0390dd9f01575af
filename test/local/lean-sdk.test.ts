/**
 * The SDK in the bundles beside the SDK as published: what a service answers reaches our code alike, and is tried again alike.
 * Costs two builds and the pauses of the SDK before it tries again: about four seconds.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import dynamodbPackage from '@aws-sdk/client-dynamodb/package.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFunctions } from '../../bin/build.ts';
import { functionSources } from '../../lib/function-sources.ts';
import * as published from './support/clients.ts';

const folder = mkdtempSync(join(tmpdir(), 'migration-lean-sdk-'));
const servers: Server[] = [];
afterAll(() => {
  rmSync(folder, { recursive: true });
  for (const server of servers) server.close().closeAllConnections();
});

/** Builds every function out of one module, and answers the file of one of them. */
async function bundled(module: string): Promise<string> {
  const sources = join(folder, module);
  for (const file of functionSources().values()) {
    mkdirSync(dirname(join(sources, file)), { recursive: true });
    writeFileSync(
      join(sources, file),
      `export * from ${JSON.stringify(join(import.meta.dirname, 'support', module))};`,
    );
  }
  const functions = await buildFunctions({ sources, outputs: join(sources, 'outputs') });
  return join(functions, 'login', 'index.mjs');
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** A service that has one answer to everything, and remembers who asked. */
async function serviceThat(answers: Answer) {
  const userAgents: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    userAgents.push(request.headers['user-agent']);
    request.resume().on('end', () => {
      response.writeHead(answers.status, { 'content-type': 'application/x-amz-json-1.0', ...answers.headers });
      response.end(JSON.stringify(answers.body));
    });
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { userAgents, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

type Clients = typeof published;
type Call = (clients: Clients, options: { endpoint: string; retryMode?: string }) => Promise<unknown>;

const OPTIONS = {
  region: 'eu-west-1',
  credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  maxAttempts: 2,
};

const put: Call = ({ documentClient, PutCommand }, options) =>
  documentClient({ ...OPTIONS, ...options }).send(new PutCommand({ TableName: 't', Item: { pk: 'a' } }));

const send: Call = ({ SQSClient, SendMessageBatchCommand }, options) =>
  new SQSClient({ ...OPTIONS, ...options, useQueueUrlAsEndpoint: false }).send(
    new SendMessageBatchCommand({ QueueUrl: 'https://q', Entries: [{ Id: '0', MessageBody: 'm' }] }),
  );

const publicKey: Call = ({ KMSClient, GetPublicKeyCommand }, options) =>
  new KMSClient({ ...OPTIONS, ...options }).send(new GetPublicKeyCommand({ KeyId: 'k' }));

/** What our code gets to see, and how often the service was asked. */
async function outcomeOf(clients: Clients, call: Call, answer: Answer) {
  const { endpoint, userAgents } = await serviceThat(answer);
  const outcome = await call(clients, { endpoint }).catch((error: unknown) => error as object);
  const { $metadata, ...members } = outcome as { readonly $metadata?: { readonly httpStatusCode: number } };
  const error = outcome instanceof Error ? { name: outcome.name, message: outcome.message } : {};
  return { ...members, ...error, status: $metadata?.httpStatusCode, calls: userAgents.length };
}

const fault = (name: string, members: object = {}, status = 400): Answer => ({
  status,
  body: { __type: `com.amazonaws.service.v20120810#${name}`, message: `${name} it is`, ...members },
});

/** SQS says twice what is wrong; the SDK goes by its old name. */
const queueFault = (name: string, oldName: string, status = 400): Answer => ({
  ...fault(name, {}, status),
  headers: { 'x-amzn-query-error': `${oldName};Sender` },
});

const cancelled = fault('TransactionCanceledException', {
  CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Message: 'no', Item: { pk: { S: 'a' } } }],
});

/** Among them errors that the model of an operation does not know: they are told by their names alone. */
const ERRORS: readonly (readonly [name: string, call: Call, answer: Answer, calls: number])[] = [
  ['ConditionalCheckFailedException', put, fault('ConditionalCheckFailedException', { Item: { pk: { S: 'a' } } }), 1],
  ['TransactionConflictException', put, fault('TransactionConflictException'), 1],
  ['TransactionCanceledException', put, cancelled, 1],
  ['TransactionInProgressException', put, fault('TransactionInProgressException'), 2],
  ['ItemCollectionSizeLimitExceededException', put, fault('ItemCollectionSizeLimitExceededException'), 1],
  ['ResourceInUseException', put, fault('ResourceInUseException'), 1],
  ['ValidationException', put, fault('ValidationException'), 1],
  ['AccessDeniedException', put, fault('AccessDeniedException'), 1],
  ['ProvisionedThroughputExceededException', put, fault('ProvisionedThroughputExceededException'), 2],
  ['ThrottlingException', put, fault('ThrottlingException', { throttlingReasons: [{ reason: 'r' }] }), 2],
  ['RequestLimitExceeded', put, fault('RequestLimitExceeded'), 2],
  ['ReplicatedWriteConflictException', put, fault('ReplicatedWriteConflictException'), 2],
  ['InternalServerError', put, fault('InternalServerError', {}, 500), 2],
  ['ServiceUnavailable', put, fault('ServiceUnavailable', {}, 503), 2],
  ['QueueDoesNotExist', send, queueFault('QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'), 1],
  ['RequestThrottled', send, queueFault('RequestThrottled', 'RequestThrottled', 403), 2],
  ['KmsThrottled', send, queueFault('KmsThrottled', 'KMS.ThrottlingException'), 1],
  ['NotFoundException', publicKey, fault('NotFoundException'), 1],
  ['ThrottlingException', publicKey, fault('ThrottlingException'), 2],
  ['KMSInternalException', publicKey, fault('KMSInternalException', {}, 500), 2],
];

const REGIONS = [
  'eu-west-1',
  'mx-central-1',
  'us-gov-west-1',
  'cn-north-1',
  'us-iso-east-1',
  'eusc-de-east-1',
  'new-new-1',
];

describe('the SDK in the bundles', () => {
  let lean: Clients;
  beforeAll(async () => {
    lean = (await import(pathToFileURL(await bundled('clients.ts')).href)) as Clients;
  });

  const bothMeet = (call: Call, answer: Answer) =>
    Promise.all([outcomeOf(lean, call, answer), outcomeOf(published, call, answer)]);

  it.concurrent.each(ERRORS)('meets %s as the published one does', async (name, call, answer, calls) => {
    const [ours, theirs] = await bothMeet(call, answer);
    expect(ours).toEqual(theirs);
    expect(ours).toMatchObject({ name, status: answer.status, calls });
  });

  it('keeps why a transaction was cancelled', async () => {
    expect(await outcomeOf(lean, put, cancelled)).toMatchObject(cancelled.body);
  });

  it('reads what services answer', async () => {
    const [item, key] = [
      { pk: { S: 'a' }, n: { N: '1' }, b: { B: 'AQI=' } },
      { KeyId: 'k', PublicKey: 'AQI=' },
    ];
    const [ours, theirs] = await bothMeet(put, { status: 200, body: { Attributes: item } });
    expect(ours).toEqual(theirs);
    expect(ours).toMatchObject({ Attributes: { pk: 'a', n: 1, b: new Uint8Array([1, 2]) } });
    expect(await outcomeOf(lean, publicKey, { status: 200, body: key })).toMatchObject({
      PublicKey: new Uint8Array([1, 2]),
    });
  });

  it('says which version it is', async () => {
    const { endpoint, userAgents } = await serviceThat({ status: 200, body: {} });
    for (const call of [put, send, publicKey]) await call(lean, { endpoint });
    expect(userAgents).toHaveLength(3);
    for (const userAgent of userAgents) expect(userAgent).toContain(`aws-sdk-js/${dynamodbPackage.version} `);
  });

  it('refuses adaptive retries', async () => {
    const adaptive: Call = (clients, options) => put(clients, { ...options, retryMode: 'adaptive' });
    const outcome = await outcomeOf(lean, adaptive, { status: 200, body: {} });
    expect(outcome).toMatchObject({ message: expect.stringContaining('AWS_RETRY_MODE'), calls: 0 });
  });

  it('believes no receipt for another message', async () => {
    const receipt = { Id: '0', MessageId: 'other', MD5OfMessageBody: '0'.repeat(32) };
    const [ours, theirs] = await bothMeet(send, { status: 200, body: { Successful: [receipt], Failed: [] } });
    expect(ours).toEqual(theirs);
    expect(ours).toMatchObject({ message: expect.stringContaining('MD5') });
  });

  it.each(REGIONS)('finds the same endpoints in %s', (Region) => {
    const endpoints = ({ documentClient, SQSClient, KMSClient }: Clients) =>
      [documentClient(OPTIONS), new SQSClient(OPTIONS), new KMSClient(OPTIONS)].map(
        ({ config }) => config.endpointProvider({ Region }).url.href,
      );
    expect(endpoints(lean)).toEqual(endpoints(published));
  });
});

it('a function that calls an operation whose errors nobody listed does not build', async () => {
  await expect(bundled('transaction.ts')).rejects.toThrow('TransactWriteItems is called');
});
