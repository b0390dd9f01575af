/** `npm start -- --client-key FILE`: a machine of the sample company (§5.3), with the file of its private key. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isObject } from '../../functions/records/json.ts';
import { SCOPES } from '../../functions/shared/codes.ts';
import type { LocalIntake } from './intake.ts';
import { StartupFault, systemCode } from './lifecycle.ts';

export const SAMPLE_CLIENT = { company_id: 'acme', client_id: 'sample' };

/** Registers the client with the public half of the key in the file, which is made if there is none. @throws StartupFault */
export async function registerSampleClient(file: string, intake: LocalIntake, nowMs: number): Promise<void> {
  const key = keyIn(file);
  const jwks = { keys: [{ ...createPublicKey(key).export({ format: 'jwk' }), kid: KID }] };
  const fact = { kind: 'client', version: nowMs, ...SAMPLE_CLIENT, name: 'Sample client', jwks, scopes: SCOPES };
  const result = await intake({ facts: [fact] });
  if (JSON.stringify(result).includes('rejected'))
    throw new StartupFault(`--client-key ${file} has a key that no client may have: name another file`);
}

const KID = 'sample';

function keyIn(file: string) {
  try {
    if (!existsSync(file)) writeFileSync(file, newKey(), { mode: 0o600, flag: 'wx' });
    const jwk: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return createPrivateKey({ key: isObject(jwk) ? jwk : {}, format: 'jwk' });
  } catch (error) {
    throw new StartupFault(
      `--client-key ${file} cannot be used (${systemCode(error) ?? 'it has no private JWK'}): name another file`,
    );
  }
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { client_id } = SAMPLE_CLIENT;
  return `${JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: KID, client_id }, null, 2)}\n`;
}
