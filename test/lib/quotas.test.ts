/** The quota table of docs/limits.md, counted in the templates. Costs two seconds. */
import { describe, expect, it } from 'vitest';
import { overbooked, targetOf } from '../../bin/operate/waves/plan.ts';
import { resourcesOfType } from '../../bin/local/template.ts';
import { accountTemplateOf, SHARED, templateOf } from '../kit/template.ts';
import { limitsDocument, uses } from './quotas.ts';

it('docs/limits.md shows how much of every quota each stage uses, and how many companies fit: npm run figures -- --write', () => {
  const { written, counted } = limitsDocument();
  expect(written).toContain('| quota | default ');
  expect(written).toBe(counted);
});

describe.each([
  ['alone', false],
  ['beside an account stack', true],
])('stacks %s', (_, account) => {
  const quotas = uses(account);
  const first = (of: 'companies' | 'companiesAtMost') => quotas.toSorted((a, b) => a[of] - b[of])[0];

  it('the stacks of 32 companies with both stages fit an account as it is; its roles are used up first', () => {
    expect(first('companies')?.name).toBe('IAM roles');
    expect(first('companies')?.companies).toBeGreaterThanOrEqual(32);
  });

  it('the stacks of 140 companies fit if the adjustable quotas are raised', () => {
    expect(first('companiesAtMost')?.companiesAtMost).toBeGreaterThanOrEqual(140);
  });

  it('a stack has 16 roles at most', () => {
    const roles = quotas.find(({ name }) => name === 'IAM roles');
    expect([roles?.production, roles?.sandbox]).toEqual([15, 16]);
  });
});

it('a release takes as many companies as the table says, and no more', () => {
  const fit = uses().find(({ name }) => name.startsWith('concurrent'))?.companies ?? 0;
  const fleetOf = (companies: number) =>
    Array.from({ length: companies }, (_, at) => `c${at}`).flatMap((company) => [
      targetOf({ company, stage: 'sandbox' }),
      targetOf({ company, stage: 'production', platform: 'arn:aws:iam::123456789012:role/platform' }),
    ]);
  expect([fit, fit + 1].map((companies) => overbooked(fleetOf(companies), new Map()).length)).toEqual([0, 1]);
});

describe('the account stack', () => {
  it('the account stack has 40 alarms at most for any number of companies, whose own stacks then have none', () => {
    const alarms = (template: ReturnType<typeof accountTemplateOf>) =>
      resourcesOfType(template, 'AWS::CloudWatch::Alarm').length;
    const provided = {};
    const own = (['sandbox', 'production'] as const).map((stage) =>
      alarms(templateOf({ company: 'acme', stage }, provided)),
    );
    expect(own).toEqual([0, 0]);
    expect(alarms(accountTemplateOf())).toBeLessThanOrEqual(40);
    expect(alarms(accountTemplateOf())).toBeGreaterThan(15);
  });

  it('the account stack leaves the alarms to a stack whose settings name recipients', () => {
    const template = templateOf({ company: 'acme', stage: 'production', alarms: ['a@example.com'] }, {});
    expect(resourcesOfType(template, 'AWS::CloudWatch::Alarm').length).toBeGreaterThan(5);
  });

  it('the account stack gives its web ACL to each stack without one of its own, and its budget notifies the topic', () => {
    const associated = (webAcl?: string) =>
      resourcesOfType(
        templateOf({ company: 'acme', stage: 'production', ...(webAcl && { webAcl }) }, { 'web-acl': true }),
        'AWS::WAFv2::WebACLAssociation',
      )[0]?.[1]['WebACLArn'];
    const account = accountTemplateOf(SHARED.account);
    const [[, parameter] = []] = resourcesOfType(account, 'AWS::SSM::Parameter');
    expect(associated()).toBe(`{{resolve:ssm:${String(parameter?.['Name'])}}}`);
    expect(associated('arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/ours/1')).toContain('webacl/ours');
    const [[, budget] = []] = resourcesOfType(account, 'AWS::Budgets::Budget');
    expect(budget).toMatchObject({ Budget: { BudgetLimit: { Amount: SHARED.account.budget, Unit: 'USD' } } });
    const [[, policy] = []] = resourcesOfType(account, 'AWS::SNS::TopicPolicy');
    expect(JSON.stringify(policy)).toContain('budgets.amazonaws.com');
  });
});
