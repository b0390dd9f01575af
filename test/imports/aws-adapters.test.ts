/** The queue and the signing key behind fake clients, and what is logged. Costs milliseconds. */
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { rawSignature, signerOf } from '../../functions/auth/kms-signer.ts';
import { chunkQueue } from '../../functions/imports/chunk-queue.ts';
import { METRIC } from '../../functions/runtime/metric-names.ts';
import { powertoolsTelemetry, redact } from '../../functions/runtime/telemetry.ts';

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly MessageGroupId: string;
}

function queueOf(answer: (entries: Entry[], call: number) => object) {
  const calls: Entry[][] = [];
  const client = {
    send: async (command: { input: { Entries: Entry[] } }) => {
      calls.push(command.input.Entries);
      return answer(command.input.Entries, calls.length);
    },
  };
  const queue = chunkQueue({ client: client as never, queueUrl: 'q', pause: async () => {}, jitter: () => 0.5 });
  return { queue, calls };
}

const messages = (count: number) =>
  Array.from({ length: count }, (_, chunk) => ({
    company_id: 'acme',
    import_id: 'i',
    chunk,
    payload_hash: 'h',
    more: 'dropped',
  }));
const refused = (entries: Entry[], Code: string, SenderFault = false) => ({
  Failed: entries.map(({ Id }) => ({ Id, Code, SenderFault })),
});
const unavailable = expect.objectContaining({ name: 'TemporarilyUnavailable' });

