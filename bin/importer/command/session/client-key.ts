/** The key of a machine (§5.3). It is read from its file each time, and never stored a second time. */
import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { calculateJwkThumbprint, SignJWT } from 'jose';
import { NotAuthenticated, readClaims, ServiceError, type TokenStore, type Transport } from '../../client/index.ts';
import { withRetries } from '../../client/transport.ts';
import { jsonOf } from '../../engine/ground/text.ts';
import { isObject, routePath } from '../../wire/values.ts';
import { codeOf, UsageError } from '../errors.ts';

/** A client as the session remembers it: its id, and where its key is. */
export interface KeyOfClient {
  readonly client_id: string;
  /** An absolute path. */
  readonly key_file: string;
}

interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly key: KeyObject;
  /** As the file names it, or nothing. */
  readonly client_id: string | undefined;
}

/** A private key as JWK or PEM. Without a `kid`, its thumbprint (RFC 7638) names it. @throws UsageError */
export async function readClientKey(path: string): Promise<SigningKey> {
  const text = contentOf(path);
  const json: unknown = jsonOf(text);
  const jwk = isObject(json) ? json : undefined;
  const key = privateKey(path, jwk === undefined ? text : { key: jwk, format: 'jwk' });
  const alg = ALGORITHMS[key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? ''];
  if (alg === undefined)
    throw new UsageError(`${path} must have a key of P-256, Ed25519 or RSA: the service takes no other.`);
  const textIn = (name: string) => (typeof jwk?.[name] === 'string' ? jwk[name] : undefined);
  const kid = textIn('kid') ?? (await calculateJwkThumbprint(createPublicKey(key).export({ format: 'jwk' })));
  return { kid, alg, key, client_id: textIn('client_id') };
}

/** Whether other accounts of this machine can read a file. Windows has no such modes. */
export const isReadByOthers = (path: string): boolean =>
  process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;

const ALGORITHMS: Readonly<Record<string, string>> = { prime256v1: 'ES256', ed25519: 'EdDSA', rsa: 'RS256' };

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`The key ${path} cannot be read (${codeOf(error)}).`);
  }
}

/** The reason of a key that cannot be read may quote it, so it is left out. */
function privateKey(path: string, given: Parameters<typeof createPrivateKey>[0]): KeyObject {
  try {
    return createPrivateKey(given);
  } catch {
    throw new UsageError(`${path} must be a private key, as JWK or as PEM without a password.`);
  }
}

/** Shorter than the service takes (5 minutes), for clocks that differ. */
const ASSERTION_SECONDS = 60;
/** A token that ends so soon is not used for another call. */
const MARGIN_MS = 60_000;
const PATIENCE_MS = 60_000;

export interface Granting {
  readonly auth_base_url: string;
  readonly client: KeyOfClient;
  readonly transport: Transport;
  readonly now: () => number;
}

/** The tokens of a client: its key gets the next one before the last one ends, or if that is refused after a change of the key. */
export function clientTokens(store: TokenStore, granting: Granting) {
  const isUsable = (token: string): boolean => (readClaims(token).expiresAtMs ?? 0) > granting.now() + MARGIN_MS;
  const renewed = async () => {
    const tokens = { access_token: await grantedToken(granting) };
    await store.write(tokens);
    return tokens;
  };
  const tokens: TokenStore = {
    write: (written) => store.write(written),
    exclusively: (step) => store.exclusively(step),
    async read() {
      const known = await store.read();
      return known !== undefined && isUsable(known.access_token) ? known : renewed();
    },
  };
  return { tokens, signInAgain: async () => void (await renewed()) };
}

/** @throws NotAuthenticated, ServiceError, ServiceUnreachable, UsageError */
async function grantedToken({ auth_base_url, client, transport, now }: Granting): Promise<string> {
  const { client_id, key_file } = client;
  const { key, kid, alg } = await readClientKey(key_file);
  const url = auth_base_url + routePath('get-token', {});
  // An assertion is used once, so each attempt has another.
  const ask = async () => {
    const seconds = Math.floor(now() / 1000);
    const claims = { iss: client_id, sub: client_id, aud: url, jti: randomUUID(), exp: seconds + ASSERTION_SECONDS };
    const client_assertion = await new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
    const body = new URLSearchParams({ ...GRANT, client_assertion });
    return transport<{ readonly access_token: string }>({ method: 'POST', url, body });
  };
  try {
    return (await withRetries(ask, { patienceMs: PATIENCE_MS })).body.access_token;
  } catch (error) {
    if (!(error instanceof ServiceError) || (error.status !== 401 && error.status !== 400)) throw error;
    throw new NotAuthenticated(
      `The service does not accept the key ${kid} of client ${client_id}: it is not registered, or the clock of this machine is wrong`,
    );
  }
}

const GRANT = {
  grant_type: 'client_credentials',
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
};
