import { describe, expect, it } from 'vitest';
import { settingsFrom, stackName } from '../../lib/settings.ts';

const from = (context: Record<string, unknown>) => settingsFrom((name) => context[name]);

describe('the settings of a deployment', () => {
  it('default to a sandbox, so that a bare synth works', () => {
    expect(from({})).toEqual({ company: 'sandbox', stage: 'sandbox' });
  });

  it('take a company, a stage and a data file', () => {
    expect(from({ company: 'a_B-9', stage: 'sandbox', data: 'x.json' })).toEqual({
      company: 'a_B-9',
      stage: 'sandbox',
      data: 'x.json',
    });
  });

  it.each([
    ['an empty company', { company: '' }, 'company'],
    ['a company of 65 characters', { company: 'a'.repeat(65) }, 'company'],
    ['a company with a blank', { company: 'a b' }, 'company'],
    ['a company that is not a string', { company: 7 }, 'company'],
    ['an unknown stage', { stage: 'test' }, 'stage'],
    ['a data file without a name', { data: '' }, 'data'],
    [
      'a data file for production, which has its own data',
      { company: 'acme', stage: 'production', data: 'x.json' },
      'data',
    ],
    ['production without a company', { stage: 'production' }, 'company'],
    ['alarms without an address', { alarms: 'ops' }, 'alarms'],
    ['pages of anyone', { cors: '*' }, 'cors'],
    ['pages of no origin', { cors: '' }, 'cors'],
    ['pages over plain HTTP', { cors: 'http://app.example.com' }, 'cors'],
    ['an origin with a path', { cors: 'https://app.example.com/' }, 'cors'],
    ['a platform that is no role', { platform: 'arn:aws:iam::123456789012:root' }, 'platform'],
    ['anyone as the platform', { platform: '*' }, 'platform'],
    ['a company with the name of another kind of item', { company: 'signing-keys' }, 'company'],
    ['a signing key before the first', { 'signing-key': '0' }, 'signing-key'],
    ['a web ACL that is no ARN', { 'web-acl': 'yes' }, 'web-acl'],
    ['a web ACL of CloudFront', { 'web-acl': 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/a/1' }, 'web-acl'],
  ])('refuse %s in one line that names the value', (_, context, name) => {
    expect(() => from(context)).toThrow(new RegExp(`^-c ${name}=.*$`));
  });

  it('give companies that differ in a hyphen and an underscore stacks of their own', () => {
    const names = ['a_b', 'a-b', 'ab'].map((company) => stackName({ company, stage: 'sandbox' }));
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9-]{0,127}$/);
  });

  it('leave room for the longest company in a stack name', () => {
    expect(stackName({ company: '_'.repeat(64), stage: 'production' }).length).toBeLessThanOrEqual(128);
  });
});
