import { type Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ENV } from '../functions/runtime/environment.ts';

export interface BundledFunctionProps {
  /** Folder that holds the function's `index.mjs`. */
  readonly bundle: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeout: Duration;
}

/**
 * A function as built, with a role and a log group of its own. The role starts with its log group alone; tracing adds
 * `xray:PutTraceSegments` and `xray:PutTelemetryRecords` on `*`, because X-Ray knows no resources to name.
 */
export class BundledFunction extends LambdaFunction {
  /** Its own log group: the one that its base class knows may be imported by name. */
  readonly logs: LogGroup;

  constructor(scope: Construct, id: string, props: BundledFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray knows no resources: its two actions, and nothing else, are allowed on all of them.',
    });
    super(scope, id, {
      description: props.description,
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb,
      timeout: props.timeout,
      tracing: Tracing.ACTIVE,
      environment: { [ENV.service]: Stack.of(scope).stackName },
      logGroup,
      // Lambda's own lines about each start and end would outweigh ours; it still tells of what went wrong.
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: SystemLogLevel.WARN,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      role,
    });
    this.logs = logGroup;
  }
}
