import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SANDBOX_DATA } from '../../lib/sandbox/sample.ts';
import { FunctionFault } from './function-environment.ts';
import type { Functions } from './functions.ts';
import { StartupFault, systemCode } from './lifecycle.ts';
import { type PhysicalResources, type Template, declared } from './template.ts';

/** Loads the file with the stack's own function. @throws StartupFault with every problem of the file, one per line */
export async function loadData(
  template: Template,
  resources: PhysicalResources,
  functions: Functions,
  file: string,
): Promise<void> {
  const dataFile = resolve(file);
  requireReadable(dataFile);
  for (const [, ResourceProperties] of declared(template, SANDBOX_DATA, resources)) {
    const loader = functions.get(String(ResourceProperties['ServiceToken']));
    if (loader === undefined) throw new Error('The sandbox data has no loading function');
    try {
      await loader.attempt({ RequestType: 'Create', ResourceProperties, dataFile });
    } catch (error) {
      throw new StartupFault(`--data ${file}: ${problems(error)}`);
    }
    await loader.stop();
  }
}

function requireReadable(file: string): void {
  try {
    readFileSync(file);
  } catch (error) {
    throw new StartupFault(
      `--data ${file} cannot be read (${systemCode(error) ?? String(error)}): name a readable JSON file`,
    );
  }
}

function problems(error: unknown): string {
  const text = error instanceof FunctionFault ? error.message : String(error);
  return text.replace(/^\w+: /, '');
}
