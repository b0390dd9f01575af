/** The settings of a deployment: valid and refused ones. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { parseSettings, stackName } from '../../lib/settings.ts';

const SANDBOX = { company: 'acme', stage: 'sandbox' };
const PRODUCTION = { company: 'acme', stage: 'production', 'web-acl': 'none', 'retention-days': 'none' };

const problemsOf = (written: Record<string, unknown>): string[] => {
  const parsed = parseSettings(written);
  return 'problems' in parsed ? parsed.problems.map((problem) => problem.join(' ')) : [];
};

describe('the settings of a deployment', () => {
  it('the settings are a company and a stage, and any other settings', () => {
    expect(parseSettings({ company: 'a_B-9', stage: 'sandbox' })).toEqual({
      settings: { company: 'a_B-9', stage: 'sandbox' },
    });
    const all = {
      ...PRODUCTION,
      account: '111122223333',
      region: 'eu-west-1',
      alarms: ['ops@example.com', 'arn:aws:sns:eu-west-1:111122223333:on-call'],
      cors: ['https://app.example.com', 'http://localhost:5173'],
      documentation: 'https://docs.example.com/',
      domain: 'api.example.com/acme',
      certificate: 'arn:aws:acm:eu-west-1:111122223333:certificate/1-2-3',
      'signing-key': 2,
      processors: 20,
      table: 'acme-restored',
      forget: ['warm'],
    };
    const { 'signing-key': signingKey, 'web-acl': webAcl, 'retention-days': retentionDays, ...rest } = all;
    expect(parseSettings(all)).toEqual({ settings: { ...rest, signingKey, webAcl, retentionDays } });
  });

  it.each([
    ['an empty company', { company: '' }, 'company'],
    ['a company of 65 characters', { company: 'a'.repeat(65) }, 'company'],
    ['a company with a blank', { company: 'a b' }, 'company'],
    ['a company that is not a string', { company: 7 }, 'company'],
    ['an unknown stage', { stage: 'test' }, 'stage'],
    ['a data file without a name', { data: '' }, 'data'],
    ['a data file for production, which has its own data', { ...PRODUCTION, data: 'x.json' }, 'data'],
    ['alarms without an address', { alarms: ['ops'] }, 'alarms.0'],
    ['an alarm topic of another service', { alarms: ['arn:aws:sqs:eu-west-1:111122223333:q'] }, 'alarms.0'],
    ['an empty list of alarms', { alarms: [] }, 'alarms'],
    ['documentation without an address', { documentation: 'docs' }, 'documentation'],
    ['pages of anyone', { cors: ['*'] }, 'cors.0'],
    ['pages of no origin', { cors: [] }, 'cors'],
    ['pages over plain HTTP', { cors: ['http://app.example.com'] }, 'cors.0'],
    ['an origin with a path', { cors: ['https://app.example.com', 'https://app.example.com/'] }, 'cors.1'],
    ['a domain with a scheme', { domain: 'https://api.example.com' }, 'domain'],
    ['a domain with two paths', { domain: 'api.example.com/a/b' }, 'domain'],
    [
      'a certificate of another service',
      { domain: 'a.example.com', certificate: 'arn:aws:iam::1:server-certificate/a' },
      'certificate',
    ],
    [
      'a certificate without a domain',
      { certificate: 'arn:aws:acm:eu-west-1:111122223333:certificate/1' },
      'certificate',
    ],
    ['a platform that is no role or user', { platform: 'arn:aws:iam::111122223333:root' }, 'platform'],
    ['a restored table beside another one', { table: 'one', 'restored-table': 'two' }, 'restored-table'],
    [
      'an operator without a platform, whose queue it is for',
      { operator: 'arn:aws:iam::111122223333:role/on-call' },
      'operator',
    ],
    ['a tag of AWS', { tags: { 'aws:x': '1' } }, 'tags.aws:x'],
    ['a tag that the stack has', { tags: { company: 'x' } }, 'tags.company'],
    [
      'a permissions boundary by its ARN',
      { 'permissions-boundary': 'arn:aws:iam::1:policy/a' },
      'permissions-boundary',
    ],
    ['a signing key before the first', { 'signing-key': 0 }, 'signing-key'],
    [
      'access logs to a stream that API Gateway refuses',
      { 'access-logs': 'arn:aws:firehose:eu-west-1:111122223333:deliverystream/a' },
      'access-logs',
    ],
    ['a web ACL that is no ARN', { 'web-acl': 'yes' }, 'web-acl'],
    ['a web ACL of CloudFront', { 'web-acl': 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/a/1' }, 'web-acl'],
    ['one processor, fewer than an event source may have', { processors: 1 }, 'processors'],
    ['half a processor', { processors: 2.5 }, 'processors'],
    ['results that are kept for less than 30 days', { 'retention-days': 29 }, 'retention-days'],
    ['an archive of 31 years', { 'archive-years': 31 }, 'archive-years'],
    ['less warm throughput than a new table has', { warm: 1000 }, 'warm'],
    ['an account without a region', { account: '111122223333' }, 'region'],
    ['a region without an account', { region: 'eu-west-1' }, 'account'],
    ['a setting that does not exist', { colour: 'red' }, 'colour'],
    ['to forget what is set', { cors: ['https://a.example'], forget: ['cors'] }, 'forget'],
    ['to forget what does not exist', { forget: ['colour'] }, 'forget.0'],
  ])('parseSettings: %s → a problem that names the setting', (_, written, name) => {
    expect(problemsOf({ ...SANDBOX, ...written })).toEqual([expect.stringMatching(new RegExp(`^${name} .+`))]);
  });

  it.each(['web-acl', 'retention-days'])(
    'parseSettings: production without %s → a problem that says what it can be',
    (name) => {
      const { [name]: _, ...rest }: Record<string, string> = PRODUCTION;
      expect(problemsOf(rest)).toEqual([
        expect.stringMatching(new RegExp(`^${name} is required in production: .*none`)),
      ]);
      expect(problemsOf({ ...rest, stage: 'sandbox' })).toEqual([]);
    },
  );

  it('parseSettings: several problems → all of them', () => {
    expect(problemsOf({ ...SANDBOX, processors: 0, warm: 1 })).toHaveLength(2);
  });

  it.each(['session', 'login', 'throttle', 'data-file', 'signing-keys', 'open'])(
    'parseSettings: a company named %s, which begins keys of the table that belong to no company → a problem',
    (company) => {
      expect(problemsOf({ company, stage: 'sandbox' })).toHaveLength(1);
      expect(problemsOf({ company: `${company}s`, stage: 'sandbox' })).toEqual([]);
    },
  );

  it('companies that differ in a hyphen and an underscore have stacks of their own', () => {
    const names = ['a_b', 'a-b', 'ab'].map((company) => stackName({ company, stage: 'sandbox' }));
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9-]{0,127}$/);
  });

  it('a stack name has room for the longest company', () => {
    expect(stackName({ company: '_'.repeat(64), stage: 'production' }).length).toBeLessThanOrEqual(128);
  });
});
