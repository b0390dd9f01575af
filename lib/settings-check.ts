import { createHash } from 'node:crypto';
import { CustomResource, Duration } from 'aws-cdk-lib/core';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { FORMATS } from '../functions/dynamodb/encoding.ts';
import { functionOf, roleFor, type Shared } from './functions/permissions.ts';
import { settingsFile, setNames } from './settings.ts';

/** Refuses a deployment that omits a setting of the previous one, or cannot read its data. Table and signing key wait for it. */
export function checkSettings(scope: Construct, shared: Shared): void {
  const { settings } = shared;
  const part = new Construct(scope, 'Settings');
  const checker = functionOf(part, 'Checker', 'check-settings', shared, {
    description: 'Refuses a deployment that would undo settings of the last one',
    memoryMb: 256,
    // A role that was just made may be denied for a while: its call is repeated for a minute.
    timeout: Duration.seconds(90),
  });
  // The settings as `functions/platform/deployed-settings.ts` reads them.
  const deployed = {
    SigningKey: String(settings.signingKey ?? 1),
    Writes: String(FORMATS.written),
    Names: setNames(settings),
  };
  const properties = {
    ...deployed,
    Reads: FORMATS.read.map(String),
    Forget: settings.forget ?? [],
    File: settingsFile(settings),
  };
  // A resource for each set of settings: a rollback then deletes it, and is never itself checked.
  const hash = createHash('sha256').update(JSON.stringify(properties)).digest('hex').slice(0, 8);
  const check = new CustomResource(part, `Check${hash}`, {
    resourceType: 'Custom::SettingsCheck',
    serviceToken: checker.functionArn,
    properties,
    serviceTimeout: Duration.minutes(3),
  });
  // The checker's policy is a resource of its own.
  check.node.addDependency(checker, roleFor('check-settings', shared));
  const parameter = new StringParameter(part, 'Deployed', {
    parameterName: shared.settingsParameter,
    stringValue: JSON.stringify(deployed),
    description: 'The settings that the next deployment must keep or name in forget',
  });
  for (const kept of [shared.table, shared.signingKey, parameter]) kept.node.addDependency(check);
}
