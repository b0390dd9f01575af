/** Deployments, one after the other and rolled back, over a real queue's tags. Costs about a second. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  checkSettings,
  lostSettings,
  patientWithIam,
  queueTags,
  type SettingsEvent,
} from '../../functions/platform/deployed-settings.ts';
import { buildApp } from 'fauxqs';

const server = buildApp({ logger: false });
let client: SQSClient;

beforeAll(async () => {
  const endpoint = await server.listen({ host: '127.0.0.1', port: 0 });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new SQSClient({ endpoint, credentials, region: 'us-east-1', useQueueUrlAsEndpoint: false });
});
afterAll(async () => {
  client.destroy();
  await server.close();
});

let queues = 0;

interface Given {
  readonly names?: readonly string[];
  readonly signingKey?: number;
  readonly format?: number;
  readonly forget?: readonly string[];
}

const eventOf = (
  RequestType: 'Create' | 'Delete',
  { names = [], signingKey = 1, format = 1, forget = [] }: Given,
): SettingsEvent => ({
  RequestType,
  ResourceProperties: {
    SigningKey: String(signingKey),
    Writes: String(format),
    Reads: [String(format), String(format + 1)],
    Names: names,
    Forget: forget,
    File: 'companies/a.sandbox.json',
  },
});

/** A stack that CloudFormation updates: the new resource first, the former one when all has succeeded, or the new one again. */
async function newStack() {
  queues += 1;
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: `q-${queues}` }));
  const tags = queueTags(client, QueueUrl);
  let current: Given | undefined;
  return {
    async deploy(next: Given, outcome: 'succeeds' | 'fails later' = 'succeeds'): Promise<void> {
      if (JSON.stringify(next) === JSON.stringify(current)) return;
      try {
        await checkSettings(eventOf('Create', next), tags);
      } catch (error) {
        await checkSettings(eventOf('Delete', next), tags);
        throw error;
      }
      const removed = outcome === 'succeeds' ? current : next;
      if (removed !== undefined) await checkSettings(eventOf('Delete', removed), tags);
      if (outcome === 'succeeds') current = next;
    },
  };
}

const CORS = { names: ['cors'] };

describe('a deployment', () => {
  it('a deployment may add settings and change them', async () => {
    const stack = await newStack();
    await stack.deploy({});
    await stack.deploy(CORS);
    await expect(stack.deploy({ names: ['alarms', 'cors'], signingKey: 2 })).resolves.toBeUndefined();
  });

  it('a deployment that leaves out a deployed setting is refused, however often it is tried', async () => {
    const stack = await newStack();
    await stack.deploy({ names: ['alarms', 'cors'] });
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(stack.deploy(CORS)).rejects.toThrow(
        /^alarms is deployed and not set now.*companies\/a\.sandbox\.json/,
      );
  });

  it('a deployment may leave out a setting that it lists as forgotten', async () => {
    const stack = await newStack();
    await stack.deploy(CORS);
    await stack.deploy({ forget: ['cors'] });
    await expect(stack.deploy({})).resolves.toBeUndefined();
  });

  it('a deployment with a smaller signing key than the deployed one is refused', async () => {
    const stack = await newStack();
    await stack.deploy({ signingKey: 10 });
    await expect(stack.deploy({ signingKey: 9 })).rejects.toThrow('signing-key is 9, but 10 is deployed');
  });

  it('a deployment of a release that cannot read the stored format is refused; one release back it can', async () => {
    const stack = await newStack();
    await stack.deploy({ format: 3 });
    await expect(stack.deploy({ format: 1 })).rejects.toThrow('writes format 3, and this release reads 1 and 2');
    await expect(stack.deploy({ format: 2 })).resolves.toBeUndefined();
  });

  it('a deployment that CloudFormation rolls back does not count, and its rollback is never refused', async () => {
    const stack = await newStack();
    await stack.deploy(CORS);
    await stack.deploy({ names: ['cors', 'warm'], signingKey: 2 }, 'fails later');
    await stack.deploy({ ...CORS, signingKey: 1, forget: ['warm'] });
    await expect(stack.deploy({})).rejects.toThrow('cors');
  });
});

const GIVEN = fc.record({
  names: fc.subarray(['alarms', 'cors', 'data', 'table', 'warm']),
  signingKey: fc.integer({ min: 1, max: 3 }),
  forget: fc.subarray(['alarms', 'cors']),
});

it('each deployment is compared with the last one that succeeded, whatever was refused or rolled back in between', async () => {
  const history = fc.array(fc.tuple(GIVEN, fc.constantFrom('succeeds', 'fails later')), { maxLength: 12 });
  await fc.assert(
    // A stack whose first deployment fails is deleted, with its queue.
    fc.asyncProperty(GIVEN, history, async (first, deployments) => {
      const stack = await newStack();
      await stack.deploy(first);
      let last = first;
      for (const [next, outcome] of deployments) {
        const expected = lostSettings(last, next, next.forget).length > 0;
        const refused = await stack.deploy(next, outcome as 'succeeds').then(
          () => false,
          () => true,
        );
        expect(refused).toBe(expected);
        if (!refused && outcome === 'succeeds') last = next;
      }
    }),
    { numRuns: 40 },
  );
});

describe('patientWithIam', () => {
  const denied = Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });
  /** A call that fails so many times, and the seconds that were waited. */
  function failing(times: number, error: Error) {
    const waited: number[] = [];
    let left = times;
    const call = async () => {
      left -= 1;
      if (left >= 0) throw error;
      return 'done';
    };
    return { waited, result: patientWithIam(call, { sleep: async (ms) => void waited.push(ms / 1000) }) };
  }

  it('patientWithIam: a role that is denied at first → the result of the first call that is allowed', async () => {
    const { waited, result } = failing(3, denied);
    expect(await result).toBe('done');
    expect(waited).toEqual([2, 2, 2]);
  });

  it('patientWithIam: a role that stays denied → its error after a minute', async () => {
    const { waited, result } = failing(1000, denied);
    await expect(result).rejects.toBe(denied);
    expect(waited).toHaveLength(30);
  });

  it('patientWithIam: another error → that error at once', async () => {
    const { waited, result } = failing(1, new Error('another'));
    await expect(result).rejects.toThrow('another');
    expect(waited).toEqual([]);
  });
});
