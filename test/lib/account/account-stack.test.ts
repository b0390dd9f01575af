/** The account stack in two regions of one account, and what its settings add. Costs two seconds. */
import { describe, expect, it } from 'vitest';
import { resourcesOfType, type Template } from '../../../bin/local/template.ts';
import { accountTemplateOf, SHARED } from '../../kit/template.ts';

const inRegion = (region: string) => accountTemplateOf({ account: '111122223333', region, budget: 100 });

/** Properties that name a resource, for the types whose names all regions of an account share. */
const GLOBAL_NAMES = {
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
  'AWS::IAM::Role': ['RoleName'],
  'AWS::IAM::ManagedPolicy': ['ManagedPolicyName'],
  'AWS::Budgets::Budget': ['Budget', 'BudgetName'],
} as const;

const globalNames = (template: Template): unknown[] =>
  Object.entries(GLOBAL_NAMES).flatMap(([type, path]) =>
    resourcesOfType(template, type).flatMap(([, properties]) => {
      const name = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], properties);
      return name === undefined ? [] : [name];
    }),
  );

it('account stacks of two regions share no name that is global in an account', () => {
  const names = ['eu-west-1', 'us-east-1'].map((region) => globalNames(inRegion(region)));
  expect(names).toEqual([['course-progress-migration-eu-west-1'], ['course-progress-migration-us-east-1']]);
});

it('the output DashboardUrl leads to the console of the partition', () => {
  const { Mappings, Outputs } = inRegion('eu-west-1') as Template & {
    readonly Mappings: Record<string, object>;
    readonly Outputs: Record<string, { readonly Value: unknown }>;
  };
  expect(Object.keys(Mappings['Consoles'] ?? {})).toEqual(['aws', 'aws-cn', 'aws-us-gov']);
  expect(JSON.stringify(Outputs['DashboardUrl']?.Value)).toContain(
    '{"Fn::FindInMap":["Consoles",{"Ref":"AWS::Partition"},"host"]}',
  );
});

it('metrics have the tags of their resources, by which the alarms find them; an account and region has that once', () => {
  const [[, , tags] = []] = resourcesOfType(accountTemplateOf(), 'AWS::ObservabilityAdmin::TelemetryEnrichment');
  // Else a failed first creation would block the next one.
  expect(tags).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', Properties: { Scope: 'ACCOUNT' } });
  const without = accountTemplateOf({ 'resource-tags': false });
  expect(resourcesOfType(without, 'AWS::ObservabilityAdmin::TelemetryEnrichment')).toEqual([]);
});

describe('the role of execution logs, of which an account and region has one for all teams', () => {
  it('the account stack leaves that role alone, unless its settings name it', () => {
    expect(resourcesOfType(accountTemplateOf(), 'AWS::ApiGateway::Account')).toEqual([]);
  });

  it('the role is kept when the stack is deleted, because other APIs may use it', () => {
    const template = accountTemplateOf(SHARED.account);
    const [[, account] = []] = resourcesOfType(template, 'AWS::ApiGateway::Account');
    const named = JSON.stringify(account?.['CloudWatchRoleArn']);
    const roles = resourcesOfType(template, 'AWS::IAM::Role').filter(([id]) => named.includes(`"${id}"`));
    expect(roles.map(([, , role]) => role)).toMatchObject([{ DeletionPolicy: 'RetainExceptOnCreate' }]);
  });
});
