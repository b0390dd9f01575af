/**
 * The logs, metrics and messages of the whole service on this machine, in normal operation and with broken connections,
 * have no planted secret. For `npm run test:long`.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LocalStack } from '../../bin/local/stack.ts';
import { powertoolsTelemetry } from '../../functions/runtime/telemetry.ts';
import { emissionsOf } from './support/metrics.ts';
import { CallRecorder } from './support/call-recorder.ts';
import { deliveryOf, functionOf } from './support/clone-import.ts';
import { CANARY, PLANTED_RECORDS, plantedData } from './support/planted-data.ts';
import { SCENARIOS } from './support/scenarios.ts';
import { AT_LENGTH } from '../kit/at-length.ts';
import { capturedLines } from '../kit/captured-lines.ts';
import { finished, type Send, sender, tokensOf } from '../kit/http-client.ts';
import { startStackOn } from '../kit/local-stack.ts';

const BASE = '/v1/migrations/acme';
const recorder = new CallRecorder();
const lines: string[] = [];
/** Tokens are secrets too, and not known in advance. */
const tokens: string[] = [];
let stack: LocalStack;
let send: Send;

async function login(): Promise<string> {
  const { access, refresh } = await tokensOf(send, CANARY.adminEmail, CANARY.password);
  tokens.push(access, refresh);
  return access;
}

beforeAll(async () => {
  stack = await startStackOn(plantedData(), { observe: recorder.observe, onLogLine: (line) => lines.push(line) });
  send = sender(stack.url);
});
afterAll(async () => {
  await stack?.stop();
});

describe.runIf(AT_LENGTH)('planted secrets', () => {
  const emails = [CANARY.adminEmail, CANARY.learnerEmail];
  const mapping = { external_user_id: CANARY.externalUserId, email: CANARY.learnerEmail };
  const mapped = {
    external_record_id: `${CANARY.externalRecordId}-mapped`,
    user: { external_user_id: CANARY.externalUserId },
    content: { type: 'course', external_course_id: CANARY.externalCourseId },
    progress: { completion_pct: 3 },
  };

  /** Every operation, with valid and invalid requests. */
  async function useEverything(token: string): Promise<void> {
    const attempt = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
      send(method, path, { token, body, headers: more }).catch(() => undefined);
    const credentials = { email: CANARY.adminEmail, password: CANARY.wrongPassword };
    await attempt('POST', '/api/v1/auth/login', credentials);
    await attempt('POST', '/api/v1/auth/login', `{"password":"${CANARY.password}`);
    await attempt('POST', '/api/v1/auth/refresh-token', { refreshToken: tokens[1] });
    await attempt('POST', '/api/v1/auth/refresh-token', { refreshToken: tokens[0] });
    await attempt('GET', '/api/v1/auth/profile');
    await attempt('POST', `${BASE}/users/resolve`, { emails });
    await attempt('POST', `${BASE}/users/mappings`, { mappings: [mapping] });
    const course = { external_course_id: CANARY.externalCourseId, platform_course_id: 101 };
    await attempt('POST', `${BASE}/catalog/mappings`, { mappings: [course] });
    for (const path of ['/users/mappings', '/catalog/mappings', '/progress/imports']) {
      await attempt('GET', BASE + path);
      await attempt('GET', `${BASE}${path}?cursor=${CANARY.externalUserId}`);
    }
    // The second real run is a replay.
    for (const dry_run of [true, false, false, 'canary']) {
      const key = { 'idempotency-key': `${CANARY.idempotencyKey}-${dry_run}` };
      const body = { dry_run, records: [mapped, null, CANARY.externalRef] };
      await attempt('POST', `${BASE}/progress/imports`, body, key);
    }
    await attempt('GET', `${BASE}/progress/records?external_record_id=${CANARY.externalRecordId}-1`);
    await attempt('GET', `${BASE}/progress/learners?external_user_id=${CANARY.externalUserId}`);
    await attempt('GET', `/v1/migrations/${CANARY.externalUserId}/catalog/courses`);
    await attempt('GET', `${BASE}/progress/imports/${CANARY.externalRecordId}/records?include=record`);
  }

  it('planted secrets are found in no log line, metric or queue message, also if connections break', async () => {
    const token = await login();
    const body = { dry_run: false, records: PLANTED_RECORDS };
    const started = await send('POST', `${BASE}/progress/imports`, { token, body });
    await finished(send, BASE, started.body.import_id, token);
    await useEverything(token);
    recorder.isDown = true;
    await Promise.race([useEverything(token), new Promise((resolve) => setTimeout(resolve, 8000))]);
    const [message] = recorder.messages.map((body) => JSON.parse(body).Entries[0].MessageBody);
    await functionOf(stack, 'ProcessChunk').attempt(deliveryOf([message, '{"canary-external-ref":']));
    recorder.isDown = false;

    const shown = [...lines, ...recorder.messages];
    expect(lines.filter((line) => line.includes('"ERROR"')).length).toBeGreaterThan(0);
    expect(recorder.messages.length).toBeGreaterThan(0);
    const secrets = [...Object.values(CANARY), 'canary', ...tokens.flatMap((token) => [token, token.split('.')[2]])];
    for (const secret of secrets) {
      expect(shown.filter((line) => line.toLowerCase().includes(String(secret).toLowerCase()))).toEqual([]);
    }
  });

  it('planted secrets are not shown by the exception of a rule that quotes the record', async () => {
    const written = capturedLines();
    await SCENARIOS['RecordsProcessingFailed']?.(powertoolsTelemetry({}), 1);
    vi.restoreAllMocks();
    expect(written.join('')).toContain('A rule threw on a record.');
    expect(written.join('')).not.toContain('quoted from the record');
  });

  it('planted secrets were really used', () => {
    const routes = new Set(lines.flatMap((line) => /"route":"([^"]+)"/.exec(line)?.[1] ?? []));
    expect(routes.size).toBeGreaterThan(12);
    const counted = ['ImportsAccepted', 'ImportsReplayed', 'DryRunsAnswered', 'LoginsSucceeded', 'LoginsRefused'];
    expect(emissionsOf(lines).map(({ name }) => name)).toEqual(expect.arrayContaining(counted));
  });
});
