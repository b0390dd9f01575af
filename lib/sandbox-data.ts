import { CustomResource, Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENV } from '../functions/runtime/environment.ts';
import { BundledFunction } from './bundled-function.ts';
import { LOAD_SANDBOX_DATA } from './function-sources.ts';
import { type Shared, permit } from './permissions.ts';

/** Name of the custom resource that loads the data; the local stack looks for it. */
export const SANDBOX_DATA = 'Custom::SandboxData';

export interface SandboxDataProps {
  /** Folder with the loader's `index.mjs` and `sandbox-data.json`. */
  readonly folder: string;
  /** A changed file is loaded by the next deployment. */
  readonly fileHash: string;
  readonly shared: Shared;
}

/** Loads what the platform would own into a sandbox, when the stack is deployed. */
export class SandboxData extends Construct {
  constructor(scope: Construct, id: string, { folder, fileHash, shared }: SandboxDataProps) {
    super(scope, id);
    const loader = new BundledFunction(this, 'Loader', {
      bundle: folder,
      description: 'Loads the sandbox data file',
      memoryMb: 1769,
      timeout: Duration.minutes(10),
    });
    permit(loader, LOAD_SANDBOX_DATA, shared);
    loader.addEnvironment(ENV.sandboxDataFile, 'sandbox-data.json');
    const resource = new CustomResource(this, 'Data', {
      resourceType: SANDBOX_DATA,
      serviceToken: loader.functionArn,
      properties: { FileHash: fileHash },
      serviceTimeout: Duration.minutes(11),
    });
    // Its permissions are a resource of their own; without them the first load would be refused.
    resource.node.addDependency(loader);
  }
}
