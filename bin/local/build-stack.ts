/** `node build-stack.ts FOLDER`: writes the bundles of the local stack to `FOLDER/functions` and its template to `FOLDER/template.json`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFunctions } from '../build/build.ts';
import { synthesizeLocalStack } from './synthesize.ts';

const [folder = ''] = process.argv.slice(2);
try {
  const bundles = await buildFunctions({ outputs: folder, sourceMaps: false });
  writeFileSync(join(folder, 'template.json'), JSON.stringify(synthesizeLocalStack(bundles)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
