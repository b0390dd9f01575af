/** Sending chunk messages, with a client in the place of SQS. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { chunkQueue } from '../../functions/imports/chunk-queue.ts';

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly MessageGroupId: string;
}

function queueOf(respond: (entries: Entry[], call: number) => object) {
  const calls: Entry[][] = [];
  const client = {
    send: async (command: { input: { Entries: Entry[] } }) => {
      calls.push(command.input.Entries);
      return respond(command.input.Entries, calls.length);
    },
  };
  const queue = chunkQueue({
    client: client as never,
    queueUrl: 'q',
    waiting: { sleep: async () => {}, random: () => 0.5 },
  });
  return { queue, calls };
}

const messages = (count: number) =>
  Array.from({ length: count }, (_, chunk) => ({
    company_id: 'acme',
    import_id: 'i',
    chunk,
    payload_hash: 'h',
    more: 'dropped',
  }));
const refused = (entries: Entry[], Code: string, SenderFault = false) => ({
  Failed: entries.map(({ Id }) => ({ Id, Code, SenderFault })),
});
const unavailable = expect.objectContaining({ name: 'TemporarilyUnavailable' });

describe('the chunk queue', () => {
  it('sends ids only, in tens', async () => {
    const { queue, calls } = queueOf(() => ({}));
    await queue.send(messages(23));
    expect(calls.map((entries) => entries.length)).toEqual([10, 10, 3]);
    expect(JSON.parse(calls[2]?.[2]?.MessageBody ?? '')).toEqual({
      company_id: 'acme',
      import_id: 'i',
      chunk: 22,
      payload_hash: 'h',
    });
  });

  it('shares the queue fairly between companies', async () => {
    const { queue, calls } = queueOf(() => ({}));
    await queue.send(messages(1));
    expect(calls[0]?.[0]?.MessageGroupId).toBe('acme');
  });

  it('sends again what was refused, and only that', async () => {
    const { queue, calls } = queueOf((entries, call) => (call === 1 ? refused(entries.slice(1), 'InternalError') : {}));
    await queue.send(messages(3));
    expect(calls.map((entries) => entries.map(({ Id }) => Id))).toEqual([
      ['0', '1', '2'],
      ['1', '2'],
    ]);
  });

  it('gives up after a while with a fault that may be retried', async () => {
    const { queue, calls } = queueOf((entries) => refused(entries, 'ThrottlingException', true));
    await expect(queue.send(messages(1))).rejects.toThrow(unavailable);
    expect(calls).toHaveLength(5);
  });

  it('does not hide a malformed message behind retries', async () => {
    const { queue, calls } = queueOf((entries) => refused(entries, 'InvalidMessageContents', true));
    await expect(queue.send(messages(1))).rejects.toThrow('InvalidMessageContents');
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['is down', { name: 'ServiceUnavailable', $metadata: { httpStatusCode: 503 } }],
    ['cannot be reached', { name: 'Error', code: 'ECONNREFUSED' }],
    ['responds too late', { name: 'TimeoutError' }],
    ['throttles', { name: 'RequestThrottled', $metadata: { httpStatusCode: 400 } }],
  ])('is temporarily unavailable when it %s', async (_, fault) => {
    const { queue } = queueOf(() => {
      throw Object.assign(new Error('fault'), fault);
    });
    await expect(queue.send(messages(1))).rejects.toThrow(unavailable);
  });

  it('throws a fault of ours as it is', async () => {
    const { queue } = queueOf(() => {
      throw Object.assign(new Error('denied'), { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
    });
    await expect(queue.send(messages(1))).rejects.toThrow('denied');
  });
});
