import { CfnOutput, Stack } from 'aws-cdk-lib/core';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import * as ENV from '../functions/runtime/variables.ts';
import { MigrationApi } from './api/migration-api.ts';
import { evidenceKey, signingKey } from './api/signing-key.ts';
import { protect, webAclSetting } from './api/web-acl.ts';
import type { AccountSettings } from './account/account-settings.ts';
import { BundledFunction } from './functions/bundled-function.ts';
import { addTags, type Outputs } from './landing-zone.ts';
import type { Shared } from './functions/permissions.ts';
import { canary } from './observability/canary.ts';
import { APPLICATION } from './observability/tags.ts';
import { alarmList, metricsOf } from './observability/alarms.ts';
import { Alarms } from './observability/alarm-topic.ts';
import { saveQueries } from './observability/saved-queries.ts';
import { chunkQueue, processChunks } from './processing/chunk-processing.ts';
import { takeFacts } from './processing/intake.ts';
import { mailNotices } from './processing/notices.ts';
import { loadSandboxData, type SandboxData } from './sandbox/sandbox-data.ts';
import { checkSettings } from './settings-check.ts';
import type { Settings } from './settings.ts';
import { migrationTable } from './table/migration-table.ts';

export interface MigrationServiceProps {
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

/**
 * The whole service for one company and stage, in a stack of its own or of another app: one to a stack, whose name is that of its
 * metrics. Beside an account stack it has no alarms and queries of its own.
 *
 * @example
 * const stack = new Stack(app, 'acme', { stackName: 'course-progress-migration-acme-sandbox' });
 * new MigrationService(stack, 'Migration', { settings: { company: 'acme', stage: 'sandbox' }, version: '1.0.0', bundles });
 */
export class MigrationService extends Construct {
  /** Of the API: both base URLs of the interface begin with it. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, props: MigrationServiceProps) {
    super(scope, id);
    const { settings, version, bundles, account, sandboxData } = props;
    const { company, stage, tags } = settings;
    const { stackName } = Stack.of(this);
    addTags(this, { application: APPLICATION, company, stage, ...tags });
    const table = migrationTable(this, settings);
    const chunks = chunkQueue(this);
    // Fixed names: with the API's address, the API and its functions would depend on each other.
    const issuer = `urn:course-progress-migration:${company}:${stage}`;
    const shared: Shared = {
      settings,
      bundles,
      table,
      queue: chunks.queue,
      signingKey: signingKey(this, settings),
      evidenceKey: evidenceKey(this, settings),
      issuer,
      settingsParameter: `/${stackName}/settings`,
      roles: new Construct(this, 'Roles'),
    };
    checkSettings(this, shared);
    const webAcl = webAclSetting(settings, account);
    const http = new MigrationApi(this, shared, webAcl);
    this.baseUrl = http.baseUrl;
    const startImport = http.functions.get('start-import') as BundledFunction;
    const processing = processChunks(this, shared);
    const intake = takeFacts(this, shared);
    mailNotices(this, shared, http.pageUrl);
    if (sandboxData !== undefined) loadSandboxData(this, shared, sandboxData);
    const caller = canary(this, shared, http.baseUrl);
    const functions = this.node.findAll().filter((part) => part instanceof BundledFunction);
    for (const each of functions) complete(each, props);
    const specs = alarmList(
      {
        own: metricsOf(stackName),
        api: http.api.deploymentStage,
        watchdog: processing.watchdog,
        canary: caller,
        deadLetters: chunks.deadLetters,
        intakeDeadLetters: intake.messages?.deadLetters,
      },
      settings,
    );
    const hasAlarms = account === undefined || settings.alarms !== undefined || settings.tickets !== undefined;
    const alarms = hasAlarms ? new Alarms(this, specs, settings) : undefined;
    if (account === undefined && stage === 'production') {
      saveQueries(this, {
        all: functions.map(({ logGroup }) => logGroup),
        intake: [intake.intake.logGroup],
        processor: [processing.processor.logGroup],
        watchdog: [processing.watchdog.logGroup],
      });
    }
    this.#output({
      Version: [version, 'The version of the service'],
      ...http.outputs,
      ...topicsOf(alarms),
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
    protect(this, http, webAcl, settings.warm);
  }

  /** Also as parameters by which other stacks of the account find this one. */
  #output(outputs: Outputs): void {
    for (const [name, [value, description]] of Object.entries(outputs))
      new CfnOutput(this, name, { value, description });
    const scope = new Construct(this, 'Parameters');
    for (const [name, output] of Object.entries(PUBLISHED)) {
      const [stringValue] = outputs[output] ?? [];
      if (stringValue === undefined) continue;
      const parameterName = `/${Stack.of(this).stackName}/${name}`;
      new StringParameter(scope, output, { parameterName, stringValue, description: `The output ${output}` });
    }
  }
}

function topicsOf(alarms: Alarms | undefined): Outputs {
  if (alarms === undefined) return {};
  const { topic, ticketTopic } = alarms;
  return {
    AlarmTopicArn: [topic.topicArn, 'Subscribe the people on call'],
    ...(ticketTopic !== topic && { TicketTopicArn: [ticketTopic.topicArn, 'Of alarms that can wait'] }),
  };
}

/** What every function of the stack has, or none. */
function complete(each: BundledFunction, { version, settings }: MigrationServiceProps): void {
  each.addEnvironment(ENV.version, version);
  if (settings.stage === 'production') each.keepLogs();
  if (settings.tracing === true) each.trace();
}
