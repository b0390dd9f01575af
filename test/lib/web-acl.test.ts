/** What a web ACL leaves to one address, by the rates and rules of a template. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../functions/shared/routes.ts';
import type { Settings } from '../../lib/settings.ts';
import { type MethodRate, methodRatesOf, rateRulesOf, type WebRequest } from '../kit/gateway.ts';
import { accountTemplateOf, SHARED, templateOf } from '../kit/template.ts';

const OF_ACME = {
  company: 'acme',
  stage: 'production',
  webAcl: 'own',
  evidence: true,
  page: true,
  cors: ['https://app.example.com'],
} as const satisfies Settings;

const template = templateOf(OF_ACME);
const WARM = { ...OF_ACME, warm: 40_000 };

const request = (method: string, path: string, token: boolean): WebRequest => ({
  method,
  path: `/production${path}`,
  host: 'abc.execute-api.eu-west-1.amazonaws.com',
  headers: token ? { authorization: 'Bearer a.b.c' } : {},
  ip: '192.0.2.1',
});

/** Requests of one address in a minute: of the rule that allows the fewest. */
const allowed = (sent: WebRequest, of = template): number =>
  Math.min(...rateRulesOf(of).flatMap(({ limit, matches }) => (matches(sent) ? [limit] : [])));

const rateOf = (method: string, path: string, of = template): MethodRate => {
  const rates = methodRatesOf(of);
  const found =
    rates.find((rate) => rate.method === method && rate.path === path) ?? rates.find((rate) => rate.path === '/*');
  if (found === undefined) throw new Error('The stage has no rate.');
  return found;
};

const METHODS = [
  ...ROUTES.map(({ method, path }) => [method, path] as const),
  ['OPTIONS', '/{proxy+}'],
  ['GET', '/nowhere'],
  ['GET', '/page/index.js'],
  ['DELETE', '/v1/openapi.json'],
] as const;

describe.each([true, false])('one address, with a token: %s', (token) => {
  it.each(METHODS)('%s %s: at most a third of the rate that all callers share', (method, path) => {
    const sent = path.replaceAll(/\{\w+\+?\}/g, 'x');
    for (const stack of [template, templateOf(WARM)])
      expect(allowed(request(method, sent, token), stack)).toBeLessThanOrEqual(
        rateOf(method, path, stack).perSecond * 20,
      );
  });
});

it('without a token one address has the strictest limit, whatever it calls', () => {
  const sent = '/v1/migrations/acme/progress/imports';
  expect([true, false].map((token) => allowed(request('POST', sent, token)))).toEqual([400, 40]);
});

it.each([
  ['an encoded slash', '/v1/migrations/acme%2Fcatalog%2Fcourses/progress/runs'],
  ['a path in a parameter', '/v1/migrations/acme/progress/runs/a%2Fprogress%2Fimports%2Fb'],
  ['an encoded letter', '/v1/migrations/acme/progress/%72uns'],
  ['a slash at the end', '/v1/migrations/acme/catalog/courses/'],
])('%s leads around no limit', (_, path) => {
  expect(allowed(request('GET', path, true))).toBe(40);
});

it('with a warm table, one address may send a third of the imports that it takes', () => {
  const sent = '/v1/migrations/acme/progress/imports';
  expect(allowed(request('POST', sent, true), templateOf(WARM))).toBe(800);
});

it('an account has one web ACL, which counts an address for each API apart', () => {
  const rules = rateRulesOf(accountTemplateOf(SHARED.account));
  expect(rules.map(({ name, limit }) => [name, limit])).toEqual([
    ['Logins', 60],
    ['WithoutToken', 40],
    ['Preflights', 100],
    ['Imports', 400],
    ['Polls', 1600],
    ['Reads', 320],
    ['Calls', 100],
    ['Searches', 40],
  ]);
  const sent = request('GET', '/nowhere', false);
  for (const { keyOf } of rules) {
    expect(keyOf({ ...sent, host: 'other.example' })).not.toBe(keyOf(sent));
    expect(keyOf({ ...sent, host: sent.host.toUpperCase() })).toBe(keyOf(sent));
  }
});

it('preflights have a rate of their own where pages of other origins may call', () => {
  expect(rateOf('OPTIONS', '/{proxy+}')).toMatchObject({ perSecond: 5, burst: 50 });
  expect(rateOf('OPTIONS', '/{proxy+}', templateOf({ company: 'acme', stage: 'production' })).path).toBe('/*');
});
