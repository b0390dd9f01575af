/** Rotation of refresh tokens (§5 point 4; RFC 9700, section 4.14). In memory; costs milliseconds. */
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSession, refreshSession, type SessionServices } from '../../functions/auth/sessions.ts';
import type { TokenPair } from '../../functions/auth/tokens.ts';
import { authServices } from '../kit/auth-services.ts';

type Setting = Awaited<ReturnType<typeof authServices>>;

let setting: Setting;
let session: SessionServices;
let first: TokenPair;

beforeEach(async () => {
  setting = await authServices();
  session = setting.services;
  first = await openSession(session, setting.admin, setting.clock.now);
});

async function refresh(token: string, services = session): Promise<TokenPair | undefined> {
  const claims = await setting.services.verifier.verifyRefresh(token, setting.clock.now);
  const pair = claims && (await refreshSession(services, claims, setting.clock.now));
  return pair === 'spent' || pair === 'theft' ? undefined : pair;
}

async function refreshed(token: string): Promise<TokenPair> {
  const pair = await refresh(token);
  if (!pair) throw new Error('the token was refused');
  return pair;
}

const idOf = (token: string) => {
  const { jti, iat, exp } = decodeJwt(token);
  return { jti, iat, exp };
};

const later = (ms: number) => void (setting.clock.now += ms);
const stored = () => setting.memory.sessionItems.values()[0];

describe('a token pair', () => {
  it('a token pair lives 20 days and 10 hours', () => {
    const access = decodeJwt(first.access_token);
    const refresh = decodeJwt(first.refresh_token);
    expect((access.exp ?? 0) - (access.iat ?? 0)).toBe(1_728_000);
    expect((refresh.exp ?? 0) - (refresh.iat ?? 0)).toBe(36_000);
    expect(Object.keys(first).toSorted()).toEqual(['access_token', 'refresh_token']);
  });

  it('a refresh renews both tokens in full', async () => {
    later(3_600_000);
    const second = await refreshed(first.refresh_token);
    expect(idOf(second.refresh_token).exp).toBe((idOf(first.refresh_token).exp ?? 0) + 3600);
    expect(idOf(second.refresh_token).jti).not.toBe(idOf(first.refresh_token).jti);
    expect(idOf(second.access_token).jti).not.toBe(idOf(first.access_token).jti);
  });

  it('a session is stored for as long as its access token lives', async () => {
    await refreshed(first.refresh_token);
    later(29_000);
    const grace = await refreshed(first.refresh_token);
    expect(stored()?.expires_at_seconds).toBeGreaterThanOrEqual(idOf(grace.access_token).exp ?? Infinity);
  });
});

describe('a spent refresh token', () => {
  it('a spent refresh token returns the current refresh token for 30 s, each time with a new access token', async () => {
    const second = await refreshed(first.refresh_token);
    later(30_000);
    const again = await refreshed(first.refresh_token);
    expect(idOf(again.refresh_token)).toEqual(idOf(second.refresh_token));
    expect(idOf(again.access_token).jti).not.toBe(idOf(second.access_token).jti);
  });

  it('a spent refresh token returns the refresh token that is current at that time, not its own successor', async () => {
    const second = await refreshed(first.refresh_token);
    later(1000);
    const third = await refreshed(second.refresh_token);
    later(1000);
    expect(idOf((await refreshed(first.refresh_token)).refresh_token)).toEqual(idOf(third.refresh_token));
    expect(idOf((await refreshed(second.refresh_token)).refresh_token)).toEqual(idOf(third.refresh_token));
  });

  it('a refresh token is not spent a second time: its 30 s do not start again', async () => {
    await refreshed(first.refresh_token);
    later(29_000);
    await refreshed(first.refresh_token);
    later(1001);
    expect(await refresh(first.refresh_token)).toBeUndefined();
  });

  it('a spent refresh token ends the whole session after 30 s', async () => {
    const second = await refreshed(first.refresh_token);
    later(30_001);
    expect(await refresh(first.refresh_token)).toBeUndefined();
    expect(stored()?.revoked).toBe(true);
    expect(await refresh(second.refresh_token)).toBeUndefined();
  });

  it('a spent refresh token is forgotten after 30 s, and still ends the session', async () => {
    let { refresh_token } = first;
    for (let turn = 0; turn < 5; turn += 1) {
      later(31_000);
      ({ refresh_token } = await refreshed(refresh_token));
    }
    expect(stored()?.spent).toHaveLength(1);
    expect(await refresh(first.refresh_token)).toBeUndefined();
    expect(stored()?.revoked).toBe(true);
  });
});

