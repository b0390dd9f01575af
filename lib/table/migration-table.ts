import { RemovalPolicy } from 'aws-cdk-lib/core';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { INDEXES, TABLE } from '../../functions/dynamodb/table.ts';
import type { Stage } from '../settings.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** The one table. It is deleted with its stack in a sandbox only. */
export class MigrationTable extends Table {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, {
      partitionKey: text(TABLE.partitionKey),
      sortKey: text(TABLE.sortKey),
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: TABLE.expiresAt,
      deletionProtection: stage === 'production',
      removalPolicy: stage === 'production' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    for (const index of INDEXES) {
      this.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        ...(index.holds.length === 0
          ? { projectionType: ProjectionType.KEYS_ONLY }
          : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...index.holds] }),
      });
    }
  }

  indexArn(name: string): string {
    return `${this.tableArn}/index/${name}`;
  }
}
