import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import type { Quotas } from '../functions/auth/quotas.ts';
import * as ENV from '../functions/runtime/variables.ts';
import { HOURLY_QUOTAS } from '../functions/shared/limits.ts';
import { MigrationApi } from './api/migration-api.ts';
import { evidenceKey, signingKey } from './api/signing-key.ts';
import { protect, webAclSetting } from './api/web-acl.ts';
import type { AccountSettings } from './account/account-settings.ts';
import { BundledFunction } from './functions/bundled-function.ts';
import { addTags, propsOf, type Outputs } from './landing-zone.ts';
import type { Shared } from './functions/permissions.ts';
import { canary } from './observability/canary.ts';
import { APPLICATION } from './observability/tags.ts';
import { alarmList, metricsOf } from './observability/alarms.ts';
import { Alarms } from './observability/alarm-topic.ts';
import { saveQueries } from './observability/saved-queries.ts';
import { chunkQueue, processChunks, processorsOf } from './processing/chunk-processing.ts';
import { takeFacts } from './processing/intake.ts';
import { loadSandboxData, type SandboxData } from './sandbox/sandbox-data.ts';
import { checkSettings } from './settings-check.ts';
import type { Settings } from './settings.ts';
import { migrationTable } from './table/migration-table.ts';

export interface MigrationStackProps extends StackProps {
  readonly settings: Settings;
  readonly version: string;
  readonly bundles: string;
  /** The account stack beside it. */
  readonly account?: Pick<AccountSettings, 'web-acl'> | undefined;
  readonly sandboxData?: SandboxData;
}

/** The parameters in SSM, by the outputs that they repeat. */
const PUBLISHED = {
  url: 'BaseUrl',
  jwks: 'JwksUrl',
  'intake-queue': 'IntakeQueueUrl',
  'intake-function': 'IntakeFunctionName',
  table: 'TableName',
};

/** The whole service for one company and stage. Beside an account stack it has no alarms and queries of its own. */
export class MigrationStack extends Stack {
  constructor(scope: Construct, id: string, props: MigrationStackProps) {
    const { settings, version, bundles, account, sandboxData, ...stack } = props;
    super(scope, id, {
      description: `Course progress migration of ${settings.company} (${settings.stage})`,
      terminationProtection: settings.stage === 'production',
      ...propsOf(settings),
      ...stack,
    });
    const { company, stage, tags } = settings;
    addTags(this, { application: APPLICATION, company, stage, ...tags });
    const table = migrationTable(this, 'Table', settings);
    const chunks = chunkQueue(this);
    // Fixed names: with the API's address, the API and its functions would depend on each other.
    const issuer = `urn:course-progress-migration:${settings.company}:${settings.stage}`;
    const shared: Shared = {
      bundles,
      table,
      queue: chunks.queue,
      signingKey: signingKey(this, settings),
      evidenceKey: evidenceKey(this, settings),
      issuer,
      audience: `${issuer}:api`,
      stage: settings.stage,
      retentionDays: settings.retentionDays,
      leadingKeys: settings.leadingKeys !== false,
      eventBusArn: this.formatArn({ service: 'events', resource: 'event-bus', resourceName: 'default' }),
      settingsParameter: `/${this.stackName}/settings`,
      quotas: quotasOf(settings),
      roles: new Construct(this, 'Roles'),
    };
    checkSettings(this, shared, settings);
    const webAcl = webAclSetting(settings, account);
    const http = new MigrationApi(this, shared, settings, webAcl);
    const startImport = http.functions.get('start-import') as BundledFunction;
    const processing = processChunks(this, shared, processorsOf(settings));
    const intake = takeFacts(this, shared, settings);
    if (sandboxData !== undefined) loadSandboxData(this, shared, sandboxData);
    const caller = canary(this, shared, settings, http.baseUrl);
    const functions = this.node.findAll().filter((part) => part instanceof BundledFunction);
    for (const each of functions) complete(each, props);
    const specs = alarmList(
      {
        own: metricsOf(this.stackName),
        api: http.api.deploymentStage,
        watchdog: processing.watchdog,
        canary: caller,
        deadLetters: chunks.deadLetters,
        intakeDeadLetters: intake.messages?.deadLetters,
      },
      settings,
    );
    const hasAlarms = account === undefined || settings.alarms !== undefined;
    const alarms = hasAlarms ? new Alarms(this, specs, settings.alarms) : undefined;
    if (account === undefined && settings.stage === 'production') {
      saveQueries(this, {
        all: functions.map(({ logs }) => logs),
        intake: [intake.intake.logs],
        processor: [processing.processor.logs],
        watchdog: [processing.watchdog.logs],
      });
    }
    this.#output({
      Version: [version, 'The version of the service'],
      ...http.outputs,
      ...(alarms && { AlarmTopicArn: [alarms.topic.topicArn, 'Subscribe the people on call'] }),
      TableName: [table.tableName, 'The one table'],
      ChunkQueueUrl: [chunks.queue.queueUrl, 'Chunks that wait to be processed'],
      ChunkQueueName: [chunks.queue.queueName, 'Name of the chunk queue'],
      DeadLetterQueueUrl: [chunks.deadLetters.queueUrl, 'Chunks that failed five times'],
      DeadLetterQueueName: [chunks.deadLetters.queueName, 'Name of the dead-letter queue'],
      ...intake.outputs,
      StartImportFunction: [startImport.functionName, 'Takes new imports'],
      ChunkEventSource: [processing.source.eventSourceMappingId, 'Feeds process-chunk from the chunk queue'],
      WatchdogFunction: [processing.watchdog.functionName, 'Takes care of imports that stopped moving'],
      WatchdogRule: [processing.everyMinute.ruleName, 'Starts the watchdog every minute'],
      SigningKeyId: [shared.signingKey.keyId, 'The key that signs tokens'],
    });
    protect(http, http.api.deploymentStage, webAcl);
  }

  /** Parameters by which other stacks of the account find this one. */
  #publish(outputs: Outputs): void {
    const scope = new Construct(this, 'Parameters');
    for (const [name, output] of Object.entries(PUBLISHED)) {
      const [stringValue] = outputs[output] ?? [];
      if (stringValue === undefined) continue;
      const parameterName = `/${this.stackName}/${name}`;
      new StringParameter(scope, output, { parameterName, stringValue, description: `The output ${output}` });
    }
  }

  #output(outputs: Outputs): void {
    for (const [name, [value, description]] of Object.entries(outputs))
      new CfnOutput(this, name, { value, description });
    this.#publish(outputs);
  }
}

/** What every function of the stack has, or none. */
function complete(each: BundledFunction, { version, settings }: MigrationStackProps): void {
  each.addEnvironment(ENV.version, version);
  if (settings.stage === 'production') each.keepLogs();
  if (settings.tracing === true) each.trace();
}

const MB = 1e6;

const quotasOf = ({ hourlyImports, hourlyUploadMb, hourlyDownloadMb }: Settings): Quotas => ({
  imports: hourlyImports ?? HOURLY_QUOTAS.imports,
  upload_bytes: hourlyUploadMb === undefined ? HOURLY_QUOTAS.upload_bytes : hourlyUploadMb * MB,
  download_bytes: hourlyDownloadMb === undefined ? HOURLY_QUOTAS.download_bytes : hourlyDownloadMb * MB,
});
