import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { ChunkProcessing } from './chunk-processing.ts';
import { ChunkQueue } from './chunk-queue.ts';
import { MigrationApi } from './migration-api.ts';
import { MigrationTable } from './migration-table.ts';
import type { Shared } from './permissions.ts';
import { SandboxData, type SandboxDataProps } from './sandbox-data.ts';
import type { Settings } from './settings.ts';
import { SigningKey } from './signing-key.ts';

export interface MigrationStackProps extends StackProps {
  readonly settings: Settings;
  /** Folder that holds one folder for each built function. */
  readonly bundles: string;
  /** What a sandbox starts with; production has none. */
  readonly sandboxData?: Omit<SandboxDataProps, 'shared'>;
}

/** The whole service for one company and stage. */
export class MigrationStack extends Stack {
  constructor(scope: Construct, id: string, props: MigrationStackProps) {
    const { settings, bundles, sandboxData, ...stack } = props;
    super(scope, id, stack);
    const table = new MigrationTable(this, 'Table', settings.stage);
    const chunks = new ChunkQueue(this, 'Chunks');
    // Fixed names rather than the API's address, which would make the API and its functions depend on each other.
    const issuer = `urn:course-progress-migration:${settings.company}:${settings.stage}`;
    const shared: Shared = {
      table,
      queue: chunks.queue,
      signingKey: new SigningKey(this, 'SigningKey', settings),
      issuer,
      audience: `${issuer}:api`,
    };
    const { api } = new MigrationApi(this, 'Http', { bundles, shared });
    new ChunkProcessing(this, 'Processing', { bundles, shared });
    if (sandboxData !== undefined) new SandboxData(this, 'SandboxData', { ...sandboxData, shared });

    new CfnOutput(this, 'BaseUrl', { value: api.apiEndpoint, description: 'Both base URLs of the interface' });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'ChunkQueueUrl', { value: chunks.queue.queueUrl });
    new CfnOutput(this, 'DeadLetterQueueUrl', { value: chunks.deadLetters.queueUrl });
  }
}
