/** One delivery of chunk messages, of which some may fail. Costs some 100 ms. */
import { describe, expect, it } from 'vitest';
import { processChunks } from '../../functions/handlers/process-chunk.ts';
import { TemporarilyUnavailable } from '../../functions/runtime/faults.ts';
import { CONTEXT } from '../kit/api-event.ts';
import { recordingTelemetry } from '../kit/recording-telemetry.ts';
import { delivery } from '../kit/sqs-event.ts';
import { useImportWorld, record } from '../imports/world.ts';

const world = useImportWorld();

const LOST = { kind: 'chunk', company_id: 'x', import_id: 'y', chunk: 0, payload_hash: 'z', hops: 0 } as const;

it('a message of an import that does not exist fails alone', async () => {
  await world.accept([record('a')]);
  const failed = await processChunks(delivery([LOST, ...world.sent.splice(0)]), CONTEXT, world.services);
  expect(failed).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
  expect((await world.read()).status).toBe('success');
});

it.each(['nonsense', {}, { ...LOST, chunk: -1 }])(
  'a message of another sender is logged, counted and deleted: %j',
  async (message) => {
    const telemetry = recordingTelemetry();
    const { batchItemFailures } = await processChunks(delivery([message, LOST]), CONTEXT, {
      ...world.services,
      telemetry,
    });
    expect(batchItemFailures).toEqual([{ itemIdentifier: '1' }]);
    expect(telemetry.samples).toContainEqual({ metric: 'ForeignMessages', value: 1 });
    const [line] = telemetry.lines;
    expect(line).toMatchObject({ level: 'error', error: { name: 'ForeignMessage' }, fields: { sender_id: 'sender' } });
    expect(JSON.stringify(line)).not.toContain('nonsense');
  },
);

describe('a chunk that meets a throttle', () => {
  const throttled = async () => {
    throw Object.assign(new TemporarilyUnavailable('The database keeps throttling.'), { cause: new Error('x') });
  };
  /** One delivery of a chunk whose reads are throttled, to a queue that postpones it so. */
  const postponed = async (postpone: () => Promise<'hidden' | 'sent' | undefined>, receives = 1) => {
    const { services } = world;
    const telemetry = recordingTelemetry();
    const deliveries: unknown[] = [];
    const queue = {
      ...services.queue,
      postpone: (...call: unknown[]) => {
        deliveries.push(call);
        return postpone();
      },
    };
    const stores = { ...services.stores, imports: { ...services.stores.imports, readChunk: throttled } };
    const given = { ...services, telemetry, queue, stores };
    const { batchItemFailures } = await processChunks(delivery([LOST], receives), CONTEXT, given);
    return { batchItemFailures, deliveries, telemetry };
  };

  it('a throttled chunk is redelivered soon, and is no failure', async () => {
    const { batchItemFailures, deliveries, telemetry } = await postponed(async () => 'hidden');
    expect(batchItemFailures).toEqual([{ itemIdentifier: '0' }]);
    expect(deliveries).toEqual([[LOST, { receiptHandle: '0', receives: 1 }]]);
    expect(telemetry.samples).toEqual([]);
    expect(telemetry.lines).toMatchObject([{ level: 'info', fields: { outcome: 'throttled', import_id: 'y' } }]);
  });

  it('a throttled chunk is done once a new message asks for it', async () => {
    expect((await postponed(async () => 'sent', 4)).batchItemFailures).toEqual([]);
  });

  it('a throttled chunk fails once it was postponed too often', async () => {
    const { batchItemFailures, telemetry } = await postponed(async () => undefined, 4);
    expect(batchItemFailures).toEqual([{ itemIdentifier: '0' }]);
    expect(telemetry.samples).toEqual([{ metric: 'ChunksFailed', value: 1 }]);
  });

  it('a throttled chunk is redelivered after the visibility timeout if the queue refuses to postpone it', async () => {
    const { batchItemFailures, telemetry } = await postponed(throttled);
    expect(batchItemFailures).toEqual([{ itemIdentifier: '0' }]);
    expect(telemetry.lines.map(({ level }) => level)).toEqual(['error', 'error']);
  });

  it('an invocation stops in time to postpone its chunk: no call to the database starts in the last seven seconds', async () => {
    await world.accept([record('a')]);
    const [message] = world.sent.splice(0);
    const late = { ...CONTEXT, getRemainingTimeInMillis: () => 6_999 };
    const telemetry = recordingTelemetry();
    const queue = { ...world.services.queue, postpone: async () => 'hidden' as const };
    const services = { ...world.services, telemetry, queue };
    const { batchItemFailures } = await processChunks(delivery([message]), late, services);
    expect(batchItemFailures).toEqual([{ itemIdentifier: '0' }]);
    expect(telemetry.lines).toMatchObject([
      { fields: { outcome: 'throttled', cause: 'The time of this invocation is used up.' } },
    ]);
    const inTime = { ...CONTEXT, getRemainingTimeInMillis: () => 7_000 };
    expect((await processChunks(delivery([message]), inTime, world.services)).batchItemFailures).toEqual([]);
  });
});
