/** Findings of public rules in the document: fixed, or accepted with a reason. Needs the network; costs a minute. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOCUMENT, emptyFolder, findingsOfSpectral, linters, missing, run } from './generators.ts';

const PUBLIC = /((jwks|openapi)\.json|oauth-authorization-server|auth\/sign-in)\/get/;

/** Rule, the places of its accepted findings, and the reason. */
const ACKNOWLEDGED: readonly (readonly [rule: string, where: RegExp, reason: string])[] = [
  ['contact-properties', /^info/, 'the document is the same in all deployments, which have operators of their own'],
  ['license-url', /^info/, 'no address has the licence, whose identifier says that it is proprietary'],
  ['owasp:api9:2023-inventory-access', /^servers/, 'the server is the one that the document comes from'],
  ['owasp:api2:2023-write-restricted', /auth\/(login|refresh-token|token|sign-in)\/post/, 'these four give the token'],
  [
    'owasp:api2:2023-read-restricted',
    PUBLIC,
    'the public keys, this document, and where and how to sign in are public',
  ],
  ['owasp:api8:2023-define-error-responses-401', PUBLIC, 'they are public, so there is no 401'],
  ['owasp:api4:2023-rate-limit', /^(paths|components)\//, 'a 429 has Retry-After; no header counts down before it'],
  [
    'owasp:api8:2023-define-cors-origin',
    /^(paths|components)\//,
    'the origins are a setting, and most deployments have none',
  ],
  [
    'owasp:api4:2023-string-restricted',
    /^components\//,
    'every text of a request has a bound; free text, e-mail addresses and tokens have no other form to state',
  ],
  ...(['string', 'array'] as const).map(
    (type) =>
      [
        `owasp:api4:2023-${type}-limit`,
        /^components\/(schemas|headers)\//,
        'of responses: a client would refuse the longer one of a later version; a test looks for one in requests',
      ] as const,
  ),
  [
    'owasp:api1:2023-no-numeric-ids',
    /LearnerIdParameter/,
    'the platform gives its users numbers; only admins of their company may ask',
  ],
  ['owasp:api4:2023-integer-limit', /approved_course$/, 'its two values are listed'],
  [
    'owasp:api2:2023-short-lived-access-tokens',
    /clientCredentials$/,
    'a token of a machine ends after 15 minutes, and has no refresh token',
  ],
];

describe.skipIf(missing !== undefined)('linters', () => {
  it('redocly accepts the document, except the rules disabled in redocly.yaml', () => {
    const config = join(import.meta.dirname, 'redocly.yaml');
    const lint = ['lint', DOCUMENT, '--config', config, '--format', 'json'];
    const redocly = join(linters(), 'node_modules/.bin/redocly');
    const found = JSON.parse(run(emptyFolder('redocly'), redocly, lint)) as { totals: object };
    expect(found.totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
  });

  it('spectral and its OWASP rules find only acknowledged findings, and every acknowledgement has a finding', () => {
    const findings = findingsOfSpectral().map(({ code, path }) => ({ code, at: path.join('/') }));
    const within = ({ code, at }: { code: string; at: string }, [rule, where]: (typeof ACKNOWLEDGED)[number]) =>
      code === rule && where.test(at);
    expect(findings.filter((finding) => !ACKNOWLEDGED.some((each) => within(finding, each)))).toEqual([]);
    const idle = ACKNOWLEDGED.filter((each) => !findings.some((finding) => within(finding, each)));
    expect(idle.map(([rule]) => rule)).toEqual([]);
  });
});
