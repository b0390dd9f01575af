import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib/core';
import type { BundledFunction } from './bundled-function.ts';
import type { Construct } from 'constructs';
import { ChunkProcessing } from './chunk-processing.ts';
import { ChunkQueue } from './chunk-queue.ts';
import { MigrationApi } from './migration-api.ts';
import { MigrationTable } from './migration-table.ts';
import { Observability } from './observability/observability.ts';
import { StackMetrics } from './observability/stack-metrics.ts';
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
    super(scope, id, { description: `Course progress migration of ${settings.company} (${settings.stage})`, ...stack });
    for (const [name, value] of Object.entries(tagsOf(settings))) Tags.of(this).add(name, value);
    const table = new MigrationTable(this, 'Table', settings.stage);
    const chunks = new ChunkQueue(this, 'Chunks');
    // Fixed names rather than the API's address, which would make the API and its functions depend on each other.
    const issuer = `urn:course-progress-migration:${settings.company}:${settings.stage}`;
    const shared: Shared = {
      table,
      queue: chunks.queue,
      signingKey: new SigningKey(this, settings),
      issuer,
      audience: `${issuer}:api`,
    };
    const http = new MigrationApi(this, 'Http', { bundles, shared, cors: settings.cors });
    const processing = new ChunkProcessing(this, 'Processing', { bundles, shared });
    if (sandboxData !== undefined) new SandboxData(this, 'SandboxData', { ...sandboxData, shared });
    const { alarms, dashboard } = new Observability(this, 'Observability', {
      email: settings.alarms,
      watched: {
        own: new StackMetrics(this.stackName),
        api: http.api,
        login: http.functions.get('login') as BundledFunction,
        startImport: http.functions.get('start-import') as BundledFunction,
        processor: processing.processor,
        watchdog: processing.watchdog,
        queue: chunks.queue,
        deadLetters: chunks.deadLetters,
        table,
      },
    });
    this.#tell({
      BaseUrl: [http.api.apiEndpoint, 'Both base URLs of the interface'],
      DashboardUrl: [dashboardUrl(this, dashboard.dashboardName), 'Are imports healthy?'],
      AlarmTopicArn: [alarms.topic.topicArn, 'Subscribe whoever is on call'],
      TableName: [table.tableName, 'The one table'],
      ChunkQueueUrl: [chunks.queue.queueUrl, 'Chunks that wait to be processed'],
      ChunkQueueName: [chunks.queue.queueName, 'Name of the chunk queue'],
      DeadLetterQueueUrl: [chunks.deadLetters.queueUrl, 'Chunks that failed five times'],
      DeadLetterQueueName: [chunks.deadLetters.queueName, 'Name of the dead-letter queue'],
      SigningKeyId: [shared.signingKey.keyId, 'The key that signs tokens'],
    });
  }

  #tell(outputs: Readonly<Record<string, readonly [value: string, description: string]>>): void {
    for (const [name, [value, description]] of Object.entries(outputs))
      new CfnOutput(this, name, { value, description });
  }
}

/** On everything that can carry a tag: who it is for, and what it belongs to. */
const tagsOf = ({ company, stage }: Settings): Record<string, string> => ({
  application: 'course-progress-migration',
  company,
  stage,
});

const dashboardUrl = ({ region }: Stack, name: string): string =>
  `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards:name=${name}`;
