/**
 * Every stage and the account stack as `cdk synth` writes them, checked by cdk-nag, the CDK's own validation and cfn-lint. Costs
 * about a minute.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cdk, contextOf } from './support/cdk.ts';
import { pythonTools } from '../../kit/python-tools.ts';
import { REQUIREMENTS } from './support/ministack.ts';

/** The CDK repeats some dependencies that a reference has already: harmless, and not ours to fix. */
const NOT_OURS = 'W3005';

/** Every acknowledged rule, by the resource that it concerns and with a reason of its own. */
const ACKNOWLEDGED = [
  'APIG1',
  'APIG2',
  'APIG3',
  'APIG4',
  'APIG6',
  'COG4',
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

const folder = mkdtempSync(join(tmpdir(), 'templates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder of companies with an account stack. */
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

const ofAcme = (stage: string) => ({ company: 'acme', stage, 'web-acl': 'none', 'retention-days': 'none' });

describe.each([
  ['a sandbox', 'course-progress-migration-acme-sandbox', () => ofAcme('sandbox')],
  ['a production stack', 'course-progress-migration-acme-production', () => ofAcme('production')],
  ['an account stack', 'Account', () => ({ companies: fleet() })],
])('the template of %s', (_, name, context) => {
  const output = join(folder, name);

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

  it('the template has no finding of cfn-lint', () => {
    const template = join(output, `${name}.template.json`);
    const lint = () =>
      execFileSync(join(pythonTools('rehearsal', REQUIREMENTS), 'cfn-lint'), [
        '--ignore-checks',
        NOT_OURS,
        '--',
        template,
      ]);
    expect(lint).not.toThrow();
  });
});
