/** Turns grants into the statements of roles, and into the environment variables that name the resources to a function. */
import { Stack } from 'aws-cdk-lib/core';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import * as ENV from '../../functions/runtime/variables.ts';
import { EVENT_SOURCE } from '../../functions/shared/codes.ts';
import { HOURLY_QUOTAS } from '../../functions/shared/limits.ts';
import type { Quotas } from '../../functions/auth/quotas.ts';
import type { Settings } from '../settings.ts';
import type { FunctionName } from '../function-sources.ts';
import { BundledFunction, type BundledFunctionProps } from './bundled-function.ts';
import type { FunctionGrants } from './function-grants.ts';
import { grantsOf } from './grants.ts';
import { grantsOfAll, roleOf } from './roles.ts';
import { ITEMS, foreignTo } from './item-kinds.ts';
import type { MigrationTable } from '../table/migration-table.ts';

/** What the functions of a stack share. */
export interface Shared {
  readonly settings: Settings;
  readonly bundles: string;
  /** Contains the role of each function, which is made for the first function that asks for it. */
  readonly roles: Construct;
  readonly table: MigrationTable;
  readonly queue: Queue;
  readonly signingKey: Key;
  readonly evidenceKey: Key | undefined;
  readonly issuer: string;
  /** Name of the parameter in SSM with the settings of the last deployment, which begins with a slash. */
  readonly settingsParameter: string;
}

/** Makes a function with its role, its grants and the variables that its handler reads. */
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
    role: roleFor(name, shared),
  });
  inform(made, name, shared);
  return made;
}

