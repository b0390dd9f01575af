/** What a function may touch, and the environment variables that name it: one entry gives both, so neither is forgotten. */
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import { Grant as IamGrant } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { ENV, TABLE } from '../functions/runtime/environment.ts';
import type { MigrationTable } from './migration-table.ts';
import type { Permission, Route } from './routes.ts';

export interface Shared {
  readonly table: MigrationTable;
  readonly queue: Queue;
  readonly signingKey: Key;
  readonly issuer: string;
  readonly audience: string;
}

const ACCESS_READS = ['dynamodb:GetItem', 'dynamodb:BatchGetItem'];
const WRITES = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:BatchWriteItem'];

const GRANTS: Readonly<Record<Permission, (to: LambdaFunction, shared: Shared) => void>> = {
  read: (to, { table }) => onTable(to, table, [...ACCESS_READS, 'dynamodb:Query']),
  write: (to, { table }) => onTable(to, table, WRITES),
  'write-records': (to, { table }) => onTable(to, table, ['dynamodb:PartiQLInsert', 'dynamodb:PartiQLUpdate']),
  'list-imports': (to, { table }) => allow(to, ['dynamodb:Query'], table.indexArn(TABLE.importsByCompany.name)),
  'list-open-imports': (to, { table }) => allow(to, ['dynamodb:Query'], table.indexArn(TABLE.openImports.name)),
  'send-chunks': (to, { queue }) => {
    to.addEnvironment(ENV.chunkQueueUrl, queue.queueUrl);
    allow(to, ['sqs:SendMessage'], queue.queueArn);
  },
  sign: (to, shared) => {
    to.addEnvironment(ENV.signingKeyId, shared.signingKey.keyId);
    allow(to, ['kms:Sign', 'kms:GetPublicKey'], shared.signingKey.keyArn);
    namesTokens(to, shared);
  },
};

export function permit(to: LambdaFunction, permissions: readonly Permission[], shared: Shared): void {
  for (const permission of permissions) GRANTS[permission](to, shared);
}

/** What the route's kind of caller needs to be told apart, beyond what the route itself may touch. */
export function permitAccess(to: LambdaFunction, access: Route['access'], shared: Shared): void {
  if (access === 'public') return;
  onTable(to, shared.table, ACCESS_READS);
  namesTokens(to, shared);
}

function namesTokens(to: LambdaFunction, { issuer, audience }: Shared): void {
  to.addEnvironment(ENV.issuer, issuer);
  to.addEnvironment(ENV.audience, audience);
}

function onTable(to: LambdaFunction, table: MigrationTable, actions: string[]): void {
  to.addEnvironment(ENV.table, table.tableName);
  allow(to, actions, table.tableArn);
}

function allow(grantee: IGrantable, actions: string[], resource: string): Grant {
  return IamGrant.addToPrincipal({ grantee, actions, resourceArns: [resource] });
}
