import { CustomResource, Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import * as ENV from '../../functions/runtime/variables.ts';
import { functionOf, roleFor, type Shared } from '../functions/permissions.ts';
import { SANDBOX_DATA } from './sample.ts';

export interface SandboxData {
  readonly folder: string;
  /** Changes with the file, so that the next deployment loads it. */
  readonly fileHash: string;
}

/** Loads the data that the platform would own into a sandbox, when the stack is deployed. */
export function loadSandboxData(scope: Construct, shared: Shared, { folder, fileHash }: SandboxData): void {
  const part = new Construct(scope, 'SandboxData');
  const loader = functionOf(part, 'Loader', 'load-sandbox-data', shared, {
    bundle: folder,
    description: 'Loads the sandbox data file',
    memoryMb: 1769,
    timeout: Duration.minutes(10),
  });
  loader.addEnvironment(ENV.sandboxDataFile, 'sandbox-data.json');
  const resource = new CustomResource(part, 'Data', {
    resourceType: SANDBOX_DATA,
    serviceToken: loader.functionArn,
    properties: { FileHash: fileHash },
    serviceTimeout: Duration.minutes(11),
  });
  // The loader's policy is a resource of its own: it must exist before the first load.
  resource.node.addDependency(loader, roleFor('load-sandbox-data', shared));
}
