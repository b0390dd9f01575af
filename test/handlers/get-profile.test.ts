/** The profile as its handler responds (§2.4). In memory; costs milliseconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '../../functions/auth/sessions.ts';
import { getProfile } from '../../functions/handlers/get-profile.ts';
import { sessionOperation } from '../../functions/http/operations.ts';
import { authServices } from '../kit/auth-services.ts';
import { invokeAsDocumented as invoke } from '../kit/documented.ts';

let setting: Awaited<ReturnType<typeof authServices>>;

beforeEach(async () => {
  setting = await authServices();
});

const services = () => setting.services;
const logIn = () => openSession(setting.services, setting.admin, setting.clock.now);
const profile = (token: string) =>
  invoke(sessionOperation(getProfile, services), {
    headers: { authorization: `Bearer ${token}` },
    rawPath: '/api/v1/auth/profile',
  });
const code = ({ status, body }: Awaited<ReturnType<typeof invoke>>) => `${status} ${body.errors?.[0].error_code}`;

describe('the profile', () => {
  it('the profile has the members of the interface and no other, and never the hash', async () => {
    const tokens = await logIn();
    const answer = await profile(tokens.access_token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: 1,
      email: 'Admin@Acme.test',
      password: '********',
      name: 'Ada',
      role: 'admin',
      avatar: 'https://acme.test/ada.png',
    });
  });

  it('a refresh token does not open the profile', async () => {
    const tokens = await logIn();
    expect(code(await profile(tokens.refresh_token))).toBe('401 unauthorized');
  });
});
