/**
 * Every stage and the account stack as `cdk synth` writes them, checked by cdk-nag, the CDK's own validation and
 * cfn-lint; and a folder of three accounts: one with a landing zone, one in GovCloud, one in China. Costs about two
 * minutes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cdk, contextOf } from './support/cdk.ts';
import { pythonTools } from '../../kit/python-tools.ts';
import { REQUIREMENTS } from './support/ministack.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';

/**
 * Accepted warnings. W3005: the CDK repeats dependencies that a reference has already. W3011 wants a policy for both
 * update and deletion: the association of a web ACL is deleted with its stack, and kept only where an update replaces
 * it.
 */
const MEANT = ['W3005', 'W3011'];

/** Every acknowledged rule, by its resource and with its own reason. */
const ACKNOWLEDGED = [
  'APIG1',
  'APIG2',
  'APIG3',
  'APIG4',
  'APIG6',
  'COG4',
  'IAM5[Resource::*]',
  'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
].map((rule) => `AwsSolutions::AwsSolutions-${rule}`);

interface Report {
  readonly pluginReports: readonly {
    readonly pluginName: string;
    readonly conclusion: string;
    readonly violations: readonly object[];
    readonly suppressedViolations?: readonly { readonly acknowledgedId: string; readonly reason: string }[];
  }[];
}

const folder = temporaryFolder('templates');

function fleet(): string {
  const companies = join(folder, 'companies');
  mkdirSync(companies, { recursive: true });
  writeFileSync(
    join(companies, 'account.json'),
    JSON.stringify({ budget: 100, 'web-acl': true, 'execution-logs': true }),
  );
  writeFileSync(
    join(companies, 'acme.production.json'),
    JSON.stringify({ company: 'acme', stage: 'production', 'web-acl': 'none', 'retention-days': 'none' }),
  );
  return companies;
}

/** By the name of its company: an account, each with its account stack. */
const ZONES = {
  ours: {
    account: '111122223333',
    region: 'eu-west-1',
    qualifier: 'ours',
    'permissions-boundary': 'developers',
    tags: { 'cost-centre': '42' },
  },
  gov: { account: '222233334444', region: 'us-gov-west-1' },
  china: { account: '333344445555', region: 'cn-north-1' },
} as const;

function landingZones(): string {
  const companies = join(folder, 'zones');
  mkdirSync(companies, { recursive: true });
  for (const [company, zone] of Object.entries(ZONES)) {
    const only = { ours: { budget: 100 }, gov: {}, china: { 'resource-tags': false, 'fleet-check': false } }[company];
    const shared = { 'web-acl': true, 'execution-logs': true, ...only };
    writeFileSync(join(companies, `account-${company}.json`), JSON.stringify({ ...zone, ...shared }));
    const deployment = {
      company,
      stage: 'production',
      'web-acl': 'account',
      'retention-days': 400,
      alarms: ['on-call@example.com'],
    };
    writeFileSync(join(companies, `${company}.production.json`), JSON.stringify({ ...zone, ...deployment }));
  }
  return companies;
}

const ofAcme = (stage: string) => ({ company: 'acme', stage, 'web-acl': 'none', 'retention-days': 'none' });

interface Placed {
  readonly id: string;
  readonly region: string;
}

const ZONE_STACKS = Object.entries(ZONES).flatMap(([company, { region }]): Placed[] => [
  { id: `Account-${company}`, region },
  { id: `course-progress-migration-${company}-production`, region },
]);
const here = (id: string): Placed[] => [{ id, region: 'us-east-1' }];

describe.each<[name: string, stacks: Placed[], context: () => Readonly<Record<string, string>>]>([
  ['a sandbox', here('course-progress-migration-acme-sandbox'), () => ofAcme('sandbox')],
  ['a production stack', here('course-progress-migration-acme-production'), () => ofAcme('production')],
  [
    'a production stack with every signal',
    here('course-progress-migration-signals-production'),
    () => ({ ...ofAcme('production'), company: 'signals', objectives: 'true', canary: 'true', tracing: 'true' }),
  ],
  ['an account stack', here('Account'), () => ({ companies: fleet() })],
  ['each stack of three accounts', ZONE_STACKS, () => ({ companies: landingZones() })],
])('the template of %s', (name, stacks, context) => {
  const output = join(folder, name.replaceAll(' ', '-'));

  it('the template has no finding of cdk-nag or the CDK that is not acknowledged with a reason', async () => {
    const printed = await cdk(['synth', '--quiet', ...contextOf(context()), '--output', output]);
    expect(printed).not.toMatch(/^(ERROR|WARNING|INFO)\b/m);
    const { pluginReports } = JSON.parse(readFileSync(join(output, 'validation-report.json'), 'utf8')) as Report;
    expect(pluginReports.map(({ pluginName }) => pluginName)).toContain('AwsSolutions');
    for (const { conclusion, violations, suppressedViolations } of pluginReports) {
      expect([conclusion, violations]).toEqual(['success', []]);
      for (const { acknowledgedId, reason } of suppressedViolations ?? []) {
        expect(ACKNOWLEDGED).toContain(acknowledgedId);
        expect(reason.length).toBeGreaterThan(40);
      }
    }
  });

  it.each(stacks)('the template $id has no finding of cfn-lint in $region', ({ id, region }) => {
    const lint = () =>
      execFileSync(join(pythonTools('rehearsal', REQUIREMENTS), 'cfn-lint'), [
        '--ignore-checks',
        ...MEANT,
        '--regions',
        region,
        '--',
        join(output, `${id}.template.json`),
      ]);
    expect(lint).not.toThrow();
  });
});

it('each stack of three accounts belongs to the account, region and bootstrap that its file names, after its account stack', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'each-stack-of-three-accounts', 'manifest.json'), 'utf8'));
  const placed = Object.entries(ZONES).map(([company]) => {
    const { environment, properties, dependencies } =
      manifest.artifacts[`course-progress-migration-${company}-production`];
    const [, qualifier] = /cdk-(\w+)-deploy-role/.exec(properties.assumeRoleArn) ?? [];
    return [environment, qualifier, dependencies.filter((id: string) => id.startsWith('Account'))];
  });
  expect(placed).toEqual([
    ['aws://111122223333/eu-west-1', 'ours', ['Account-ours']],
    ['aws://222233334444/us-gov-west-1', 'hnb659fds', ['Account-gov']],
    ['aws://333344445555/cn-north-1', 'hnb659fds', ['Account-china']],
  ]);
});
