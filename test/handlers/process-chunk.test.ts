/** One delivery of chunk messages, of which some may fail. Costs some 100 ms. */
import { expect, it } from 'vitest';
import { processChunks } from '../../functions/handlers/process-chunk.ts';
import { CONTEXT } from '../kit/api-event.ts';
import { delivery, useImportServices } from '../kit/import-services.ts';

const our = useImportServices();

const record = {
  external_record_id: 'a',
  user: { email: 'ann@acme.test' },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
};

it.each(['nonsense', {}, { company_id: 'x', import_id: 'y', chunk: 0, payload_hash: 'z' }])(
  'a message that names no chunk of ours fails alone: %j',
  async (message) => {
    const { body } = await our().start([record]);
    const failed = await processChunks(delivery([message]), CONTEXT, our().services);
    await our().deliver();
    expect(failed).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
    const { status } = await our().poll((body as { import_id: string }).import_id);
    expect(status).toBe('success');
  },
);
