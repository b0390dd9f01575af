/** Which errors of a dependency are transient. Milliseconds. */
import { describe, expect, it } from 'vitest';
import { TemporarilyUnavailable, dependencyFault, isTransientName } from '../../functions/runtime/faults.ts';

const failed = (parts: object) => Object.assign(new Error('failed'), parts);

describe('temporarily unavailable', () => {
  it.each([
    { name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } },
    { name: 'RequestThrottled', $metadata: { httpStatusCode: 403 } },
    { name: 'KMSInternalException' },
    { name: 'TimeoutError' },
    { name: 'Error', code: 'ECONNRESET' },
    { name: 'Error', code: 'ENETUNREACH' },
    { name: 'Whatever', $metadata: { httpStatusCode: 503 } },
    { name: 'Whatever', $retryable: {} },
  ])('%j', (parts) => {
    const error = failed(parts);
    const fault = dependencyFault(error, 'The database');
    expect(fault).toEqual(new TemporarilyUnavailable('The database is throttling or down.'));
    expect((fault as Error).cause).toBe(error);
  });
});

describe('a fault of ours', () => {
  it.each([
    { name: 'ValidationException', $metadata: { httpStatusCode: 400 } },
    { name: 'AccessDeniedException', $metadata: { httpStatusCode: 403 } },
    { name: 'ConditionalCheckFailedException', $metadata: { httpStatusCode: 400 } },
    { name: 'TypeError' },
    { name: 'Error', code: 'ERR_INVALID_ARG_TYPE' },
  ])('%j', (parts) => {
    const error = failed(parts);
    expect(dependencyFault(error, 'The database')).toBe(error);
  });
});

it.each([
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'InternalServerError',
  'TransactionConflict',
  'InternalError',
])('%s, the code of an entry of a batch, is transient', (code) => expect(isTransientName(code)).toBe(true));

it('no code is not transient', () => expect(isTransientName(undefined)).toBe(false));
