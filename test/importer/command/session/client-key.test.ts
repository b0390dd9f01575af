/** A machine that logs in with its key: night after night, without a person. Costs a second. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NotAuthenticated, type HttpRequest } from '../../../../bin/importer/client/index.ts';
import { isReadByOthers, readClientKey } from '../../../../bin/importer/command/session/client-key.ts';
import { clientFor, SessionFile } from '../../../../bin/importer/command/session/session.ts';
import { applyMessage } from '../../../../functions/platform/apply-facts.ts';
import { freshFolder } from '../support/files.ts';
import { createPlatform, type Platform } from '../support/platform.ts';

const KEYS = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};
const jwkOf = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more });
const DAY_MS = 86_400_000;
const URL_OF_SERVICE = 'https://history.test';

function fileOf(content: string): string {
  const path = join(freshFolder(), 'key');
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

describe('the key of a client', () => {
  it.each(Object.entries(KEYS))('is read as JWK and as PEM: %s', async (alg, { privateKey }) => {
    const jwk = await readClientKey(fileOf(JSON.stringify(jwkOf(privateKey, { kid: 'k', client_id: 'nightly' }))));
    expect(jwk).toMatchObject({ alg, kid: 'k', client_id: 'nightly' });
    const pem = await readClientKey(fileOf(String(privateKey.export({ format: 'pem', type: 'pkcs8' }))));
    expect(pem).toMatchObject({ alg, kid: expect.stringMatching(/^[\w-]{43}$/), client_id: undefined });
  });

  it.each([
    ['a public key', JSON.stringify(jwkOf(KEYS.ES256.publicKey))],
    ['another curve', String(generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' }))],
    ['a text', 'secret text'],
    ['an empty file', ''],
  ])('%s is refused, and not quoted', async (_, content) => {
    const refused = await readClientKey(fileOf(content)).catch((error: Error) => error.message);
    expect(refused).toMatch(/must (be a private key|have a key of)/);
    expect(refused).not.toContain('secret text');
  });

  it.runIf(process.platform !== 'win32')('a file that others can read is told', () => {
    const open = join(freshFolder(), 'open');
    writeFileSync(open, '', { mode: 0o644 });
    expect([isReadByOthers(fileOf('')), isReadByOthers(open)]).toEqual([false, true]);
  });
});

/** A client that is registered with its public key, and the session of a command that logged in with it. */
async function nightly() {
  const platform = await createPlatform();
  const key_file = fileOf(JSON.stringify(jwkOf(KEYS.EdDSA.privateKey, { kid: 'k' })));
  let version = 0;
  const register = (more: object) =>
    applyMessage(
      { facts: [{ kind: 'client', company_id: 'acme', client_id: 'nightly', version: (version += 1), ...more }] },
      platform.world.services,
    );
  const jwks = { keys: [jwkOf(KEYS.EdDSA.publicKey, { kid: 'k' })] };
  await register({ name: 'Nightly', jwks, scopes: ['read', 'import'] });
  const folder = freshFolder();
  const client = { client_id: 'nightly', key_file };
  new SessionFile(folder).begin({
    base_url: URL_OF_SERVICE,
    auth_base_url: URL_OF_SERVICE,
    company_id: 'acme',
    client,
  });
  return { platform, register, folder, key_file };
}

/** A process of its own: all that it knows is in the folder. */
function started(folder: string, { world, transport }: Platform, sent: HttpRequest[]) {
  const file = new SessionFile(folder);
  const login = file.login();
  if (login === undefined) throw new Error('There is no session.');
  const recorded: Platform['transport'] = (request) => {
    sent.push(request);
    return transport(request);
  };
  return clientFor(login, file, { patienceMs: 0 }, { transport: recorded, now: () => world.clock.now });
}

const record = (night: number) => ({
  external_record_id: `night-${night}`,
  user: { email: 'ben.castillo@acme.test' },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
});

describe('thirty nights', () => {
  it('a job imports every night without a person, and stores its key nowhere else', async () => {
    const { platform, folder, key_file } = await nightly();
    const sent: HttpRequest[] = [];
    const statuses: string[] = [];
    for (let night = 0; night < 30; night += 1) {
      platform.world.clock.now += DAY_MS;
      const client = started(folder, platform, sent);
      const { import: accepted } = await client.startImport({ dry_run: false, records: [record(night)] }, `n-${night}`);
      statuses.push((await client.getImport(accepted.import_id)).status);
      expect(accepted).toMatchObject({ created_by: null, created_by_client: 'nightly' });
    }
    expect(statuses).toEqual(Array(30).fill('success'));
    const tokens = sent.filter(({ url }) => url.endsWith('/api/v1/auth/token'));
    expect(tokens).toHaveLength(30);
    expect(new Set(tokens.map(({ body }) => String(body))).size).toBe(30);
    const { d } = JSON.parse(readFileSync(key_file, 'utf8')) as { d: string };
    const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(kept.join('')).toContain('nightly');
    expect(kept.join('') + JSON.stringify(sent)).not.toContain(d);
  });

  it('one token serves a quarter of an hour, over several commands', async () => {
    const { platform, folder } = await nightly();
    const sent: HttpRequest[] = [];
    for (let command = 0; command < 5; command += 1) {
      await started(folder, platform, sent).listCourses();
      platform.world.clock.now += 4 * 60_000;
    }
    expect(sent.filter(({ url }) => url.endsWith('/token'))).toHaveLength(2);
  });

  it('a key that is replaced on both sides is used at once', async () => {
    const { platform, register, folder, key_file } = await nightly();
    await started(folder, platform, []).listCourses();
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const jwks = { keys: [jwkOf(publicKey, { kid: 'k' })] };
    await register({ name: 'Nightly', jwks, scopes: ['read'] });
    writeFileSync(key_file, JSON.stringify(jwkOf(privateKey, { kid: 'k' })));
    expect((await started(folder, platform, []).listCourses()).courses).not.toEqual([]);
  });

  it('once the client is gone, the next call says so', async () => {
    const { platform, register, folder } = await nightly();
    await started(folder, platform, []).listCourses();
    await register({ deleted: true });
    const refused = started(folder, platform, []).listCourses();
    await expect(refused).rejects.toBeInstanceOf(NotAuthenticated);
    platform.world.clock.now += DAY_MS;
    await expect(started(folder, platform, []).listCourses()).rejects.toThrow(/does not accept the key k.* is wrong$/);
  });
});
