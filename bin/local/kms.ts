/** A local KMS with the one key of the stack: `Sign` and `GetPublicKey` of the AWS JSON protocol. */
import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { LocalEngine } from './engines.ts';
import { StartupFault, systemCode } from './lifecycle.ts';

export const SIGNING_KEY_ID = '00000000-0000-4000-8000-000000000001';

const ALGORITHM = 'ECDSA_SHA_256';
const LARGEST_MESSAGE = 4096;

interface KmsRequest {
  readonly KeyId?: string;
  readonly Message?: string;
  readonly MessageType?: string;
  readonly SigningAlgorithm?: string;
}

class KmsError extends Error {}

type Operation = (request: KmsRequest, key: KeyObject) => Record<string, unknown>;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'TrentService.GetPublicKey': (_, key) => ({
    KeyId: SIGNING_KEY_ID,
    KeySpec: 'ECC_NIST_P256',
    KeyUsage: 'SIGN_VERIFY',
    SigningAlgorithms: [ALGORITHM],
    PublicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64'),
  }),
  'TrentService.Sign': ({ Message = '', MessageType = 'RAW', SigningAlgorithm }, key) => {
    const message = Buffer.from(Message, 'base64');
    if (SigningAlgorithm !== ALGORITHM || message.length === 0 || message.length > LARGEST_MESSAGE) {
      throw new KmsError('ValidationException');
    }
    // The functions send messages, never digests.
    if (MessageType !== 'RAW') throw new KmsError('ValidationException');
    return { KeyId: SIGNING_KEY_ID, SigningAlgorithm, Signature: sign('sha256', message, key).toString('base64') };
  },
};

/** A KMS engine with the one key. It listens on no address. */
export function kmsEngine(key: KeyObject): LocalEngine {
  return {
    async respond({ target, body }) {
      try {
        const request = JSON.parse(body.toString('utf8')) as KmsRequest;
        const operation = OPERATIONS[target];
        if (operation === undefined) throw new KmsError('UnknownOperationException');
        if (request.KeyId !== SIGNING_KEY_ID) throw new KmsError('NotFoundException');
        return reply(200, operation(request, key));
      } catch (error) {
        return reply(400, { __type: error instanceof KmsError ? error.message : 'ValidationException' });
      }
    },
  };
}

const reply = (status: number, body: Record<string, unknown>) => ({ status, body: Buffer.from(JSON.stringify(body)) });

/**
 * The P-256 signing key, in memory, or in a file that only its owner can read. The file is created on first use.
 *
 * @throws StartupFault if the file holds anything else
 */
export function signingKey(file: string | undefined): KeyObject {
  if (file === undefined) return newKey();
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return storedKey(file);
  }
  throw new StartupFault(`${file} is not a P-256 private key: restore it, or delete it and log in again everywhere`);
}

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

function storedKey(file: string): KeyObject {
  const key = newKey();
  // Renamed once complete, so that a crash cannot leave half a key.
  writeFileSync(`${file}.new`, key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return key;
}
