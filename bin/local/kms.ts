/** A local KMS with the keys of the stack, by their ids: `Sign` and `GetPublicKey` of the AWS JSON protocol. */
import { type KeyObject, createECDH, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { EngineFault, engineOf, type LocalEngine } from './engines.ts';
import { StartupFault, systemCode } from './lifecycle.ts';

export const SIGNING_KEY_ID = '00000000-0000-4000-8000-000000000001';
export const EVIDENCE_KEY_ID = '00000000-0000-4000-8000-000000000002';

const ALGORITHM = 'ECDSA_SHA_256';
const LARGEST_MESSAGE = 4096;
const DIGEST_BYTES = 32;

interface KmsRequest {
  readonly KeyId?: string;
  readonly Message?: string;
  readonly MessageType?: string;
  readonly SigningAlgorithm?: string;
}

type Operation = (request: KmsRequest, key: KeyObject) => object;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'TrentService.GetPublicKey': ({ KeyId }, key) => ({
    KeyId,
    KeySpec: 'ECC_NIST_P256',
    KeyUsage: 'SIGN_VERIFY',
    SigningAlgorithms: [ALGORITHM],
    PublicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64'),
  }),
  'TrentService.Sign': ({ KeyId, Message = '', MessageType = 'RAW', SigningAlgorithm }, key) => {
    const message = Buffer.from(Message, 'base64');
    const isDigest = MessageType === 'DIGEST' && message.length === DIGEST_BYTES;
    const isMessage = MessageType === 'RAW' && message.length > 0 && message.length <= LARGEST_MESSAGE;
    if (SigningAlgorithm !== ALGORITHM || !(isDigest || isMessage)) throw new EngineFault('ValidationException');
    const signature = isDigest ? signDigest(message, key) : sign('sha256', message, key);
    return { KeyId, SigningAlgorithm, Signature: signature.toString('base64') };
  },
};

export function kmsEngine(keys: Readonly<Record<string, KeyObject>>): LocalEngine {
  const disabled = new Set<KeyObject>();
  const operations: typeof OPERATIONS = {
    ...OPERATIONS,
    'TrentService.DisableKey': (_, key) => (disabled.add(key), {}),
  };
  return engineOf((target, request: KmsRequest) => {
    const operation = operations[target];
    if (operation === undefined) throw new EngineFault('UnknownOperationException');
    const key = keys[request.KeyId ?? ''];
    if (key === undefined) throw new EngineFault('NotFoundException');
    if (disabled.has(key)) throw new EngineFault('DisabledException');
    return operation(request, key);
  });
}

/** The order of the points of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** ECDSA of a digest that is made already, which Node's `sign` does not offer: r = (kG).x, s = (digest + r·d) / k. DER, as KMS has it. */
function signDigest(digest: Buffer, key: KeyObject): Buffer {
  const { d = '' } = key.export({ format: 'jwk' });
  const once = createECDH('prime256v1');
  const point = once.generateKeys();
  const r = numberOf(point.subarray(1, 33)) % ORDER;
  const inverse = power(numberOf(once.getPrivateKey()), ORDER - 2n);
  const s = (inverse * ((numberOf(digest) + r * numberOf(Buffer.from(d, 'base64url'))) % ORDER)) % ORDER;
  const body = Buffer.concat([integer(r), integer(s)]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

const numberOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, left] = [base, exponent]; left > 0n; square = (square * square) % ORDER, left >>= 1n)
    if (left % 2n === 1n) result = (result * square) % ORDER;
  return result;
}

function integer(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const padded = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
  return Buffer.concat([Buffer.from([0x02, padded.length]), padded]);
}

/** In memory, or in a file that only its owner can read. @throws StartupFault if the file holds anything else */
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