describe('the chunk queue', () => {
  it('sends ids only, in tens', async () => {
    const { queue, calls } = queueOf(() => ({}));
    await queue.send(messages(23));
    expect(calls.map((entries) => entries.length)).toEqual([10, 10, 3]);
    expect(JSON.parse(calls[2]?.[2]?.MessageBody ?? '')).toEqual({
      company_id: 'acme',
      import_id: 'i',
      chunk: 22,
      payload_hash: 'h',
    });
  });

  it('shares the queue fairly between companies', async () => {
    const { queue, calls } = queueOf(() => ({}));
    await queue.send(messages(1));
    expect(calls[0]?.[0]?.MessageGroupId).toBe('acme');
  });

  it('sends again what was refused, and only that', async () => {
    const { queue, calls } = queueOf((entries, call) => (call === 1 ? refused(entries.slice(1), 'InternalError') : {}));
    await queue.send(messages(3));
    expect(calls.map((entries) => entries.map(({ Id }) => Id))).toEqual([
      ['0', '1', '2'],
      ['1', '2'],
    ]);
  });

  it('gives up after a while with a fault that may be retried', async () => {
    const { queue, calls } = queueOf((entries) => refused(entries, 'ThrottlingException', true));
    await expect(queue.send(messages(1))).rejects.toThrow(unavailable);
    expect(calls).toHaveLength(5);
  });

  it('does not hide a malformed message behind retries', async () => {
    const { queue, calls } = queueOf((entries) => refused(entries, 'InvalidMessageContents', true));
    await expect(queue.send(messages(1))).rejects.toThrow('InvalidMessageContents');
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['is down', { name: 'ServiceUnavailable', $metadata: { httpStatusCode: 503 } }],
    ['cannot be reached', { name: 'Error', code: 'ECONNREFUSED' }],
    ['answers too late', { name: 'TimeoutError' }],
    ['throttles', { name: 'RequestThrottled', $metadata: { httpStatusCode: 400 } }],
  ])('is temporarily unavailable when it %s', async (_, fault) => {
    const { queue } = queueOf(() => {
      throw Object.assign(new Error('fault'), fault);
    });
    await expect(queue.send(messages(1))).rejects.toThrow(unavailable);
  });

  it('tells a fault of ours as it is', async () => {
    const { queue } = queueOf(() => {
      throw Object.assign(new Error('denied'), { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
    });
    await expect(queue.send(messages(1))).rejects.toThrow('denied');
  });
});

describe('the signing key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const client = {
    send: async (command: { input: { Message?: Uint8Array } }) =>
      command.input.Message
        ? { Signature: sign('sha256', command.input.Message, privateKey) }
        : { PublicKey: publicKey.export({ type: 'spki', format: 'der' }) },
  };
  const signer = signerOf(client as never, 'key-1');

  it('signs in the form that tokens take, whatever the lengths of r and s are', async () => {
    // One signature in 128 or so has a short r or s: enough of them to meet every shape.
    for (let turn = 0; turn < 1000; turn += 1) {
      const message = Buffer.from(`message ${turn}`);
      const signature = await signer.sign(message);
      expect(signature).toHaveLength(64);
      expect(verify('sha256', message, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
    }
  });

  it('names its public key by thumbprint, without its private half', async () => {
    const { kid, jwk } = await signer.publicKey();
    expect(kid).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(Object.keys(jwk).toSorted()).toEqual(['crv', 'kty', 'x', 'y']);
    expect(createPublicKey({ key: jwk, format: 'jwk' }).equals(publicKey)).toBe(true);
  });

  it.each([
    [[]],
    [[0x30, 0x00]],
    [[0x30, 0x03, 0x02, 0x01, 0x01]],
    [[0x31, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01]],
    [[0x30, 0x07, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x00]],
  ])('refuses the malformed signature %j', (der) => {
    expect(() => rawSignature(Uint8Array.from(der))).toThrow('signature');
  });
});

describe('telemetry', () => {
  it.each([
    ['no user ada@acme.test', 'no user [e-mail]'],
    ['bad eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI3In0aaaa.c2lnbmF0dXJl', 'bad [token]'],
    ["Cannot read properties of undefined (reading 'x')", "Cannot read properties of undefined (reading 'x')"],
  ])('redacts %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it('writes counts once, added up, with the next line or at the end, and an error without its message repeated', () => {
    const written: string[] = [];
    const spies = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation((line) => (written.push(String(line)), true)),
    );
    const telemetry = powertoolsTelemetry({ POWERTOOLS_SERVICE_NAME: 'acme-sandbox' });
    telemetry.count(METRIC.recordsApplied, 2);
    telemetry.count(METRIC.recordsApplied, 3);
    telemetry.count('user_not_found');
    telemetry.time(METRIC.timeToTerminal, 1200);
    telemetry.time(METRIC.timeToTerminal, 800);
    telemetry.error('failed', new Error('for ada@acme.test'), { import_id: 'i-1' });
    telemetry.info('chunk', { chunk: 0 });
    telemetry.count(METRIC.chunksFailed);
    telemetry.flush();
    telemetry.flush();
    for (const spy of spies) spy.mockRestore();
    const [error, chunk, rest, ...more] = written.map((line) => JSON.parse(line));
    expect(more).toEqual([]);
    expect(error).toMatchObject({
      level: 'ERROR',
      import_id: 'i-1',
      service: 'acme-sandbox',
      error: { name: 'Error', message: 'for [e-mail]' },
    });
    const metrics = (...Metrics: object[]) => [
      { Namespace: 'CourseProgressMigration', Dimensions: [['service']], Metrics },
    ];
    expect(chunk).toMatchObject({
      level: 'INFO',
      message: 'chunk',
      service: 'acme-sandbox',
      chunk: 0,
      RecordsApplied: 5,
      user_not_found: 1,
      TimeToTerminal: [1200, 800],
      _aws: {
        CloudWatchMetrics: metrics(
          { Name: 'RecordsApplied' },
          { Name: 'user_not_found' },
          { Name: 'TimeToTerminal', Unit: 'Milliseconds' },
        ),
      },
    });
    expect(rest).toMatchObject({
      service: 'acme-sandbox',
      ChunksFailed: 1,
      _aws: { CloudWatchMetrics: metrics({ Name: 'ChunksFailed' }) },
    });
    expect(written.join('')).not.toContain('ada@acme');
  });
});
