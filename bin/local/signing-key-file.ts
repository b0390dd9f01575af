import { type KeyObject, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { StartupFault, systemCode } from './startup-fault.ts';

/** The P-256 key kept in a file that its owner alone may read; made on first use. Without a file it lives in memory. */
export function signingKey(file: string | undefined): KeyObject {
  if (file === undefined) return newKey();
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return storedKey(file);
  }
  throw new StartupFault(`${file} is no P-256 private key: restore it, or remove it and have everybody log in again`);
}

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

function storedKey(file: string): KeyObject {
  const key = newKey();
  // Renamed when complete, so that a crash leaves no half of a key.
  writeFileSync(`${file}.new`, key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return key;
}
