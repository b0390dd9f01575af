/** Faults on request, and our client under all of them. The last test starts the whole stack: with `npm run test:long`. */
import { afterEach, describe, expect, it } from 'vitest';
import { MigrationClient } from '../../bin/importer/client/client.ts';
import { withRetries } from '../../bin/importer/client/retry.ts';
import { fates, parseFaults } from '../../bin/local/faults.ts';
import { AT_LENGTH } from '../kit/at-length.ts';
import { BATCHES, DATA, EVERY_FAULT, LEARNERS, PASSWORD } from '../kit/five-thousand.ts';
import { startStackOn } from '../kit/local-stack.ts';

describe('--faults', () => {
  it.each([
    ['slow=2s', { slow: 2000 }],
    ['slow=150ms,seed=7', { slow: 150, seed: 7 }],
    ['429=0.1,503=.05,lost-reply=1', { 429: 0.1, 503: 0.05, 'lost-reply': 1 }],
  ])('parseFaults: %s → the faults', (text, expected) => {
    expect(parseFaults(text)).toEqual({ slow: 0, 429: 0, 503: 0, 'lost-reply': 0, seed: 1, ...expected });
  });

  it.each([
    ['', 'one of'],
    ['418=0.1', 'one of 429, 503, slow'],
    ['constructor=1', 'one of 429, 503, slow'],
    ['slow=2', 'a time'],
    ['slow', 'one of'],
    ['429=2', 'a probability'],
    ['503=-1', 'a probability'],
    ['seed=x', 'a whole number'],
    ['429=0.6,503=0.6', 'not be more than 1'],
  ])('parseFaults: %j → an error of one line with an example', (text, reason) => {
    expect(() => parseFaults(text)).toThrow(reason);
    expect(() => parseFaults(text)).toThrow(/^--faults[^\n]*for example --faults slow=2s/);
  });

  it('the same seed gives the same sequence, and each fault about as often as asked for', () => {
    const sequence = (text: string) => Array.from({ length: 20_000 }, fates(parseFaults(text)));
    const once = sequence(EVERY_FAULT);
    expect(sequence(EVERY_FAULT)).toEqual(once);
    expect(sequence(EVERY_FAULT.replace('seed=7', 'seed=8'))).not.toEqual(once);
    const share = (of: (fate: (typeof once)[number]) => boolean) => once.filter(of).length / once.length;
    expect(share(({ refusal }) => refusal === 'throttled')).toBeCloseTo(0.1, 1.5);
    expect(share(({ refusal }) => refusal === 'unavailable')).toBeCloseTo(0.05, 1.5);
    expect(share(({ losesReply }) => losesReply)).toBeCloseTo(0.1, 1.5);
    expect(Math.max(...once.map(({ delayMs }) => delayMs))).toBeLessThanOrEqual(300);
  });
});

let stop: () => Promise<void> = async () => undefined;
afterEach(() => stop());

describe('the local stack with --faults', () => {
  it('refusals of the stack are in the envelope of the API, with Retry-After', async () => {
    const stack = await startStackOn(DATA, { faults: parseFaults('429=0.5,503=0.5,seed=7') });
    stop = () => stack.stop();
    const seen = new Map<number, unknown>();
    for (let turn = 0; turn < 20; turn += 1) {
      const response = await fetch(`${stack.url}/v1/openapi.json`);
      const { errors, request_id } = (await response.json()) as {
        errors: { error_code: string }[];
        request_id: string;
      };
      expect(response.headers.get('retry-after')).toMatch(/^[12]$/);
      expect(request_id).toBe(response.headers.get('x-request-id'));
      seen.set(response.status, errors[0]?.error_code);
    }
    expect(Object.fromEntries(seen)).toEqual({ 429: 'too_many_requests', 503: 'temporarily_unavailable' });
    // The pages of this server have no faults.
    expect((await fetch(`${stack.url}/docs`)).status).toBe(200);
  }, 120_000);

  it.runIf(AT_LENGTH)(
    'our client imports thousands of records under all of them, and none twice',
    async () => {
      const stack = await startStackOn(DATA, { faults: parseFaults(EVERY_FAULT) });
      stop = () => stack.stop();
      const waits: string[] = [];
      const retry = { patienceMs: 120_000, onWait: (reason: string) => void waits.push(reason) };
      const client = new MigrationClient({ baseUrl: stack.url, company_id: 'acme', retry });
      await withRetries(() => client.session.login({ email: 'admin@acme.test', password: PASSWORD }), retry);

      const ended = await Promise.all(
        BATCHES.map(async (records) => {
          const { import: started } = await client.startImport({ dry_run: false, run_id: 'all', records });
          return client.waitForImport(started.import_id);
        }),
      );
      expect(ended.map(({ status, counts }) => [status, counts.total, counts.succeeded])).toEqual(
        BATCHES.map(() => ['success', LEARNERS, LEARNERS]),
      );
      const stored = await client.listImports({ limit: 100 });
      expect(stored.imports.map(({ import_id }) => import_id).toSorted()).toEqual(
        ended.map(({ import_id }) => import_id).toSorted(),
      );
      const met = ['too_many_requests', 'temporarily_unavailable', 'cannot be reached'];
      for (const fault of met) expect(waits.filter((reason) => reason.includes(fault)).length).toBeGreaterThan(0);
    },
    180_000,
  );
});
