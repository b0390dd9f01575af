import { RemovalPolicy } from 'aws-cdk-lib/core';
import { AttributeType, Billing, type ITableV2, ProjectionType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { INDEXES, TABLE } from '../../functions/dynamodb/table.ts';
import type { Settings } from '../settings.ts';

/** The parts of the table that the stack uses, whether its own or an existing one. */
export type MigrationTable = Pick<
  ITableV2,
  'node' | 'tableArn' | 'tableName' | 'metric' | 'metricConsumedReadCapacityUnits' | 'metricConsumedWriteCapacityUnits'
>;

const text = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * The stack's own, or an existing one by name; deleted with a sandbox only. Without warm throughput, which DynamoDB raises by
 * itself and refuses to lower. A restored table needs a logical id of its own: CloudFormation imports only resources that are new.
 */
export function migrationTable(
  scope: Construct,
  id: string,
  { stage, table, restoredTable }: Settings,
): MigrationTable {
  if (table !== undefined)
    return TableV2.fromTableAttributes(scope, id, { tableName: table, globalIndexes: INDEXES.map(({ name }) => name) });
  const isKept = stage === 'production' || restoredTable !== undefined;
  return new TableV2(scope, restoredTable ?? id, {
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

export const indexArn = ({ tableArn }: MigrationTable, name: string): string => `${tableArn}/index/${name}`;
