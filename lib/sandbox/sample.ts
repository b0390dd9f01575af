import { join } from 'node:path';

/** Type of the custom resource that loads the data. The local stack looks it up in the template. */
export const SANDBOX_DATA = 'Custom::SandboxData';

/** The data file of a sandbox for which none was named: the company `acme`. */
export const SAMPLE = join(import.meta.dirname, 'sample.json');
