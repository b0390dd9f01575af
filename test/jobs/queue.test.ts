/** Sending chunk messages, with a client in the place of SQS. Costs milliseconds. */
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { jobQueue, sqsJobQueue } from '../../functions/jobs/queue.ts';
import { messageOf } from '../../functions/jobs/read-message.ts';
import { serve } from '../kit/serve.ts';

afterEach(() => void vi.unstubAllEnvs());

interface Input {
  readonly Entries: readonly Entry[];
  readonly VisibilityTimeout?: number;
}
interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly MessageGroupId: string;
}

/** A queue over a client that responds so, and the inputs of its calls. */
function queueOf(respond: (entries: readonly Entry[], call: number) => object = () => ({}), random = 0.5) {
  const calls: Input[] = [];
  const send = async ({ input }: { input: Input }) => {
    calls.push(input);
    return respond(input.Entries, calls.length);
  };
  const waiting = { sleep: async () => {}, random: () => random };
  return { queue: jobQueue({ client: { send } as never, queueUrl: 'q', waiting }), calls };
}

const MESSAGE = { kind: 'chunk', company_id: 'acme', import_id: 'i', chunk: 0, payload_hash: 'h', hops: 0 } as const;
const messages = (count: number) =>
  Array.from({ length: count }, (_, chunk) => ({ ...MESSAGE, chunk, more: 'dropped' }));
const refused = (entries: readonly Entry[], Code: string, SenderFault = false) => ({
  Failed: entries.map(({ Id }) => ({ Id, Code, SenderFault })),
});
const unavailable = expect.objectContaining({ name: 'TemporarilyUnavailable' });

describe('the chunk queue', () => {
  it('the queue sends ids only, in tens, and is shared fairly between companies', async () => {
    const { queue, calls } = queueOf();
    await queue.send(messages(23));
    expect(calls.map(({ Entries }) => Entries.length)).toEqual([10, 10, 3]);
    const last = calls[2]?.Entries[2];
    expect(JSON.parse(last?.MessageBody ?? '')).toEqual({ ...MESSAGE, chunk: 22, format: 1 });
    expect(last?.MessageGroupId).toBe('acme');
  });

  it('refused messages are sent again, and only those', async () => {
    const { queue, calls } = queueOf((entries, call) => (call === 1 ? refused(entries.slice(1), 'InternalError') : {}));
    await queue.send(messages(3));
    expect(calls.map(({ Entries }) => Entries.map(({ Id }) => Id))).toEqual([
      ['0', '1', '2'],
      ['1', '2'],
    ]);
  });

  describe('postpone', () => {
    it.each([
      [0, 15],
      [0.5, 23],
      [0.999, 30],
    ])(
      'a chunk that met a throttle is delivered again after 15 to 30 seconds, spread at random: %d',
      async (random, VisibilityTimeout) => {
        const { queue, calls } = queueOf(undefined, random);
        expect(await queue.postpone(MESSAGE, { receiptHandle: 'r', receives: 1 })).toBe('hidden');
        expect(calls).toEqual([{ QueueUrl: 'q', ReceiptHandle: 'r', VisibilityTimeout }]);
      },
    );

    it.each([4, 5])('a chunk is sent in a new message before its last delivery, at the %dth', async (receives) => {
      const { queue, calls } = queueOf();
      expect(await queue.postpone({ ...MESSAGE, hops: 2 }, { receiptHandle: 'r', receives })).toBe('sent');
      const Entries = calls[0]?.Entries ?? [];
      expect(Entries).toEqual([
        {
          Id: '0',
          MessageGroupId: 'acme',
          DelaySeconds: 23,
          MessageBody: JSON.stringify({ ...MESSAGE, hops: 3, format: 1 }),
        },
      ]);
      expect(messageOf(Entries[0]?.MessageBody ?? '')).toEqual({ ...MESSAGE, hops: 3 });
    });

    it('a chunk is not sent again if its chain of messages is so long that Lambda would end it', async () => {
      const { queue, calls } = queueOf();
      const last = { ...MESSAGE, hops: 12 };
      expect(await queue.postpone(last, { receiptHandle: 'r', receives: 4 })).toBeUndefined();
      expect(calls).toEqual([]);
    });
  });

  it('send: repeated refusals → a fault that may be retried', async () => {
    const { queue, calls } = queueOf((entries) => refused(entries, 'ThrottlingException', true));
    await expect(queue.send(messages(1))).rejects.toThrow(unavailable);
    expect(calls).toHaveLength(5);
  });

  it.each([
    ['InvalidMessageContents', 'InvalidMessageContents'],
    [undefined, 'no code'],
  ])('send: a message that is rejected with the code %s → an error with the code', async (Code, shown) => {
    const { queue } = queueOf((entries) => ({ Failed: entries.map(({ Id }) => ({ Id, Code, SenderFault: true })) }));
    await expect(queue.send(messages(1))).rejects.toThrow(`The chunk queue rejected a message: ${shown}.`);
  });

  it('a message that the queue failed to take is sent again, whatever its code', async () => {
    const { queue, calls } = queueOf((entries, call) => (call === 1 ? refused(entries, 'Unheard of') : {}));
    await queue.send(messages(1));
    expect(calls).toHaveLength(2);
  });

  it.each([['throttles', { name: 'RequestThrottled', $metadata: { httpStatusCode: 400 } }]])(
    'send: the queue %s → temporarily unavailable',
    async (_, fault) => {
      const { queue } = queueOf(() => {
        throw Object.assign(new Error('fault'), fault);
      });
      await expect(queue.send(messages(1))).rejects.toThrow(unavailable);
    },
  );

  it('send: any other fault → the fault itself', async () => {
    const { queue } = queueOf(() => {
      throw Object.assign(new Error('denied'), { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
    });
    await expect(queue.send(messages(1))).rejects.toThrow('denied');
  });
});

describe('the queue of the environment', () => {
  it('the queue is reached at the endpoint of the environment, not at the host of its URL', async () => {
    const bodies: unknown[] = [];
    const server = await serve(async (request, response) => {
      bodies.push(await json(request));
      response.end('{}');
    });
    const queueUrl = 'http://127.0.0.1:1/0/chunks';
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', server.url);
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    try {
      await sqsJobQueue({ CHUNK_QUEUE_URL: queueUrl }).send(messages(1));
    } finally {
      server.stop();
    }
    expect(bodies).toMatchObject([{ QueueUrl: queueUrl, Entries: [{ Id: '0' }] }]);
  });

  it('sqsJobQueue: no URL in the environment → an error that names the variable', () => {
    expect(() => sqsJobQueue({})).toThrow('The environment variable CHUNK_QUEUE_URL is not set.');
  });
});
