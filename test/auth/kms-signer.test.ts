/** Signing with KMS, over a stub of its client. Costs milliseconds. */
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { rawSignature, signerOf } from '../../functions/auth/kms-signer.ts';

describe('the signing key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const client = {
    send: async (command: { input: { Message?: Uint8Array } }) =>
      command.input.Message
        ? { Signature: sign('sha256', command.input.Message, privateKey) }
        : { PublicKey: publicKey.export({ type: 'spki', format: 'der' }) },
  };
  const signer = signerOf(client as never, 'key-1');

  it('the signer returns signatures in the form of tokens, whatever the lengths of r and s are', async () => {
    // One signature in 128 or so has a short r or s: this is enough of them to meet every shape.
    for (let turn = 0; turn < 1000; turn += 1) {
      const message = Buffer.from(`message ${turn}`);
      const signature = await signer.sign(message);
      expect(signature).toHaveLength(64);
      expect(verify('sha256', message, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
    }
  });

  it('the signer names its public key by thumbprint, without its private half', async () => {
    const { kid, jwk } = await signer.publicKey();
    expect(kid).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(Object.keys(jwk).toSorted()).toEqual(['crv', 'kty', 'x', 'y']);
    expect(createPublicKey({ key: jwk, format: 'jwk' }).equals(publicKey)).toBe(true);
  });

  it.each([
    ['DisabledException', 'SigningKeyUnusable'],
    ['KMSInvalidStateException', 'SigningKeyUnusable'],
    ['NotFoundException', 'SigningKeyUnusable'],
    ['KMSInternalException', 'TemporarilyUnavailable'],
    ['AccessDeniedException', 'AccessDeniedException'],
  ])('the signer reports %s of KMS as %s', async (name, reported) => {
    let unusable = 0;
    const client = { send: () => Promise.reject(Object.assign(new Error(), { name })) };
    const failing = signerOf(client as never, 'key-1', () => (unusable += 1));
    await expect(failing.sign(Buffer.from('x'))).rejects.toMatchObject({ name: reported });
    expect(unusable).toBe(reported === 'SigningKeyUnusable' ? 1 : 0);
  });

  it.each([
    [[]],
    [[0x30, 0x00]],
    [[0x30, 0x03, 0x02, 0x01, 0x01]],
    [[0x31, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01]],
    [[0x30, 0x07, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x00]],
  ])('the signer refuses the malformed signature %j', (der) => {
    expect(() => rawSignature(Uint8Array.from(der))).toThrow('signature');
  });
});
