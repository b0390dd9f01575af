/** Refresh as its handler responds (§5 point 4). In memory; costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { POINTS_THAT_RING } from '../../functions/runtime/metrics.ts';
import { codeOf, useSessionCalls } from './session-calls.ts';

const { setting, openSession, refresh, profile, logOut } = useSessionCalls();

describe('refresh', () => {
  it('a refresh is 201 with a new pair', async () => {
    const first = await openSession();
    const { status, body } = await refresh({ refreshToken: first.refresh_token });
    expect(status).toBe(201);
    expect(Object.keys(body).toSorted()).toEqual(['access_token', 'refresh_token']);
    expect((await profile(body.access_token)).status).toBe(200);
  });

  it('the log names the session of a refresh, also of a refused one', async () => {
    const first = await openSession();
    const [session] = setting().memory.sessionItems.values();
    const subject = { user_id: 1, company_id: 'acme', session_id: session?.session_id };
    const { body: second } = await refresh({ refreshToken: first.refresh_token });
    setting().clock.now += 31_000;
    await refresh({ refreshToken: first.refresh_token });
    await refresh({ refreshToken: second.refresh_token });
    const logged = setting().telemetry.lines.map(({ fields }) => fields);
    expect(logged).toMatchObject([201, 401, 401].map((status) => ({ status, ...subject })));
  });

  it.each(['', 'x', 'a.b.c'])('a refresh with %j is 401', async (presented) => {
    expect(codeOf(await refresh({ refreshToken: presented }))).toBe('401 unauthorized');
  });

  it('each refresh with a spent authentic token is refused as spent, a forged one is not', async () => {
    const message = async (presented: string) => (await refresh({ refreshToken: presented })).body.errors[0].message;
    const first = await openSession();
    const { body: second } = await refresh({ refreshToken: first.refresh_token });
    setting().clock.now += 31_000;
    const forged = `${first.refresh_token.slice(0, -8)}AAAAAAAA`;
    expect(await message(forged)).not.toContain('spent');
    expect(await message(first.refresh_token)).toContain('was spent earlier');
    expect(await message(first.refresh_token)).toContain('was spent earlier');
    expect(await message(second.refresh_token)).not.toContain('spent');
  });

  const counted = (metric: string) =>
    setting().telemetry.samples.reduce((sum, each) => sum + (each.metric === metric ? each.value : 0), 0);

  it('a theft is counted once, however often and with which tokens it is tried', async () => {
    const first = await openSession();
    const { body: second } = await refresh({ refreshToken: first.refresh_token });
    await refresh({ refreshToken: second.refresh_token });
    setting().clock.now += 31_000;
    for (const { refresh_token } of [first, second, first]) await refresh({ refreshToken: refresh_token });
    expect([counted('SpentTokensUsed'), counted('Suspicion')]).toEqual([1, POINTS_THAT_RING]);
  });

  it('the second tab of somebody who logged out is no theft', async () => {
    const first = await openSession();
    const { body: second } = await refresh({ refreshToken: first.refresh_token });
    expect((await logOut(second.access_token)).status).toBe(204);
    setting().clock.now += 31_000;
    for (const { refresh_token } of [first, first, second])
      expect(codeOf(await refresh({ refreshToken: refresh_token }))).toBe('401 unauthorized');
    expect([counted('SpentTokensUsed'), counted('Suspicion')]).toEqual([0, 0]);
  });
});
