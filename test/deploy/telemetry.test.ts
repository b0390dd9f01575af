/**
 * The telemetry of the whole service on this machine: logs, metrics and messages, in normal operation and with broken
 * connections. Looks for planted secrets, and measures the log lines of an import. For `npm run test:long`.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LocalStack } from '../../bin/local/stack.ts';
import { documentClient } from '../../functions/dynamodb/client.ts';
import { powertoolsTelemetry, type Telemetry } from '../../functions/runtime/telemetry.ts';
import { emissionsOf } from './support/metrics.ts';
import { CallRecorder } from './support/call-recorder.ts';
import { chunkMessagesOf, cloneImport, deliveryOf, functionOf } from './support/clone-import.ts';
import { CANARY, plantedData, plantedRecords } from './support/planted-data.ts';
import { SCENARIOS } from './support/scenarios.ts';
import { AT_LENGTH } from '../kit/at-length.ts';
import { capturedLines } from '../kit/captured-lines.ts';
import { finished, type Send, sender, tokensOf } from '../kit/http-client.ts';
import { startStackOn } from '../kit/local-stack.ts';

// Nothing here measures time, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

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

/** Bytes of these lines as a deployed stack writes them, under its longer name. */
function deployedBytes(written: readonly string[]): number {
  const name = 'course-progress-migration-acme-production';
  return written
    .map((line) => `${line.replace('"service":"local"', `"service":"${name}"`)}\n`)
    .reduce((sum, line) => sum + Buffer.byteLength(line), 0);
}

async function writtenBy(work: (telemetry: Telemetry) => Promise<void>): Promise<string[]> {
  const written = capturedLines();
  await work(powertoolsTelemetry({ POWERTOOLS_SERVICE_NAME: 'local' }));
  vi.restoreAllMocks();
  return written;
}

describe.runIf(AT_LENGTH)('an import of 500 records', () => {
  it('the log of an import has less than 4 KB, metrics included, even if each of its chunks is a delivery of its own', async () => {
    const token = await login();
    const body = { dry_run: false, records: plantedRecords(500) };
    const started = await send('POST', `${BASE}/progress/imports`, { token, body });
    expect(started.status).toBe(202);
    const { import_id } = started.body;
    await finished(send, BASE, import_id, token);
    const post = lines.filter((line) => line.includes('"POST /v1/migrations/{company_id}/progress/imports"'));

    const client = documentClient(stack.operator);
    const clone = { name: 'apart', members: {}, withPlan: false };
    const messages = chunkMessagesOf(await cloneImport(client, stack.tableName, import_id, clone));
    client.destroy();
    const before = lines.length;
    for (const message of messages) await functionOf(stack, 'ProcessChunk').attempt(deliveryOf([message]));
    const settled = () => lines.slice(before).some((line) => line.includes('TimeToTerminal'));
    await expect.poll(settled).toBe(true);
    const chunks = lines.slice(before).filter((line) => line.includes('"chunk"'));

    expect([post.length, messages.length, chunks.length]).toEqual([1, 4, 4]);
    const bytes = deployedBytes([...post, ...chunks]);
    console.log(`an import of 500 records in 4 deliveries writes ${bytes} bytes of log`);
    expect(bytes).toBeLessThan(4096);
  });

  it('an import logs one line a request and one a chunk, with the ids that are needed to follow it', () => {
    const shown = lines.map((line) => JSON.parse(line));
    const chunks = shown.filter(({ message }) => message === 'chunk');
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({
        level: 'INFO',
        request_id: expect.any(String),
        memory_mb: expect.any(Number),
        company_id: 'acme',
        import_id: expect.any(String),
        chunk: expect.any(Number),
        RecordsApplied: expect.any(Number),
        failed: expect.any(Number),
        duration_ms: expect.any(Number),
      });
    }
    expect(chunks.some(({ user_not_found }) => user_not_found > 0)).toBe(true);
    expect(shown.find(({ status }) => status === 202)).toMatchObject({
      message: 'request',
      request_id: expect.any(String),
      import_id: expect.any(String),
      company_id: 'acme',
      duration_ms: expect.any(Number),
      memory_mb: expect.any(Number),
    });
  });
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
    const written = await writtenBy(async (telemetry) => SCENARIOS['RecordsProcessingFailed']?.(telemetry, 1));
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
