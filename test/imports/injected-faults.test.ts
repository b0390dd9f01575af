/** Faults of our own, injected where the handlers take their services: what a caller is told, and that nothing is lost. */
import { describe, expect, it } from 'vitest';
import { processChunks } from '../../functions/handlers/process-chunk.ts';
import { watch } from '../../functions/handlers/watchdog.ts';
import { RECORD_RULES } from '../../functions/imports/plan-chunk.ts';
import type { RecordRules } from '../../functions/imports/plan-chunk.ts';
import { CONTEXT } from '../kit/api-event.ts';
import { delivery, useImportServices } from '../kit/import-services.ts';

const our = useImportServices();

const record = (external_record_id: string) => ({
  external_record_id,
  user: { email: 'ann@acme.test' },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
});

const poisonedBy = (rule: keyof RecordRules, position: number): RecordRules => ({
  ...RECORD_RULES,
  [rule]: (...args: unknown[]) => {
    const index = (args[0] as { index?: number }).index ?? args[1];
    if (index === position) throw new TypeError('a bug of ours');
    return (RECORD_RULES[rule] as (...passed: unknown[]) => unknown)(...args);
  },
});

async function accepted(records = [record('a'), record('b'), record('c')]) {
  const { body } = await our().start(records);
  return body as { import_id: string };
}

const polled = ({ import_id }: { import_id: string }) => our().poll(import_id);

describe('a record that makes our own code throw', () => {
  const anywhere = (['parse', 'resolve', 'plan'] as const).flatMap((rule) =>
    [0, 1, 2].map((at) => [rule, at] as const),
  );
  it.each(anywhere)('while we %s it costs only itself, at once, at position %i', async (rule, at) => {
    const started = await accepted();
    const answer = await our().deliver({ rules: poisonedBy(rule, at) });
    expect(answer).toEqual({ batchItemFailures: [] });
    const { status, records } = await polled(started);
    expect(status).toBe('partial_success');
    const outcomes = records.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(['applied', 'applied', 'applied'].with(at, null as never));
    expect(records[at].errors).toMatchObject([{ error_code: 'processing_failed' }]);
    expect(records[at].errors[0].message).toContain('again is safe');
    expect(our().telemetry.samples).toContainEqual({ metric: 'RecordsProcessingFailed', value: 1 });
  });

  it('is applied when it is sent again', async () => {
    await accepted();
    await our().deliver({ rules: poisonedBy('plan', 1) });
    const again = await accepted();
    await our().deliver();
    const { records } = await polled(again);
    expect(records.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['unchanged', 'applied', 'unchanged']);
  });
});

describe('a queue that is down', () => {
  it('does not keep an import from being accepted: the watchdog sends its chunks', async () => {
    const down = { send: () => Promise.reject(new Error('down')) };
    const { statusCode, body } = await our().start([record('a')], { queue: down });
    expect([statusCode, our().sent]).toEqual([202, []]);
    await our().watch();
    expect(our().sent).toEqual([]);
    our().clock.now += 60_000;
    await our().watch();
    await our().deliver();
    expect(await polled(body as { import_id: string })).toMatchObject({ status: 'success', counts: { succeeded: 1 } });
  });
});

describe('chunks that nothing processes', () => {
  it('are closed after a day: their records end as processing_failed, and may be sent again', async () => {
    const started = await accepted();
    for (let hours = 1; hours < 24; hours += 1) {
      our().clock.now += 3_600_000;
      await our().watch();
    }
    expect((await polled(started)).status).toBe('processing');
    our().clock.now += 5 * 3_600_000;
    await our().watch();
    our().clock.now += 60_000;
    await our().watch();
    const closed = await polled(started);
    expect(closed).toMatchObject({ status: 'error', counts: { total: 3, processed: 3, failed: 3 } });
    expect(closed.records[0].errors).toMatchObject([{ error_code: 'processing_failed' }]);
    await our().deliver();
    expect(await polled(started)).toEqual(closed);
  });
});

describe('chunks that nothing had the time to process', () => {
  it.each([false, true])(
    'are not closed by the first look after an outage of two days (restart: %s)',
    async (restart) => {
      const started = await accepted();
      our().sent.splice(0);
      our().clock.now += 48 * 3_600_000;
      await (restart ? watch({ detail: { open: 'all' } }, our().services) : our().watch());
      await our().deliver();
      expect(await polled(started)).toMatchObject({ status: 'success', counts: { total: 3, processed: 3 } });
    },
  );
});

describe('a message', () => {
  it.each(['nonsense', {}, { company_id: 'x', import_id: 'y', chunk: 0, payload_hash: 'z' }])(
    'that names no chunk of ours fails alone: %j',
    async (message) => {
      const started = await accepted();
      const failed = await processChunks(delivery([message]), CONTEXT, our().services);
      await our().deliver();
      expect(failed).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
      expect((await polled(started)).status).toBe('success');
    },
  );
});
