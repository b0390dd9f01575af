/** What the transport sends over HTTP. Costs milliseconds. */
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { fetchTransport } from '../../../bin/importer/client/transport.ts';
import { serve } from '../../kit/serve.ts';

const record = (n: number) => ({
  external_record_id: `person-${(n * 7919) % 100_003}@acme.test/Information Security Essentials/2024-${1 + (n % 9)}-${10 + (n % 19)}`,
  user: { email: `person-${(n * 7919) % 100_003}@acme.test` },
  content: { type: 'course', platform_course_id: 100 + (n % 40) },
  progress: { completion_pct: 100, completed_at: `2024-0${1 + (n % 9)}-${10 + (n % 19)}`, started_at: '2023-01-02' },
});

it('a batch of records is sent compressed, in at most 70 bytes a record, and a short body as it is', async () => {
  const received: { encoding: string | undefined; bytes: Buffer }[] = [];
  const server = await serve(async (request, response) => {
    received.push({ encoding: request.headers['content-encoding'], bytes: await buffer(request) });
    response.end('{}');
  });
  const send = fetchTransport(60_000);
  const body = { dry_run: true, records: Array.from({ length: 500 }, (_, n) => record(n)) };
  await send({ method: 'POST', url: server.url, body });
  await send({ method: 'POST', url: server.url, body: { dry_run: true } });
  server.stop();
  const [batch, short] = received;
  expect([batch?.encoding, short?.encoding]).toEqual(['gzip', undefined]);
  expect(JSON.parse(gunzipSync(batch?.bytes ?? '').toString())).toEqual(body);
  expect(JSON.parse(String(short?.bytes))).toEqual({ dry_run: true });
  expect((batch?.bytes.length ?? 0) / 500).toBeLessThanOrEqual(70);
});
