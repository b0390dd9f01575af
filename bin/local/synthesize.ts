import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { MigrationStack } from '../../lib/migration-stack.ts';
import cdk from '../../cdk.json' with { type: 'json' };
import { packageVersion } from '../build/version.ts';
import { ACCOUNT, type Template } from './template.ts';

/** Keeps the built folders in place, with their paths in the template. */
const CONTEXT = { ...cdk.context, 'aws:cdk:disable-asset-staging': true, 'aws:cdk:enable-asset-metadata': true };

/** Synthesizes the template of a sandbox of the company `local` from the built functions, in this process. */
export function synthesizeLocalStack(bundles: string): Template {
  const outdir = mkdtempSync(join(tmpdir(), 'course-progress-migration-'));
  try {
    const app = new App({
      outdir,
      context: CONTEXT,
      analyticsReporting: false,
      builtinCloudFormationValidation: false,
    });
    const stack = new MigrationStack(app, 'local', {
      // With a platform, so that the stack has the queue of the intake.
      settings: {
        company: 'local',
        stage: 'sandbox',
        platform: `arn:aws:iam::${ACCOUNT}:role/platform`,
        evidence: true,
      },
      version: packageVersion(),
      bundles,
      sandboxData: { folder: join(bundles, 'load-sandbox-data'), fileHash: 'local' },
    });
    return app.synth().getStackByName(stack.stackName).template as Template;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
