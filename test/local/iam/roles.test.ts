/** The roles of a template, and those of the service. Costs a second: it synthesizes the stack. */
import { describe, expect, it } from 'vitest';
import { statementFor } from '../../../bin/local/iam/policy.ts';
import { rolesOf } from '../../../bin/local/iam/roles.ts';
import { StartupFault } from '../../../bin/local/lifecycle.ts';
import { PhysicalResources, resourcesOfType, type Template } from '../../../bin/local/template.ts';
import { templateOf } from '../../kit/template.ts';

const RoleArn = { 'Fn::GetAtt': ['R', 'Arn'] };
const policy = (Statement: object[], role = 'R') => ({
  Type: 'AWS::IAM::Policy',
  Properties: { Roles: [{ Ref: role }], PolicyDocument: { Statement } },
});
const allow = (Action: string) => ({ Effect: 'Allow', Action, Resource: '*' });

function rolesWith(resources: Record<string, unknown>, role: object = {}, Role: unknown = RoleArn) {
  const F = { Type: 'AWS::Lambda::Function', Properties: { Role } };
  const template = { Resources: { F, R: { Type: 'AWS::IAM::Role', Properties: role }, ...resources } };
  return rolesOf(new PhysicalResources(template as Template));
}

describe('the role of a function', () => {
  it('a role has the statements of all its policies, and of no other', () => {
    const policies = { A: policy([allow('a:A')]), B: policy([allow('b:B')]), C: policy([allow('c:C')], 'Other') };
    const role = rolesWith(policies).get('F');
    expect(role?.statements.flatMap(({ actions }) => actions)).toEqual(['a:A', 'b:B']);
    expect(role?.principal).toBe('arn:aws:sts::000000000000:assumed-role/R/F');
  });

  it('a role without a policy allows nothing', () => {
    expect(rolesWith({}).get('F')?.statements).toEqual([]);
  });

  it.each([
    ['a managed policy', { ManagedPolicyArns: ['arn:aws:iam::aws:policy/A'] }, RoleArn, 'ManagedPolicyArns'],
    ['a policy of its own', { Policies: [] }, RoleArn, 'Policies'],
    ['a boundary', { PermissionsBoundary: 'arn' }, RoleArn, 'PermissionsBoundary'],
    ['a role of another stack', {}, 'arn:aws:iam::000000000000:role/other', 'no role of this template'],
  ])('a role with %s is refused', (_, role, reference, message) => {
    expect(() => rolesWith({}, role, reference)).toThrow(StartupFault);
    expect(() => rolesWith({}, role, reference)).toThrow(message);
  });
});

describe('a role of the service', () => {
  const template = templateOf({ company: 'acme', stage: 'sandbox' });
  const roles = rolesOf(new PhysicalResources(template));
  const [[tableId] = ['']] = resourcesOfType(template, 'AWS::DynamoDB::GlobalTable');

  const mayCall = (functionId: string, action: string, ...leadingKeys: string[]): boolean => {
    const { statements } = [...roles.values()].find((role) => role.functionId.startsWith(functionId)) ?? {};
    const requested = { action: `dynamodb:${action}`, resource: `${tableId}.Arn`, leadingKeys };
    return statementFor(statements ?? [], requested) !== undefined;
  };

  it('no role reads a login whose address is written like the key of a user', () => {
    expect(mayCall('HttpGetProfile', 'BatchGetItem', 'login#x#user#y@z.test')).toBe(false);
    expect(mayCall('HttpGetImport8', 'BatchGetItem', 'login#x#import#y@z.test')).toBe(false);
  });

  /** The functions that may call the table, or an index, with these keys, and how. */
  const allowedCalls = (leadingKeys: readonly string[]): string[] =>
    [...roles.values()].flatMap(({ functionId, statements }) =>
      statements
        .flatMap(({ actions, resources }) => actions.flatMap((action) => resources.map((on) => [action, on] as const)))
        .filter(([action]) => action.startsWith('dynamodb:'))
        .filter(([action, resource]) => statementFor(statements, { action, resource, leadingKeys }) !== undefined)
        .map(([action]) => `${functionId.slice(0, -8)} ${action.slice('dynamodb:'.length)}`),
    );
  const writers = (key: string) =>
    allowedCalls([key]).filter((call) => / \S*(?:Put|Update|Delete|Write|PartiQL)/.test(call));

  it('no role calls anything with a key of no kind, or on the table without one, apart from writes that go in transactions', () => {
    const withoutKey = allowedCalls([]).filter((call) => !call.endsWith(' Query'));
    // The cancels share the role of the reverts, whose request is a transaction, as a decision about a run is.
    const written = (names: readonly string[]) =>
      names.flatMap((name) => ['PutItem', 'UpdateItem', 'DeleteItem'].map((action) => `${name} ${action}`));
    expect(withoutKey).toEqual([
      ...written([
        'HttpCancelImport',
        'HttpRevertImport',
        'HttpPutRun',
        'HttpDeleteRun',
        'HttpMakePlan',
        'HttpDeletePlan',
        'HttpApprovePlan',
        'HttpApplyPlan',
        'HttpCancelRun',
        'HttpRevertRun',
      ]),
      'IntakeFunction PutItem',
      'IntakeFunction DeleteItem',
      'SandboxDataLoader PutItem',
      'SandboxDataLoader DeleteItem',
    ]);
    expect(mayCall('HttpGetJwks', 'Query')).toBe(false);
    expect(allowedCalls(['other'])).toEqual([]);
  });

  it('a role publishes a key only if it signs, and changes a session only if it signs, ends it or erases a person', () => {
    expect(writers('session#s')).toEqual([
      'HttpLogin PutItem',
      'HttpLogin BatchWriteItem',
      'HttpRefreshToken PutItem',
      'HttpRefreshToken UpdateItem',
      'HttpLogout UpdateItem',
      'HttpSignIn PutItem',
      'HttpSignIn BatchWriteItem',
      'ProcessingProcessChunk BatchWriteItem',
    ]);
    expect(writers('signing-keys')).toEqual([
      'HttpLogin UpdateItem',
      'HttpRefreshToken UpdateItem',
      'HttpSignIn UpdateItem',
      'HttpGetToken UpdateItem',
    ]);
  });

  it('a client is registered by the platform alone', () => {
    expect(writers('login#client#nightly')).toEqual(['IntakeFunction PutItem', 'SandboxDataLoader PutItem']);
  });
});
