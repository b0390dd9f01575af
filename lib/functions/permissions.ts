/** Turns a function's grants into statements of its role and into the environment variables that name the resources. */
import { type Grant, Grant as IamGrant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { ENV } from '../../functions/runtime/environment.ts';
import type { Quotas } from '../../functions/imports/quotas.ts';
import type { Stage } from '../settings.ts';
import type { FunctionName } from '../function-sources.ts';
import { type FunctionGrants, type ItemKind, ITEMS, foreignTo, grantsOf } from './grants.ts';
import { indexArn, type MigrationTable } from '../table/migration-table.ts';

export interface Shared {
  readonly table: MigrationTable;
  readonly queue: Queue;
  readonly signingKey: Key;
  readonly issuer: string;
  readonly audience: string;
  readonly stage: Stage;
  readonly eventBusArn: string;
  /** What a company may send and fetch in an hour. */
  readonly quotas: Quotas;
  readonly retentionDays: number | undefined;
}

/** Gives the function its permissions, and environment variables with the names of the resources it may use. */
export function permit(to: LambdaFunction, name: FunctionName, shared: Shared): void {
  const grants = grantsOf(name);
  const { table, queue, signingKey } = shared;
  if (grants.table ?? grants.indexes) to.addEnvironment(ENV.table, table.tableName);
  permitItems(to, grants, shared);
  for (const { name: index, partitions } of grants.indexes ?? []) {
    // Of an index, the leading key is the index's own partition key.
    allow(to, ['dynamodb:Query'], indexArn(table, index), leadingKeys([partitions], []));
  }
  if (grants.sendsEvents) {
    to.addEnvironment(ENV.stage, shared.stage);
    allow(to, ['events:PutEvents'], shared.eventBusArn);
  }
  if (grants.sendsChunks) {
    to.addEnvironment(ENV.chunkQueueUrl, queue.queueUrl);
    allow(to, ['sqs:SendMessage'], queue.queueArn);
  }
  if (grants.tagsQueue) {
    to.addEnvironment(ENV.chunkQueueUrl, queue.queueUrl);
    allow(to, ['sqs:ListQueueTags', 'sqs:TagQueue'], queue.queueArn);
  }
  if (grants.signs) {
    to.addEnvironment(ENV.signingKeyId, signingKey.keyId);
    allow(to, ['kms:GetPublicKey', 'kms:Sign'], signingKey.keyArn);
  }
  inform(to, grants, shared);
}

/** Gives the function what it has to know of the stack. */
function inform(to: LambdaFunction, { knowsRetention, knowsTokens }: FunctionGrants, shared: Shared): void {
  if (knowsRetention && shared.retentionDays !== undefined) {
    to.addEnvironment(ENV.retentionDays, String(shared.retentionDays));
  }
  if (knowsTokens) {
    to.addEnvironment(ENV.issuer, shared.issuer);
    to.addEnvironment(ENV.audience, shared.audience);
  }
}

/** One statement for all actions on the same kinds of items. */
function permitItems(to: LambdaFunction, { table: granted = {} }: FunctionGrants, { table, quotas }: Shared): void {
  if (granted.UpdateItem?.includes('quota')) to.addEnvironment(ENV.quotas, JSON.stringify(quotas));
  const byKinds = Map.groupBy(Object.entries(granted), ([, kinds]) => kinds.toSorted().join());
  for (const [kinds, entries] of byKinds) {
    const each = kinds.split(',') as ItemKind[];
    const actions = entries.map(([action]) => `dynamodb:${action}`);
    const patterns = each.map((kind) => ITEMS[kind]);
    allow(to, actions, table.tableArn, leadingKeys(patterns, foreignTo(each)));
  }
}

/** Every partition key in a call must match one of the patterns and none of the excluded ones, and there must be a key. */
const leadingKeys = (patterns: readonly string[], excluded: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
  ...(excluded.length > 0 && { 'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': excluded } }),
  // `ForAllValues` is true of no keys at all.
  Null: { 'dynamodb:LeadingKeys': 'false' },
});

function allow(
  grantee: IGrantable,
  actions: string[],
  resource: string,
  conditions: Record<string, Record<string, unknown>> = {},
): Grant {
  return IamGrant.addToPrincipal({ grantee, actions, resourceArns: [resource], conditions });
}
