/** Signs with the asymmetric KMS key of the stack (ECC_NIST_P256): the private key never leaves KMS. */
import { createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { calculateJwkThumbprint } from 'jose';
import type { PublishedKey, Signer } from '../workflow/ports.ts';
import { dependencyFault } from './dependency-fault.ts';
import { rawSignature } from './ecdsa-signature.ts';
import { ENV } from './environment.ts';
import { variable, type Environment } from './variable.ts';

/** The key that the function's environment names. */
export function kmsSigner(environment: Environment): Signer {
  return signerOf(new KMSClient({}), variable(environment, ENV.signingKeyId));
}

export function signerOf(client: Pick<KMSClient, 'send'>, keyId: string): Signer {
  return {
    async publicKey() {
      const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: keyId })).catch(rethrow);
      return published(received(PublicKey));
    },
    async sign(message) {
      const command = new SignCommand({
        KeyId: keyId,
        Message: message,
        MessageType: 'RAW',
        SigningAlgorithm: 'ECDSA_SHA_256',
      });
      const { Signature } = await client.send(command).catch(rethrow);
      return rawSignature(received(Signature));
    },
  };
}

/** Key id and JWK of a public key in SPKI form. */
export async function published(spki: Uint8Array): Promise<Pick<PublishedKey, 'kid' | 'jwk'>> {
  const { x = '', y = '' } = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' }).export({
    format: 'jwk',
  });
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as const;
  return { kid: await calculateJwkThumbprint(jwk), jwk };
}

function received(bytes: Uint8Array | undefined): Uint8Array {
  if (!bytes) throw new Error('KMS answered nothing.');
  return bytes;
}

function rethrow(error: unknown): never {
  throw dependencyFault(error, 'The signing key');
}
