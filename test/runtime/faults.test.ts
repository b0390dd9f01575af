/** Which errors of a dependency are transient, and how long clients wait for them to pass, on a virtual clock. Milliseconds. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  PATIENT_CLIENT,
  TemporarilyUnavailable,
  dependencyFault,
  isTransientName,
} from '../../functions/runtime/faults.ts';

const failed = (parts: object) => Object.assign(new Error('failed'), parts);

it.each([
  { name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } },
  { name: 'RequestThrottled', $metadata: { httpStatusCode: 403 } },
  { name: 'KMSInternalException' },
  { name: 'TimeoutError' },
  { name: 'Error', code: 'ECONNRESET' },
  { name: 'Error', code: 'ENETUNREACH' },
  { name: 'Whatever', $metadata: { httpStatusCode: 503 } },
  { name: 'Whatever', $retryable: {} },
])('the error %j of AWS is temporarily unavailable', (parts) => {
  const error = failed(parts);
  const fault = dependencyFault(error, 'The database');
  expect(fault).toEqual(new TemporarilyUnavailable('The database is throttling or down.'));
  expect((fault as Error).cause).toBe(error);
});

it.each([
  { name: 'ValidationException', $metadata: { httpStatusCode: 400 } },
  { name: 'AccessDeniedException', $metadata: { httpStatusCode: 403 } },
  { name: 'ConditionalCheckFailedException', $metadata: { httpStatusCode: 400 } },
  { name: 'TypeError' },
  { name: 'Error', code: 'ERR_INVALID_ARG_TYPE' },
])('the error %j of AWS is a fault of the service', (parts) => {
  const error = failed(parts);
  expect(dependencyFault(error, 'The database')).toBe(error);
});

it.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])(
  '%s, the code of an entry of a batch, is transient',
  (code) => expect(isTransientName(code)).toBe(true),
);

it('an error without a code is not transient', () => expect(isTransientName(undefined)).toBe(false));

describe('a client', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const brokenConnection = () => Object.assign(new Error('reset'), { code: 'ECONNRESET', name: 'Error' });
  const response = (statusCode: number) => {
    const headers = { 'content-type': 'application/json' };
    return { response: { statusCode, headers, body: Readable.from(['{}']) } };
  };

  /** An engine that fails until this long after the first call. */
  function engine(failsForMs: number, fault: () => object) {
    const calls: number[] = [];
    const handle = async () => {
      calls.push(Date.now());
      return Date.now() < (calls[0] ?? 0) + failsForMs ? fault() : response(200);
    };
    return { calls, requestHandler: { handle } as never };
  }

  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const clients = {
    DynamoDB: (options: object) => new DynamoDBClient(options).send(new ListTablesCommand({})),
    KMS: (options: object) => new KMSClient(options).send(new GetPublicKeyCommand({ KeyId: 'k' })),
    SQS: (options: object) => new SQSClient(options).send(new ListQueuesCommand({})),
  };

  async function outcomeOf(send: (options: object) => Promise<object>, { requestHandler }: ReturnType<typeof engine>) {
    const outcomes: string[] = [];
    void send({ ...PATIENT_CLIENT, region: 'eu-west-1', credentials, requestHandler }).then(
      () => outcomes.push('answered'),
      () => outcomes.push('failed'),
    );
    while (outcomes.length === 0) await vi.advanceTimersByTimeAsync(10);
    return outcomes[0];
  }

  it.each(Object.entries(clients))(
    'a client of %s outlasts an engine that fails, or breaks connections, for two seconds',
    async (_, send) => {
      for (const fault of [() => response(500), () => Promise.reject(brokenConnection())]) {
        const down = engine(2_000, fault);
        expect(await outcomeOf(send, down)).toBe('answered');
        expect(down.calls.length).toBeLessThanOrEqual(7);
      }
    },
  );

  it.each(Object.entries(clients))(
    'a client of %s gives up within seven seconds, and repeats no invalid call',
    async (_, send) => {
      const down = engine(60_000, () => response(503));
      expect(await outcomeOf(send, down)).toBe('failed');
      expect(down.calls).toHaveLength(7);
      expect((down.calls.at(-1) ?? 0) - (down.calls[0] ?? 0)).toBeLessThan(7_000);
      const wrong = engine(60_000, () => response(400));
      expect(await outcomeOf(send, wrong)).toBe('failed');
      expect(wrong.calls).toHaveLength(1);
    },
  );

  it('every AWS client of the functions has these options', () => {
    const folder = join(import.meta.dirname, '../../functions');
    const made = globSync('**/*.ts', { cwd: folder }).flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/new (?:DynamoDB|KMS|SQS|EventBridge)Client\(([^)]*)\)/g),
    ]);
    expect(made.length).toBeGreaterThanOrEqual(3);
    for (const [, options] of made) expect(options).toContain('PATIENT_CLIENT');
  });
});
