import { StartupFault } from '../lifecycle.ts';
import { ACCOUNT, type PhysicalResources, type Properties, resourcesOfType } from '../template.ts';
import { type Statement, statementsOf } from './policy.ts';

export interface Role {
  readonly functionId: string;
  readonly roleId: string;
  /** ARN of the caller, for messages. */
  readonly principal: string;
  readonly statements: readonly Statement[];
}

/** Ways to give a role permissions that the template does not use. */
const UNREAD = ['ManagedPolicyArns', 'PermissionsBoundary', 'Policies'];

/** By the function's logical id. @throws StartupFault for a role or a policy that the local stack does not evaluate */
export function rolesOf(resources: PhysicalResources): ReadonlyMap<string, Role> {
  const { template } = resources;
  const roles = new Map(resourcesOfType(template, 'AWS::IAM::Role').map(([id, properties]) => [id, properties]));
  const policies = resources.declared('AWS::IAM::Policy').map(([id, { Roles, PolicyDocument }]) => ({
    attachedTo: [Roles].flat(),
    statements: statementsOf(PolicyDocument, id),
  }));
  return new Map(
    resourcesOfType(template, 'AWS::Lambda::Function').map(([functionId, { Role }]) => {
      const roleId = (Role as { 'Fn::GetAtt'?: readonly string[] })['Fn::GetAtt']?.[0] ?? '';
      requireReadable(functionId, roles.get(roleId));
      const own = policies.filter(({ attachedTo }) => attachedTo.includes(roleId));
      const principal = `arn:aws:sts::${ACCOUNT}:assumed-role/${roleId}/${functionId}`;
      return [functionId, { functionId, roleId, principal, statements: own.flatMap(({ statements }) => statements) }];
    }),
  );
}

function requireReadable(functionId: string, role: Properties | undefined): void {
  if (role === undefined)
    throw new StartupFault(`the function ${functionId} has no role of this template: give it one of its own`);
  const unread = UNREAD.find((member) => role[member] !== undefined);
  if (unread !== undefined)
    throw new StartupFault(
      `the role of ${functionId} has ${unread}, which the local stack does not evaluate: grant by a policy of the role`,
    );
}