/** The role of a function, made for the first of those that share it. */
export function roleFor(name: FunctionName, shared: Shared): Role {
  const [roleName, members] = roleOf(name);
  const known = shared.roles.node.tryFindChild(roleName);
  if (known instanceof Role) return known;
  const role = new Role(shared.roles, roleName, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  grantTo(role, grantsOfAll(members), shared);
  return role;
}

function inform(to: BundledFunction, name: FunctionName, shared: Shared): void {
  const grants = grantsOf(name);
  const { table, queue, signingKey, evidenceKey, issuer, settings } = shared;
  const { stage, retentionDays, archiveYears, approval, mailFrom } = settings;
  const known: readonly (readonly [isGranted: unknown, name: string, value: string | number | undefined])[] = [
    [grants.table ?? grants.indexes, ENV.table, table.tableName],
    [grants.sendsEvents, ENV.stage, stage],
    [grants.table?.UpdateItem?.includes('quota'), ENV.quotas, JSON.stringify(quotasOf(settings))],
    [grants.knowsRetention && retentionDays !== 'none', ENV.retentionDays, retentionDays],
    [grants.knowsRetention, ENV.archiveYears, archiveYears],
    [grants.knowsApproval, ENV.approval, approval],
    [grants.knowsMail, ENV.mailFrom, mailFrom],
    [grants.knowsSignIn, ENV.signIn, signInOf(settings)],
    [takesTokens(grants), ENV.passwords, settings.passwords],
    [grants.knowsTokens, ENV.issuer, issuer],
    [grants.knowsTokens, ENV.audience, `${issuer}:api`],
    [grants.sendsChunks, ENV.chunkQueueUrl, queue.queueUrl],
    [grants.readsSettings, ENV.settingsParameter, shared.settingsParameter],
    [grants.signs, ENV.signingKeyId, signingKey.keyId],
    [grants.attests, ENV.evidenceKeyId, evidenceKey?.keyId],
  ];
  for (const [isGranted, variable, value] of known)
    if (isGranted && value !== undefined) to.addEnvironment(variable, String(value));
}

/** Functions that decide about a person, or say how they sign in. */
const takesTokens = ({ knowsTokens, knowsSignIn }: FunctionGrants): boolean =>
  knowsTokens === true || knowsSignIn === true;

/** As `signInSettings` reads it: `SignInSettings`. */
const signInOf = ({ signIn }: Settings): string | undefined => signIn && JSON.stringify(signIn);

const MB = 1e6;

/** What a company may send and fetch in an hour. */
const quotasOf = ({ hourlyImports, hourlyUploadMb, hourlyDownloadMb }: Settings): Quotas => ({
  imports: hourlyImports ?? HOURLY_QUOTAS.imports,
  upload_bytes: hourlyUploadMb === undefined ? HOURLY_QUOTAS.upload_bytes : hourlyUploadMb * MB,
  download_bytes: hourlyDownloadMb === undefined ? HOURLY_QUOTAS.download_bytes : hourlyDownloadMb * MB,
});

function grantTo(role: Role, grants: FunctionGrants, shared: Shared): void {
  const { table, queue, signingKey, evidenceKey } = shared;
  const arnOf = (service: string, resource: string, resourceName: string): string =>
    Stack.of(role).formatArn({ service, resource, resourceName });
  permitItems(role, grants, shared);
  for (const { name: index, partitions } of grants.indexes ?? []) {
    // The leading key of an index is its own partition key.
    const keys = limitsKeys(shared) ? ifSupplied([partitions], []) : {};
    allow(role, ['dynamodb:Query'], `${table.tableArn}/index/${index}`, keys);
  }
  // The bus is that of the account: no event may claim to come from another service.
  const ours = { StringEquals: { 'events:source': EVENT_SOURCE } };
  if (grants.sendsEvents) allow(role, ['events:PutEvents'], arnOf('events', 'event-bus', 'default'), ours);
  if (grants.sendsChunks) allow(role, ['sqs:SendMessage'], queue.queueArn);
  for (const name of parametersOf(grants, shared))
    allow(role, ['ssm:GetParameter'], arnOf('ssm', 'parameter', name.slice(1)));
  if (grants.signs) allow(role, ['kms:GetPublicKey', 'kms:Sign'], signingKey.keyArn);
  if (grants.attests && evidenceKey) allow(role, ['kms:GetPublicKey', 'kms:Sign'], evidenceKey.keyArn);
}

/** The names of the parameters in SSM, each with a slash first. */
function parametersOf(grants: FunctionGrants, { settings, settingsParameter }: Shared): string[] {
  const secret = settings.signIn?.client_secret_parameter;
  return [
    ...(grants.readsSettings ? [settingsParameter] : []),
    ...(grants.readsClientSecret && secret !== undefined ? [secret] : []),
  ];
}

/** Whether roles are limited to the keys of their items. */
const limitsKeys = ({ settings }: Shared): boolean => settings.leadingKeys !== false;

/** One statement for all actions on the same kinds of items. Permissions for transactions are those for their single actions. */
function permitItems(to: Role, { table: granted = {}, writesTogether = [] }: FunctionGrants, shared: Shared): void {
  const isInTransactions = (action: string) => (writesTogether as readonly string[]).includes(action);
  const byKinds = Map.groupBy(Object.entries(granted), ([action, kinds]) =>
    [isInTransactions(action), ...kinds.toSorted()].join(),
  );
  for (const entries of byKinds.values()) {
    const kinds = entries[0]?.[1] ?? [];
    const actions = entries.map(([action]) => `dynamodb:${action}`);
    const limited = entries.some(([action]) => isInTransactions(action)) ? ifSupplied : always;
    const patterns = kinds.map((kind) => ITEMS[kind]);
    const keys = limitsKeys(shared) ? limited(patterns, foreignTo(kinds)) : {};
    allow(to, actions, shared.table.tableArn, keys);
  }
}

type Conditions = Record<string, Record<string, unknown>>;
type KeyCondition = (patterns: readonly string[], excluded: readonly string[]) => Conditions;

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

function allow(grantee: Role, actions: string[], resource: string, conditions: Conditions = {}): void {
  Grant.addToPrincipal({ grantee, actions, resourceArns: [resource], conditions });
}
