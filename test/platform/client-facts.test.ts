/** Facts of kind `client` (§5.3, §13.1): what is stored, refused, and whose an id is. In memory; costs milliseconds. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyMessage } from '../../functions/platform/apply-facts.ts';
import { createWorld, type World } from '../kit/world.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = (key: KeyObject) => key.export({ format: 'jwk' });
const KEY = { ...jwk(ec.publicKey), kid: 'k' };

const fact = (more: object = {}) => ({
  kind: 'client',
  version: 1,
  company_id: 'acme',
  client_id: 'nightly',
  name: 'Nightly',
  jwks: { keys: [KEY] },
  scopes: ['read'],
  ...more,
});

async function apply(more: object = {}) {
  const result = await applyMessage({ facts: [fact(more)] }, world.services);
  return 'results' in result ? result.results[0] : result;
}
const read = () => world.stores.clients.read('nightly');

describe('a client', () => {
  it('is stored with its public key alone, and its thumbprint', async () => {
    expect(await apply({ jwks: { keys: [{ ...KEY, use: 'sig', x5c: ['a'] }] } })).toEqual({ status: 'applied' });
    const thumbprint = expect.stringMatching(/^[\w-]{43}$/);
    const { kid, ...members } = KEY;
    expect(await read()).toEqual({
      company_id: 'acme',
      client_id: 'nightly',
      name: 'Nightly',
      scopes: ['read'],
      keys: [{ kid, thumbprint, jwk: members }],
    });
  });

  it('an older fact is stale, and a forced one is applied once', async () => {
    await apply({ version: 5 });
    expect(await apply({ version: 4, name: 'older' })).toEqual({ status: 'stale' });
    expect(await apply({ version: 4, name: 'forced', force: true })).toEqual({ status: 'applied' });
    expect(await apply({ version: 4, force: true })).toEqual({ status: 'stale' });
    expect(await read()).toMatchObject({ name: 'forced' });
  });

  it('a deleted client is gone, and its version remains', async () => {
    await apply({ version: 5 });
    expect(await apply({ version: 6, deleted: true })).toEqual({ status: 'applied' });
    expect(await read()).toBeUndefined();
    expect(await apply({ version: 5 })).toEqual({ status: 'stale' });
  });

  it.each([{}, { force: true }])(
    'the id of another company is rejected until that deletes it, with %j',
    async (more) => {
      await apply();
      const foreign = { company_id: 'globex', version: 9, ...more };
      expect(await apply(foreign)).toMatchObject({ status: 'rejected', errors: [{ field: 'facts.0.client_id' }] });
      expect(await apply({ ...foreign, deleted: true })).toMatchObject({ status: 'rejected' });
      await apply({ version: 2, deleted: true });
      expect(await apply(foreign)).toEqual({ status: 'applied' });
      expect(await read()).toMatchObject({ company_id: 'globex' });
    },
  );
});

describe('a client is rejected', () => {
  const weak = { ...jwk(rsa.publicKey), kid: 'k' };
  const curve = { ...jwk(otherCurve.publicKey), kid: 'k' };
  const keys = (...sent: unknown[]) => ({ jwks: { keys: sent } });
  it.each<[string, object]>([
    ['a private key', keys({ ...jwk(ec.privateKey), kid: 'k' })],
    ['a symmetric key', keys({ kty: 'oct', k: 'AAAA', kid: 'k' })],
    ['an RSA key of 1,024 bits', keys(weak)],
    ['another curve', keys(curve)],
    ['a point that is not on the curve', keys({ ...KEY, x: KEY.kid.padEnd(43, 'A') })],
    ['a key for encryption', keys({ ...KEY, use: 'enc' })],
    ['another algorithm', keys({ ...KEY, alg: 'ES384' })],
    ['no kid', keys({ ...KEY, kid: undefined })],
    ['one kid twice', keys(KEY, KEY)],
    ['no key', keys()],
    ['six keys', keys(...[1, 2, 3, 4, 5, 6].map((kid) => ({ ...KEY, kid: String(kid) })))],
    ['an unknown scope', { scopes: ['approve'] }],
    ['no scope', { scopes: [] }],
    ['an id with a #', { client_id: 'a#b' }],
    ['a long id', { client_id: 'a'.repeat(65) }],
    ['an erasure', { erase: true }],
  ])('for %s', async (_, more) => {
    expect(await apply(more)).toMatchObject({ status: 'rejected' });
    expect(await read()).toBeUndefined();
  });
});
