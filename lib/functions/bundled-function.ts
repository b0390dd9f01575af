import { type Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  CfnFunction,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup, LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import * as ENV from '../../functions/runtime/variables.ts';

/** `bundle` is the folder of the built code; `memoryMb` decides the share of a processor as well. */
export interface BundledFunctionProps {
  readonly bundle: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeout: Duration;
  readonly role: Role;
}

/** A built function with its own log group. Its role may write to the log groups of its functions only. */
export class BundledFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: BundledFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      // Longer than point-in-time recovery reaches back: a restore erases again whom the log says was erased (docs/runbook.md).
      retention: RetentionDays.TWO_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    logGroup.grantWrite(props.role);
    super(scope, id, {
      description: props.description,
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb,
      timeout: props.timeout,
      environment: { [ENV.service]: Stack.of(scope).stackName },
      logGroup,
      // Lambda's own START, END and REPORT lines would outnumber ours; its warnings stay.
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: SystemLogLevel.WARN,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      role: props.role,
    });
  }

  /** Nothing repeats a failed run: neither Lambda nor the rule, whose next run comes soon enough. */
  runEvery(scope: Construct, id: string, every: Duration): Rule {
    this.configureAsyncInvoke({ retryAttempts: 0 });
    const targets = [new LambdaTarget(this, { retryAttempts: 0 })];
    return new Rule(scope, id, { schedule: Schedule.rate(every), targets });
  }

  /** Sends traces to X-Ray, whose actions know no resources. Without it, the log lines have the durations. */
  trace(): void {
    const { defaultChild } = this.node;
    if (defaultChild instanceof CfnFunction) defaultChild.tracingConfig = { mode: Tracing.ACTIVE };
    const actions = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'];
    this.addToRolePolicy(new PolicyStatement({ actions, resources: ['*'] }));
    Validations.of(this.role ?? this).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray has no resource to which its actions for sending traces could be limited.',
    });
  }

  /** For a year, even if the stack is deleted: functions log callers that they admit, and facts. */
  keepLogs(): void {
    const { defaultChild } = this.logGroup.node;
    if (defaultChild instanceof CfnLogGroup) defaultChild.retentionInDays = RetentionDays.ONE_YEAR;
    this.logGroup.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  }
}