describe('a spent refresh token that has expired', () => {
  it('a spent refresh token that has expired still ends the whole session', async () => {
    later(9 * 3_600_000);
    const second = await refreshed(first.refresh_token);
    later(2 * 3_600_000);
    expect(await refresh(first.refresh_token)).toBeUndefined();
    expect(stored()?.revoked).toBe(true);
    expect(await refresh(second.refresh_token)).toBeUndefined();
  });

  it('an expired refresh token is refused for 30 s after it was spent, and ends nothing: the other tab may have been a second earlier', async () => {
    later(35_990_000);
    const second = await refreshed(first.refresh_token);
    later(20_000);
    expect(await refresh(first.refresh_token)).toBeUndefined();
    expect(stored()?.revoked).toBe(false);
    expect(await refresh(second.refresh_token)).toBeDefined();
  });
});

it('a session ends 90 days after its login, however often it is refreshed', async () => {
  const lifetimeMs = 90 * 86_400_000;
  const start = setting.clock.now;
  let { refresh_token } = first;
  while (setting.clock.now + 9 * 3_600_000 < start + lifetimeMs) {
    later(9 * 3_600_000);
    ({ refresh_token } = await refreshed(refresh_token));
  }
  setting.clock.now = start + lifetimeMs - 1;
  ({ refresh_token } = await refreshed(refresh_token));
  later(1);
  expect(await refresh(refresh_token)).toBeUndefined();
});

describe('racing refreshes', () => {
  it('racing refreshes rotate once and all return the same refresh token', async () => {
    const pairs = await Promise.all(Array.from({ length: 20 }, () => refreshed(first.refresh_token)));
    const ids = new Set(pairs.map((pair) => idOf(pair.refresh_token).jti));
    expect([...ids]).toEqual([stored()?.current.jti]);
    expect(stored()?.spent).toHaveLength(1);
  });

  it('a refresh fails with a retryable fault if the session keeps changing', async () => {
    const { sessions } = session.stores;
    const losing = {
      ...session,
      stores: { ...session.stores, sessions: { ...sessions, rotate: async () => false } },
    };
    await expect(refresh(first.refresh_token, losing)).rejects.toThrow(
      expect.objectContaining({ name: 'TemporarilyUnavailable' }),
    );
  });
});

describe('refused refreshes', () => {
  it.each<[string, () => void]>([
    ['user is inactive', () => void setting.addUser({ license: 'inactive' })],
    ['user now has another id', () => void setting.addUser({ user_id: 99 })],
    ['user is gone', () => setting.memory.users.clear()],
    [
      'sessions of the user ended in the millisecond in which this one began',
      () => void setting.addUser({ sessions_valid_from: new Date(setting.clock.now).toISOString() }),
    ],
    ['session is gone', () => setting.memory.sessionItems.clear()],
  ])('a refresh is refused where the %s', async (_, change) => {
    change();
    expect(await refresh(first.refresh_token)).toBeUndefined();
  });

  it('a refresh token is refused after its 10 hours, without ending the session', async () => {
    later(36_000_000);
    expect(await refresh(first.refresh_token)).toBeUndefined();
    expect(stored()?.revoked).toBe(false);
  });
});

it('a signing key that fails leaves the refresh token unspent', async () => {
  const { signer } = setting.services;
  const failing = { ...session, signer: { ...signer, sign: () => Promise.reject(new Error('down')) } };
  const before = stored();
  await expect(refresh(first.refresh_token, failing)).rejects.toThrow('down');
  expect(stored()).toEqual(before);
});

it('a user has 20 open sessions at most: a login ends the oldest one for good and logs it; a revoked one goes first', async () => {
  const pairs = [first];
  const logIn = async () => {
    later(1);
    pairs.push(await openSession(session, setting.admin, setting.clock.now));
  };
  const opened = async () => {
    const refreshed = await Promise.all(pairs.map(({ refresh_token }) => refresh(refresh_token)));
    return refreshed.flatMap((pair, at) => (pair === undefined ? [] : [at]));
  };
  for (let login = 1; login < 20; login += 1) await logIn();
  expect(setting.telemetry.lines).toEqual([]);
  const { company_id, user_id } = setting.admin;
  await logIn();
  expect(setting.telemetry.lines.map(({ message, fields }) => [message, fields])).toEqual([
    ['The oldest sessions of a user were ended.', { company_id, user_id, ended: 1 }],
  ]);
  const revoked = setting.memory.sessionItems
    .values()
    .find(({ began_at }) => Date.parse(began_at) === setting.clock.now);
  await session.stores.sessions.revoke(revoked?.session_id ?? '');
  await logIn();
  expect(setting.telemetry.lines).toHaveLength(1);
  expect(await opened()).toEqual([...Array.from({ length: 19 }, (_, at) => at + 1), 21]);
  expect(setting.memory.sessionItems.values()).toHaveLength(20);
});
