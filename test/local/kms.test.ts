import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthorisingProxy, startAuthorisingProxy } from '../../bin/local/iam/proxy.ts';
import { SIGNING_KEY_ID, kmsEngine, signingKey } from '../../bin/local/kms.ts';
import { StartupFault } from '../../bin/local/lifecycle.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

describe('the local KMS', () => {
  let proxy: AuthorisingProxy;
  let client: KMSClient;

  beforeAll(async () => {
    const engine = kmsEngine({ [SIGNING_KEY_ID]: signingKey(undefined) });
    proxy = await startAuthorisingProxy({
      kms: engine,
      sqs: engine,
      dynamodb: engine,
      events: engine,
      ssm: engine,
      ses: engine,
    });
    client = new KMSClient({ ...proxy.operator, maxAttempts: 1 });
  });
  afterAll(() => proxy.stop());

  const sign = (input: object) =>
    client.send(
      new SignCommand({
        KeyId: SIGNING_KEY_ID,
        Message: Buffer.from('m'),
        SigningAlgorithm: 'ECDSA_SHA_256',
        ...input,
      }),
    );

  it('the KMS signs as AWS does: a DER signature that its public key verifies', async () => {
    const { Signature = new Uint8Array() } = await sign({ MessageType: 'RAW' });
    const { PublicKey = new Uint8Array(), KeySpec } = await client.send(
      new GetPublicKeyCommand({ KeyId: SIGNING_KEY_ID }),
    );
    const key = createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' });
    expect(verify('sha256', Buffer.from('m'), key, Signature)).toBe(true);
    expect(KeySpec).toBe('ECC_NIST_P256');
  });

  it.each([
    ['another key', { KeyId: 'other' }, 'NotFoundException'],
    ['another algorithm', { SigningAlgorithm: 'ECDSA_SHA_384' }, 'ValidationException'],
    ['a message over 4,096 bytes', { Message: Buffer.alloc(4097) }, 'ValidationException'],
  ] as const)('the KMS refuses %s', async (_, input, name) => {
    await expect(sign(input)).rejects.toMatchObject({ name });
  });
});

describe('the signing key of a data directory', () => {
  const folder = temporaryFolder('migration-key');
  const file = join(folder, 'signing-key.pem');

  it('the signing key is the same after a restart, and only its owner can read it', () => {
    const first = signingKey(file);
    expect(signingKey(file).equals(first)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['no key at all', 'not a key'],
    [
      'a key of another kind',
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ],
  ])('the key is refused, not replaced, if the file holds %s', (_, content) => {
    writeFileSync(join(folder, 'bad.pem'), content);
    expect(() => signingKey(join(folder, 'bad.pem'))).toThrow(StartupFault);
  });
});
