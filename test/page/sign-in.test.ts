/** Sign-in by the identity provider (§5.4): what is left of it in the browser. Costs seconds; needs Chromium. */
import { afterAll, describe, expect, it } from 'vitest';
import { PUBLIC_CLIENT_ID, startIdentityProvider } from '../kit/identity-provider.ts';
import { Person } from './person.ts';
import { usePage } from './support/use-page.ts';

const provider = await startIdentityProvider({ clients: [PUBLIC_CLIENT_ID] });
afterAll(() => provider.stop());
provider.accounts.set('ada', { email: 'admin@acme.test', email_verified: true });
const settings = { issuer: provider.issuer, client_id: PUBLIC_CLIENT_ID };
const used = usePage({}, { SIGN_IN: JSON.stringify(settings) });

const BUTTON = 'Use your company’s account';
const stored = ({ page }: Person) =>
  page.evaluate(() =>
    JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage), location.href, document.referrer]),
  );

describe('the button of the provider', () => {
  it('comes first, and leads back signed in: no code in the address bar and the history, no token in a storage', async () => {
    const person = await Person.visit(await used.browser.newContext(), used.stack.url, '#/runs');
    const { page } = person;
    await page.getByRole('button', { name: BUTTON }).waitFor();
    expect(await page.getByRole('button').allInnerTexts()).toEqual(expect.arrayContaining([BUTTON, 'Sign in']));
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    await page.getByRole('button', { name: BUTTON }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(visited.some((url) => url.includes('code='))).toBe(true);
    expect(new URL(page.url()).search).toBe('');
    expect(await stored(person)).not.toMatch(/eyJ|code|state|verifier/);
    await page.goBack();
    expect(page.url()).not.toMatch(/code=|state=/);
    expect(person.complaints).toEqual([]);
    expect(new Set(person.requested.map((url) => new URL(url).origin))).toEqual(
      new Set([used.stack.url, provider.issuer]),
    );
  });

  it('a code of another sign-in is sent nowhere, and leaves the address bar', async () => {
    const { page, requested } = await Person.visit(
      await used.browser.newContext(),
      used.stack.url,
      '?code=evil&state=planted',
    );
    await page.getByText('The sign-in was not completed').waitFor();
    expect(page.url()).toBe(`${used.stack.url}/`);
    expect(requested.filter((url) => url.includes('code=evil'))).toHaveLength(1);
  });

  it('stands alone where passwords are off', async () => {
    const context = await used.browser.newContext();
    await context.route('**/api/v1/auth/sign-in', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), password: false } });
    });
    const { page } = await Person.visit(context, used.stack.url);
    await page.getByRole('button', { name: BUTTON }).waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
  });
});
