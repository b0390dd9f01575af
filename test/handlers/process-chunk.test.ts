/** One delivery of chunk messages, of which some may fail. Costs some 100 ms. */
import { expect, it } from 'vitest';
import { processChunks } from '../../functions/handlers/process-chunk.ts';
import { METRIC } from '../../functions/runtime/metric-names.ts';
import { CONTEXT } from '../kit/api-event.ts';
import { delivery, useImportServices } from '../kit/import-services.ts';
import { recordingTelemetry } from '../kit/recording-telemetry.ts';

const our = useImportServices();

const record = {
  external_record_id: 'a',
  user: { email: 'ann@acme.test' },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
};

const LOST = { company_id: 'x', import_id: 'y', chunk: 0, payload_hash: 'z' };

it('a message of an import that there is not fails alone', async () => {
  const { body } = await our().start([record]);
  const failed = await processChunks(delivery([LOST]), CONTEXT, our().services);
  await our().deliver();
  expect(failed).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
  const { status } = await our().poll((body as { import_id: string }).import_id);
  expect(status).toBe('success');
});

it.each(['nonsense', {}, { ...LOST, chunk: -1 }])(
  'a message that is not ours is logged and counted, and does not come again: %j',
  async (message) => {
    const telemetry = recordingTelemetry();
    const { batchItemFailures } = await processChunks(delivery([message, LOST]), CONTEXT, {
      ...our().services,
      telemetry,
    });
    expect(batchItemFailures).toEqual([{ itemIdentifier: '1' }]);
    expect(telemetry.samples).toContainEqual({ metric: METRIC.foreignMessages, value: 1 });
    const [line] = telemetry.lines;
    expect(line).toMatchObject({ level: 'error', error: { name: 'ForeignMessage' }, fields: { sender_id: 'sender' } });
    expect(JSON.stringify(line)).not.toContain('nonsense');
  },
);
