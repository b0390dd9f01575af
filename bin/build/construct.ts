/** Second half of `npm run build`: the construct for other CDK apps, its types, and the functions that it deploys. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildFunctions } from './build.ts';
import { buildTypes } from './types.ts';

const PROJECT = join(import.meta.dirname, '../..');
const DIST = join(PROJECT, 'dist');

buildTypes('lib');
await buildFunctions({ outputs: DIST, sourceMaps: false });
await build({
  entryPoints: { cdk: join(PROJECT, 'lib/package.ts') },
  outdir: DIST,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // The app brings the library, because the constructs of two copies do not fit together. The package depends on valibot.
  external: ['aws-cdk-lib', 'constructs', 'valibot'],
  absWorkingDir: PROJECT,
  logLevel: 'warning',
});
