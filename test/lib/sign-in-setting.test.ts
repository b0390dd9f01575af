/** The settings `sign-in` and `passwords`: valid and refused ones, and what they do to a template. Costs a second. */
import { describe, expect, it } from 'vitest';
import type { Template } from '../../bin/local/template.ts';
import { parseSettings, type Settings } from '../../lib/settings.ts';
import { statementsIn, templateOf, variablesIn } from '../kit/template.ts';

const SANDBOX = { company: 'acme', stage: 'sandbox' };
const ACME = { company: 'acme', stage: 'production' } satisfies Settings;

const problemsOf = (written: Record<string, unknown>): string[] => {
  const parsed = parseSettings(written);
  return 'problems' in parsed ? parsed.problems.map((problem) => problem.join(' ')) : [];
};

describe('the settings of a sign-in', () => {
  const SIGN_IN = { issuer: 'https://acme.okta.com', client_id: '0oa1' };

  it.each([
    { issuer: 'https://login.microsoftonline.com/7d9f/v2.0', client_id: 'a', unverified_email: true },
    {
      issuer: 'https://accounts.google.com',
      client_id: 'a.apps.googleusercontent.com',
      client_secret_parameter: '/acme/secret',
    },
  ])('parseSettings: an identity provider → the setting', (signIn) => {
    expect(parseSettings({ ...SANDBOX, 'sign-in': signIn, passwords: 'off' })).toMatchObject({ settings: { signIn } });
  });

  it.each([
    ['without TLS', { issuer: 'http://acme.okta.com' }, 'sign-in.issuer'],
    ['with a query', { issuer: 'https://acme.okta.com?a=b' }, 'sign-in.issuer'],
    ['of every tenant', { issuer: 'https://login.microsoftonline.com/common/v2.0' }, 'sign-in.issuer'],
    ['of every organisation', { issuer: 'https://login.microsoftonline.com/organizations/v2.0' }, 'sign-in.issuer'],
    ['without a client', { client_id: '' }, 'sign-in.client_id'],
    ['with the secret itself', { client_secret: 's' }, 'sign-in.client_secret'],
    ['with a parameter of no path', { client_secret_parameter: 'secret' }, 'sign-in.client_secret_parameter'],
    ['with a word for a flag', { unverified_email: 'yes' }, 'sign-in.unverified_email'],
  ])('parseSettings: an identity provider %s → a problem', (_, member, name) => {
    const written = { ...SANDBOX, 'sign-in': { ...SIGN_IN, ...member } };
    expect(problemsOf(written)).toEqual([expect.stringMatching(new RegExp(`^${name} (must|is) `))]);
  });

  it('parseSettings: no passwords, and no identity provider → nobody could log in', () => {
    expect(problemsOf({ ...SANDBOX, passwords: 'off' })).toEqual([expect.stringMatching(/^passwords needs sign-in/)]);
  });
});

describe('the identity provider in a template', () => {
  const signIn = { issuer: 'https://acme.okta.com', client_id: '0oa1', client_secret_parameter: '/acme/okta' };
  const template = templateOf({ ...ACME, signIn, passwords: 'off' });
  const informed = (of: Template, name: string) =>
    variablesIn(of).flatMap(([id, { [name]: value }]) => (value === undefined ? [] : [[id.slice(4, -8), value]]));

  it('is known to the two functions of the sign-in', () => {
    const value = JSON.stringify(signIn);
    expect(informed(template, 'SIGN_IN')).toEqual([
      ['GetSignIn', value],
      ['SignIn', value],
    ]);
    expect(informed(templateOf(ACME), 'SIGN_IN')).toEqual([]);
  });

  it('has its secret read by one role, which is that of the exchange alone', () => {
    const reading = (of: Template) =>
      statementsIn(of).filter(
        ({ Action, Resource }) => Action === 'ssm:GetParameter' && JSON.stringify(Resource).includes('acme/okta'),
      );
    expect(reading(template).map(({ id }) => id)).toEqual([expect.stringMatching(/^Rolessignin/)]);
    expect(reading(templateOf(ACME))).toEqual([]);
  });

  it('without passwords, each function that takes a token knows it', () => {
    const off = informed(template, 'PASSWORDS');
    expect(off.map(([name]) => name)).toEqual(
      expect.arrayContaining(['Login', 'RefreshToken', 'GetProfile', 'GetSignIn', 'StartImport']),
    );
    expect(informed(templateOf(ACME), 'PASSWORDS')).toEqual([]);
  });
});
