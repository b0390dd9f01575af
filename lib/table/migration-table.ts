import { RemovalPolicy } from 'aws-cdk-lib/core';
import { AttributeType, Billing, type ITableV2, ProjectionType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { INDEXES, TABLE } from '../../functions/dynamodb/table.ts';
import type { Settings } from '../settings.ts';

/** The stack's own table, or an existing one. */
export type MigrationTable = Pick<ITableV2, 'node' | 'tableArn' | 'tableName'>;

const text = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * The stack's own, or an existing one by name; deleted with a sandbox only. Without warm throughput, which DynamoDB raises by
 * itself and refuses to lower. A restored table needs a logical id of its own: CloudFormation imports only resources that are new.
 */
export function migrationTable(scope: Construct, { stage, table, restoredTable }: Settings): MigrationTable {
  const globalIndexes = INDEXES.map(({ name }) => name);
  if (table !== undefined) return TableV2.fromTableAttributes(scope, 'Table', { tableName: table, globalIndexes });
  const isKept = stage === 'production' || restoredTable !== undefined;
  return new TableV2(scope, restoredTable ?? 'Table', {
    ...(restoredTable !== undefined && { tableName: restoredTable }),
    partitionKey: text(TABLE.partitionKey),
    sortKey: text(TABLE.sortKey),
    billing: Billing.onDemand(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: TABLE.expiresAt,
    deletionProtection: isKept,
    // CloudFormation cannot delete a protected table: if it is kept, a failed first creation can still end.
    removalPolicy: isKept ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    globalSecondaryIndexes: INDEXES.map((index) => ({
      indexName: index.name,
      partitionKey: text(index.partitionKey),
      sortKey: text(index.sortKey),
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...index.holds],
    })),
  });
}
