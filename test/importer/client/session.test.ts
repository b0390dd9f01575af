/** The cases in which the client renews its tokens, and those in which it must not. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { type StoredTokens, memoryTokenStore, NotAuthenticated, Session } from '../../../bin/importer/client/index.ts';
import { envelope, fakeService, type Reply, tokenFor } from './fake-service.ts';

const HOUR = 3600;
const NOW = 1_000_000;
const PAIR = {
  access_token: tokenFor(NOW, NOW + 480 * HOUR, 'new'),
  refresh_token: tokenFor(NOW, NOW + 10 * HOUR, 'new-r'),
};

function storedTokens(ageHours: number, more: Partial<StoredTokens> = {}): StoredTokens {
  const iat = NOW - ageHours * HOUR;
  return { access_token: tokenFor(iat, iat + 480 * HOUR), refresh_token: tokenFor(iat, iat + 10 * HOUR), ...more };
}

async function sessionWith(tokens: StoredTokens | undefined, reply: () => Reply = () => ({ status: 201, body: PAIR })) {
  const service = fakeService(reply);
  const store = memoryTokenStore(tokens);
  const session = new Session({
    authBaseUrl: 'http://auth',
    transport: service.transport,
    tokens: store,
    now: () => NOW * 1000,
  });
  return { session, store, ...service };
}

describe('Session', () => {
  it.each<[string, StoredTokens, boolean]>([
    ['a fresh pair is used unchanged', storedTokens(0.5), false],
    ['a pair in use for an hour is renewed, although the access token is valid', storedTokens(2), true],
    ['a pair with an expired refresh token is used as long as the access token is valid', storedTokens(11), false],
    [
      'a refresh token is used again just after an interrupted renewal, as the service allows',
      storedTokens(2, { refreshing_since_ms: NOW * 1000 - 5000 }),
      true,
    ],
  ])('%s', async (_, tokens, renewed) => {
    const { session, store, requests } = await sessionWith(tokens);
    expect(await session.accessToken()).toBe(renewed ? PAIR.access_token : tokens.access_token);
    expect(requests).toHaveLength(renewed ? 1 : 0);
    expect(await store.read()).toEqual(renewed ? PAIR : tokens);
  });

  it('a token that has expired by the clock of this machine is sent: the service decides', async () => {
    const tokens = storedTokens(500);
    const { session, requests } = await sessionWith(tokens);
    expect(await session.accessToken()).toBe(tokens.access_token);
    await expect(session.tokenAfterRefusal(tokens.access_token)).rejects.toBeInstanceOf(NotAuthenticated);
    expect(requests).toHaveLength(0);
  });

  it('the age of a pair is that by the clock of the service, once a response had its time', async () => {
    const { session, requests } = await sessionWith(storedTokens(2));
    session.noteTime(new Headers({ date: new Date((NOW - 2 * HOUR) * 1000).toUTCString() }));
    expect(session.clockAheadMs).toBe(2 * HOUR * 1000);
    await session.accessToken();
    expect(requests).toHaveLength(0);
    session.noteTime(new Headers());
    session.noteTime(new Headers({ date: new Date((NOW - 20) * 1000).toUTCString() }));
    expect(session.clockAheadMs).toBe(0);
    await session.accessToken();
    expect(requests).toHaveLength(1);
  });

  it('a pair is renewed once for all callers at the same time', async () => {
    const { session, requests } = await sessionWith(storedTokens(2));
    await Promise.all([session.accessToken(), session.accessToken(), session.accessToken()]);
    expect(requests).toHaveLength(1);
  });

  it('a pair is not renewed again long after an interrupted renewal: that would end the session', async () => {
    const tokens = storedTokens(2, { refreshing_since_ms: NOW * 1000 - 60_000 });
    const { session, store, requests } = await sessionWith(tokens);
    expect(await session.accessToken()).toBe(tokens.access_token);
    expect(requests).toHaveLength(0);
    expect(await store.read()).toEqual({ access_token: tokens.access_token });
  });

  it('a pair whose renewal is refused is used while its access token is valid', async () => {
    const tokens = storedTokens(2);
    const { session } = await sessionWith(tokens, () => ({ status: 401, body: envelope('unauthorized') }));
    expect(await session.accessToken()).toBe(tokens.access_token);
  });

  it('a pair that the service refuses is renewed whatever its age, or read from the store if another process has renewed it', async () => {
    const tokens = storedTokens(0);
    const { session, store, requests } = await sessionWith(tokens);
    expect(await session.tokenAfterRefusal(tokens.access_token)).toBe(PAIR.access_token);
    expect([requests.length, await store.read()]).toEqual([1, PAIR]);
    expect(await session.tokenAfterRefusal(tokens.access_token)).toBe(PAIR.access_token);
    expect(requests).toHaveLength(1);
  });

  it('without tokens a login is needed', async () => {
    const { session } = await sessionWith(undefined);
    await expect(session.accessToken()).rejects.toBeInstanceOf(NotAuthenticated);
  });
});
