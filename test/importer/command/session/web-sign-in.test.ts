/** `login --web`: a person signs in by a browser, at a real provider on loopback (§5.4). Costs a second. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryTokenStore, Session } from '../../../../bin/importer/client/index.ts';
import { signInByBrowser } from '../../../../bin/importer/command/session/web-sign-in.ts';
import { identityProvider } from '../../../../functions/auth/provider.ts';
import { boundedFetch, rememberedDocument } from '../../../../functions/auth/provider-document.ts';
import {
  PUBLIC_CLIENT_ID,
  sentBack,
  startIdentityProvider,
  type IdentityProvider,
} from '../../../kit/identity-provider.ts';
import { recordedOutput } from '../support/output.ts';
import { createPlatform } from '../support/platform.ts';

let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider({ clients: [PUBLIC_CLIENT_ID] });
  provider.accounts.set('ada', { email: 'admin@acme.test', email_verified: true });
});
afterAll(() => provider.stop());

async function command() {
  const { world, transport } = await createPlatform();
  const { issuer } = provider;
  const settings = { issuer, client_id: PUBLIC_CLIENT_ID };
  const document = rememberedDocument(issuer, boundedFetch(issuer), world.clock);
  Object.assign(world.services, {
    provider: identityProvider(settings, { clock: world.clock }),
    offered: { client_id: PUBLIC_CLIENT_ID, document },
  });
  const tokens = memoryTokenStore();
  const session = new Session({ authBaseUrl: 'https://history.test', transport, tokens, now: () => world.clock.now });
  return { world, session, tokens, output: { ...recordedOutput(), interactive: true } };
}

/** Where the provider sends the browser of a person back to. */
async function returning(address: string): Promise<URL> {
  const asked = new URL(address);
  const redirect_uri = asked.searchParams.get('redirect_uri') ?? '';
  asked.searchParams.set('login_hint', 'ada');
  const back = new URL(redirect_uri);
  back.search = String(await sentBack(asked.href, redirect_uri));
  return back;
}

it('a person signs in where the command says, and the code leaves the address bar', async () => {
  const { session, tokens, output } = await command();
  const browsed: { status: number; url: string; text: string }[] = [];
  const open = async (address: string) => {
    const response = await fetch(await returning(address));
    browsed.push({ status: response.status, url: response.url, text: await response.text() });
  };
  let opening: Promise<void> | undefined;
  await signInByBrowser(session, { output, open: (address) => void (opening = open(address)) });
  await opening;
  expect(await tokens.read()).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
  expect(browsed).toEqual([
    { status: 200, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/done$/), text: 'You can close this tab.' },
  ]);
  expect(output.notes.join()).toContain(`${provider.issuer}/auth?response_type=code`);
});

it('whoever calls the port without the state ends nothing', async () => {
  const { session, tokens, output } = await command();
  const statuses: number[] = [];
  const open = async (address: string) => {
    const back = await returning(address);
    for (const query of ['', '?code=evil&state=other', '?error=access_denied&state=other', '?code=evil'])
      statuses.push((await fetch(new URL(query || '/', back))).status);
    statuses.push(
      (await fetch(back, { method: 'POST' })).status,
      (await fetch(new URL(`/x${back.search}`, back))).status,
    );
    await fetch(back);
  };
  await signInByBrowser(session, { output, open: (address) => void open(address) });
  expect(statuses).toEqual(Array(6).fill(404));
  expect(await tokens.read()).toBeDefined();
});

it.each([
  ['a refusal of the provider', 'error=access_denied', /refused the sign-in \(access_denied\)/],
  ['another issuer', 'code=c&iss=https://evil.test', /refused the sign-in \(another issuer\)/],
])('%s ends the command', async (_, query, message) => {
  const { session, output } = await command();
  const open = (address: string) => {
    const { searchParams } = new URL(address);
    void fetch(`${searchParams.get('redirect_uri')}?${query}&state=${searchParams.get('state')}`);
  };
  await expect(signInByBrowser(session, { output, open })).rejects.toThrow(message);
});

it('a service without a provider, a port that is taken, and nobody who comes back end the command', async () => {
  const { world, session, output } = await command();
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  await expect(signInByBrowser(session, { output, port })).rejects.toThrow(`Port ${port} of this machine is taken`);
  taken.close();
  await expect(signInByBrowser(session, { output, open: () => undefined, patienceMs: 1 })).rejects.toThrow(
    'Nobody signed in',
  );
  Object.assign(world.services, { offered: undefined });
  await expect(signInByBrowser(session, { output })).rejects.toThrow('no identity provider');
});
