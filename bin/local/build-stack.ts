/** `node build-stack.ts FOLDER`: writes the bundles of the local stack to `FOLDER/functions` and its template to `FOLDER/template.json`. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { MigrationStack } from '../../lib/migration-stack.ts';
import cdk from '../../cdk.json' with { type: 'json' };
import { buildFunctions } from '../build/build.ts';
import { packageVersion } from '../build/version.ts';
import { ACCOUNT } from './template.ts';

/** Keeps the built folders in place, with their paths in the template. */
const CONTEXT = { ...cdk.context, 'aws:cdk:disable-asset-staging': true, 'aws:cdk:enable-asset-metadata': true };

function synthesized(bundles: string, outdir: string): unknown {
  const app = new App({ outdir, context: CONTEXT, analyticsReporting: false, builtinCloudFormationValidation: false });
  const stack = new MigrationStack(app, 'local', {
    // With a platform, so that the stack has the queue of the intake.
    settings: {
      company: 'local',
      stage: 'sandbox',
      platform: `arn:aws:iam::${ACCOUNT}:role/platform`,
      evidence: true,
      mailFrom: 'migrations@localhost.example',
    },
    version: packageVersion(),
    bundles,
    sandboxData: { folder: join(bundles, 'load-sandbox-data'), fileHash: 'local' },
  });
  return app.synth().getStackByName(stack.stackName).template;
}

const [folder = ''] = process.argv.slice(2);
try {
  const bundles = await buildFunctions({ outputs: folder, sourceMaps: false });
  const outdir = join(folder, 'cdk.out');
  writeFileSync(join(folder, 'template.json'), JSON.stringify(synthesized(bundles, outdir)));
  rmSync(outdir, { recursive: true });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
