/**
 * The commands of docs/operate.md and the erasure of docs/runbook.md, run as written there against the intake of the
 * shared local stack, and their effect on a client of the sample company.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { call as send } from '../kit/api.ts';
import { tokensOf } from '../kit/http-client.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/operate.md'), 'utf8');
const RUNBOOK = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
const ADMIN = 'admin@acme.test';
const PASSWORD = 'changeme';
const folder = temporaryFolder('operators');

const tell = async (payload: string): Promise<unknown> =>
  (
    await fetch(inject('intake'), { method: 'POST', headers: { 'content-type': 'application/json' }, body: payload })
  ).json();

/** Runs the command under this heading, with an `aws` in its place that prints the payload instead of sending it. */
async function run(heading: string): Promise<unknown> {
  const [, block] = (PAGE.split(`**${heading}**`)[1] ?? RUNBOOK.split(`### ${heading}`)[1])?.split('```') ?? [];
  if (block === undefined) throw new Error(`there is no command under ${heading}`);
  const aws = `aws() { [ "$1 $2" = "lambda invoke" ] && cat facts.json >&3; }`;
  const command = `${aws}; output() { echo intake; }; exec 3>&1 >/dev/null; ${block.replace(/^sh\n/, '')}`;
  const payload = execFileSync('bash', ['-euc', command], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, INTAKE_FUNCTION_NAME: 'intake' },
  });
  return tell(payload);
}

const logIn = () => tokensOf(send, ADMIN, PASSWORD);
const APPLIED = { results: [{ status: 'applied' }] };
const profile = async (token: string) => (await send('GET', '/api/v1/auth/profile', { token })).status;
const catalog = async (token: string) => (await send('GET', '/v1/migrations/acme/catalog/courses', { token })).status;

describe('an operator', () => {
  it('an operator ends the sessions of a user, who can log in again', async () => {
    const { access, refresh } = await logIn();
    expect(await profile(access)).toBe(200);
    expect(await run('End all sessions of a user')).toEqual(APPLIED);
    expect(await profile(access)).toBe(401);
    const refreshed = await send('POST', '/api/v1/auth/refresh-token', { body: { refreshToken: refresh } });
    expect(refreshed.status).toBe(401);
    expect(await profile((await logIn()).access)).toBe(200);
  });

  it('an operator disables a company for migrations, and enables it', async () => {
    const { access } = await logIn();
    expect(await catalog(access)).toBe(200);
    expect(await run('Disable a company')).toEqual(APPLIED);
    expect([await catalog(access), await profile(access)]).toEqual([403, 200]);
    expect(await run('Enable a company')).toEqual(APPLIED);
    expect(await catalog(access)).toBe(200);
  });

  it('an operator removes a user whose version was too high, and the platform’s next version counts again', async () => {
    const ben = {
      kind: 'user',
      company_id: 'acme',
      id: 2,
      email: 'ben.castillo@acme.test',
      name: 'Ben',
      role: 'customer',
    };
    const stored = { ...ben, avatar: '', license: 'active' };
    const fact = (told: object) => tell(JSON.stringify({ facts: [told] }));
    expect(await fact({ ...stored, version: Number.MAX_SAFE_INTEGER })).toEqual(APPLIED);
    expect(await fact({ ...ben, version: Date.now() + 1, deleted: true })).toEqual({ results: [{ status: 'stale' }] });
    expect(await run('A version that was too high')).toEqual(APPLIED);
    expect(await fact({ ...stored, version: Date.now() + 1000 })).toEqual(APPLIED);
  });

  it('an operator erases a person, who is gone at once', async () => {
    const { access } = await logIn();
    const body = { emails: ['chiara.romano@acme.test'] };
    const resolved = async () =>
      (await send('POST', '/v1/migrations/acme/users/resolve', { token: access, body })).body.users[0].status;
    expect(await resolved()).toBe('active');
    expect(await run('Forget a person')).toEqual({ results: [{ status: 'applied', erased_at: null }] });
    expect(await resolved()).toBe('not_found');
  });

  it('an operator deactivates a user, whose sessions end and who cannot log in', async () => {
    const { access } = await logIn();
    expect(await run('Deactivate a user')).toEqual(APPLIED);
    expect(await profile(access)).toBe(401);
    const login = await send('POST', '/api/v1/auth/login', { body: { email: ADMIN, password: PASSWORD } });
    expect(login.status).toBe(401);
  });
});
