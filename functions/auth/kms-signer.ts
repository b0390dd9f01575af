/** Signs with the asymmetric KMS key of the stack (ECC_NIST_P256): the private key never leaves KMS. */
import { createPublicKey, hash } from 'node:crypto';
import { GetPublicKeyCommand, KMSClient, SignCommand, type SignCommandInput } from '@aws-sdk/client-kms';
import { calculateJwkThumbprint } from 'jose';
import { publishingSigner, type PublishingSigner } from './signing-keys.ts';
import type { Signer } from './tokens.ts';
import * as ENV from '../runtime/variables.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { dependencyFault, PATIENT_CLIENT } from '../runtime/faults.ts';

/** Signs tokens. A key that cannot be used, and a deletion of its item, are counted: an alarm rings. */
export function kmsSigner(
  environment: ENV.Environment,
  { telemetry }: { readonly telemetry: Pick<Telemetry, 'count' | 'info'> },
): PublishingSigner {
  const count = () => telemetry.count('SigningKeyUnusable');
  const signer = signerOf(new KMSClient(PATIENT_CLIENT), ENV.variable(environment, ENV.signingKeyId), count);
  return publishingSigner(signer, () => {
    count();
    telemetry.info('The item of the signing key was missing. The key is published again.');
  });
}

/** Signs evidence (§4.10), with a key of its own: no evidence passes for a token. @throws by `onUnusable` */
export const kmsEvidenceSigner = (environment: ENV.Environment, onUnusable: () => never): Signer =>
  signerOf(new KMSClient(PATIENT_CLIENT), ENV.variable(environment, ENV.evidenceKeyId), onUnusable);

/** Bytes that KMS takes as a message: of a longer one, as evidence may be, it takes the digest. */
const LONGEST_MESSAGE = 4096;

/** Throttling and outages of KMS become `TemporarilyUnavailable`; an unusable key calls `onUnusable`. */
export function signerOf(client: Pick<KMSClient, 'send'>, keyId: string, onUnusable: () => void = () => {}): Signer {
  const rethrow = (error: unknown): never => {
    if (!(error instanceof Error) || !UNUSABLE.has(error.name)) throw dependencyFault(error, 'The signing key');
    onUnusable();
    throw new SigningKeyUnusable('The signing key is disabled, waits to be deleted, or is deleted.', { cause: error });
  };
  return {
    async publicKey() {
      const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: keyId })).catch(rethrow);
      const spki = { key: Buffer.from(received(PublicKey)), format: 'der', type: 'spki' } as const;
      const { x = '', y = '' } = createPublicKey(spki).export({ format: 'jwk' });
      const jwk = { kty: 'EC', crv: 'P-256', x, y } as const;
      return { kid: await calculateJwkThumbprint(jwk), jwk };
    },
    async sign(message) {
      const content: Pick<SignCommandInput, 'Message' | 'MessageType'> =
        message.byteLength <= LONGEST_MESSAGE
          ? { Message: message, MessageType: 'RAW' }
          : { Message: hash('sha256', message, 'buffer'), MessageType: 'DIGEST' };
      const command = new SignCommand({ KeyId: keyId, ...content, SigningAlgorithm: 'ECDSA_SHA_256' });
      const { Signature } = await client.send(command).catch(rethrow);
      return rawSignature(received(Signature));
    },
  };
}

function received(bytes: Uint8Array | undefined): Uint8Array {
  if (!bytes) throw new Error('The response of KMS is empty.');
  return bytes;
}

class SigningKeyUnusable extends Error {
  override readonly name = 'SigningKeyUnusable';
}

const UNUSABLE = new Set(['DisabledException', 'KMSInvalidStateException', 'NotFoundException']);

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const COORDINATE_BYTES = 32;

/** A DER signature of P-256 (two INTEGERs) as JWTs take it: r and s, 32 bytes each (RFC 7518, section 3.4). */
export function rawSignature(der: Uint8Array): Uint8Array {
  if (der[0] !== SEQUENCE || der[1] !== der.length - 2) throw new Error('The signature is not a DER sequence.');
  const r = integerAt(der, 2);
  const s = integerAt(der, r.end);
  if (s.end !== der.length) throw new Error('The signature holds more than two integers.');
  const raw = new Uint8Array(2 * COORDINATE_BYTES);
  raw.set(r.digits, COORDINATE_BYTES - r.digits.length);
  raw.set(s.digits, 2 * COORDINATE_BYTES - s.digits.length);
  return raw;
}

/** DER pads a leading zero before a high bit and drops other leading zeros; r and s have a fixed length. */
function integerAt(der: Uint8Array, at: number): { digits: Uint8Array; end: number } {
  const end = at + 2 + (der[at + 1] ?? 0);
  const bytes = der.subarray(at + 2, end);
  const digits = bytes[0] === 0 ? bytes.subarray(1) : bytes;
  if (der[at] !== INTEGER || end > der.length || digits.length > COORDINATE_BYTES)
    throw new Error('The signature is not of P-256.');
  return { digits, end };
}
