/** Turns grants into the statements of roles, and into the environment variables that name the resources to a function. */
import { Stack } from 'aws-cdk-lib/core';
import { Grant, type IGrantable, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import * as ENV from '../../functions/runtime/variables.ts';
import { EVENT_SOURCE } from '../../functions/shared/codes.ts';
import type { Quotas } from '../../functions/auth/quotas.ts';
import type { Stage } from '../settings.ts';
import type { FunctionName } from '../function-sources.ts';
import { BundledFunction, type BundledFunctionProps } from './bundled-function.ts';
import { type FunctionGrants, grantsOf, grantsOfAll, roleOf } from './grants.ts';
import { ITEMS, foreignTo } from './item-kinds.ts';
import { indexArn, type MigrationTable } from '../table/migration-table.ts';

export interface Resources {
  readonly table: MigrationTable;
  readonly queue: Queue;
  readonly signingKey: Key;
  readonly evidenceKey: Key | undefined;
  readonly issuer: string;
  readonly audience: string;
  readonly stage: Stage;
  readonly eventBusArn: string;
  /** Name of the parameter in SSM with the settings of the last deployment, which begins with a slash. */
  readonly settingsParameter: string;
  /** Bytes that a company may send and fetch in an hour. */
  readonly quotas: Quotas;
  readonly retentionDays: number | undefined;
  /** Whether roles are limited to the keys of their items. */
  readonly leadingKeys: boolean;
}

export interface Shared extends Resources {
  readonly roles: FunctionRoles;
  readonly bundles: string;
}

export function functionOf(
  scope: Construct,
  id: string,
  name: FunctionName,
  shared: Shared,
  props: Omit<BundledFunctionProps, 'bundle' | 'role'> & { readonly bundle?: string },
): BundledFunction {
  const made = new BundledFunction(scope, id, {
    bundle: `${shared.bundles}/${name}`,
    ...props,
    role: shared.roles.of(name),
  });
  inform(made, name, shared);
  return made;
}

/** The roles of a stack's functions. Each is made for the first function that asks for it. */
export class FunctionRoles extends Construct {
  readonly #resources: Resources;
  readonly #made = new Map<string, Role>();

  constructor(scope: Construct, id: string, resources: Resources) {
    super(scope, id);
    this.#resources = resources;
  }

  of(name: FunctionName): Role {
    const [roleName, members] = roleOf(name);
    const known = this.#made.get(roleName);
    if (known !== undefined) return known;
    const role = new Role(this, roleName, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.#made.set(roleName, role);
    grantTo(role, grantsOfAll(members), this.#resources);
    return role;
  }
}

function inform(to: BundledFunction, name: FunctionName, shared: Resources): void {
  const grants = grantsOf(name);
  const { table, queue, signingKey, evidenceKey, issuer, audience, quotas, retentionDays } = shared;
  const known: readonly (readonly [isGranted: unknown, name: string, value: string | undefined])[] = [
    [grants.table ?? grants.indexes, ENV.table, table.tableName],
    [grants.sendsEvents, ENV.stage, shared.stage],
    [grants.table?.UpdateItem?.includes('quota'), ENV.quotas, JSON.stringify(quotas)],
    [grants.knowsRetention, ENV.retentionDays, retentionDays?.toString()],
    [grants.knowsTokens, ENV.issuer, issuer],
    [grants.knowsTokens, ENV.audience, audience],
    [grants.sendsChunks, ENV.chunkQueueUrl, queue.queueUrl],
    [grants.readsSettings, ENV.settingsParameter, shared.settingsParameter],
    [grants.signs, ENV.signingKeyId, signingKey.keyId],
    [grants.attests, ENV.evidenceKeyId, evidenceKey?.keyId],
  ];
  for (const [isGranted, variable, value] of known)
    if (isGranted && value !== undefined) to.addEnvironment(variable, value);
}

function grantTo(role: Role, grants: FunctionGrants, resources: Resources): void {
  const { table, queue, signingKey, evidenceKey, eventBusArn, settingsParameter } = resources;
  permitItems(role, grants, resources);
  for (const { name: index, partitions } of grants.indexes ?? []) {
    // The leading key of an index is its own partition key.
    const keys = resources.leadingKeys ? ifSupplied([partitions], []) : {};
    allow(role, ['dynamodb:Query'], indexArn(table, index), keys);
  }
  // The bus is that of the account: no event may claim to come from another service.
  const ours = { StringEquals: { 'events:source': EVENT_SOURCE } };
  if (grants.sendsEvents) allow(role, ['events:PutEvents'], eventBusArn, ours);
  if (grants.sendsChunks) allow(role, ['sqs:SendMessage'], queue.queueArn);
  if (grants.readsSettings) allow(role, ['ssm:GetParameter'], parameterArn(role, settingsParameter));
  if (grants.signs) allow(role, ['kms:GetPublicKey', 'kms:Sign'], signingKey.keyArn);
  if (grants.attests && evidenceKey) allow(role, ['kms:GetPublicKey', 'kms:Sign'], evidenceKey.keyArn);
}

const parameterArn = (scope: Construct, name: string): string =>
  Stack.of(scope).formatArn({ service: 'ssm', resource: 'parameter', resourceName: name.slice(1) });

/** One statement for all actions on the same kinds of items. Permissions for transactions are those for their single actions. */
function permitItems(
  to: Role,
  { table: granted = {}, writesTogether = [] }: FunctionGrants,
  resources: Resources,
): void {
  const isInTransactions = (action: string) => (writesTogether as readonly string[]).includes(action);
  const byKinds = Map.groupBy(Object.entries(granted), ([action, kinds]) =>
    [isInTransactions(action), ...kinds.toSorted()].join(),
  );
  for (const entries of byKinds.values()) {
    const kinds = entries[0]?.[1] ?? [];
    const actions = entries.map(([action]) => `dynamodb:${action}`);
    const limited = entries.some(([action]) => isInTransactions(action)) ? ifSupplied : always;
    const patterns = kinds.map((kind) => ITEMS[kind]);
    const keys = resources.leadingKeys ? limited(patterns, foreignTo(kinds)) : {};
    allow(to, actions, resources.table.tableArn, keys);
  }
}

type KeyCondition = (
  patterns: readonly string[],
  excluded: readonly string[],
) => Record<string, Record<string, unknown>>;

/** Holds if IAM supplies no keys, as for indexes: there `functions/dynamodb/tenancy.ts` is the guard. */
const ifSupplied: KeyCondition = (patterns, excluded) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
  ...(excluded.length > 0 && { 'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': excluded } }),
});

/** The same, and there must be a key: `ForAllValues` is true of no keys at all. */
const always: KeyCondition = (patterns, excluded) => ({
  ...ifSupplied(patterns, excluded),
  Null: { 'dynamodb:LeadingKeys': 'false' },
});

function allow(
  grantee: IGrantable,
  actions: string[],
  resource: string,
  conditions: Record<string, Record<string, unknown>> = {},
): void {
  Grant.addToPrincipal({ grantee, actions, resourceArns: [resource], conditions });
}
