/** The profile as its handler responds (§2.4). In memory; costs milliseconds. */
import { expect, it } from 'vitest';
import { useSessionCalls } from './session-calls.ts';

const { openSession, profile } = useSessionCalls();

it('the profile has the members of the interface and no other, and never the hash', async () => {
  const tokens = await openSession();
  const response = await profile(tokens.access_token);
  expect(response.status).toBe(200);
  expect(response.body).toEqual({
    id: 1,
    email: 'Admin@Acme.test',
    password: '********',
    name: 'Ada',
    role: 'admin',
    avatar: 'https://acme.test/ada.png',
  });
});
