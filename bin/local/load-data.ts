import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { SANDBOX_DATA } from '../../lib/sandbox/sample.ts';
import type { Functions } from './functions.ts';
import { StartupFault, systemCode } from './lifecycle.ts';
import type { PhysicalResources } from './template.ts';

/** Loads the file with the stack's own function. @throws StartupFault with every problem of the file, one per line */
export async function loadData(resources: PhysicalResources, functions: Functions, file: string): Promise<void> {
  const dataFile = resolve(file);
  try {
    accessSync(dataFile, constants.R_OK);
  } catch (error) {
    throw new StartupFault(
      `--data ${file} cannot be read (${systemCode(error) ?? String(error)}): name a readable JSON file`,
    );
  }
  for (const [, ResourceProperties] of resources.declared(SANDBOX_DATA)) {
    const loader = functions.get(String(ResourceProperties['ServiceToken']));
    if (loader === undefined) throw new Error('The sandbox data has no loading function');
    await loader.attempt({ RequestType: 'Create', ResourceProperties, dataFile }).catch(({ message }: Error) => {
      // Without the name of the error, which the function puts before it.
      throw new StartupFault(`--data ${file}: ${message.replace(/^\w+: /, '')}`);
    });
    await loader.stop();
  }
}
