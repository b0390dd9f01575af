import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOAD_SANDBOX_DATA } from '../../lib/function-sources.ts';
import type { Template } from './template.ts';

/** Leaves the built folders where they are, and names them in the template. */
const CONTEXT = { 'aws:cdk:disable-asset-staging': true, 'aws:cdk:enable-asset-metadata': true };

/** The template of a sandbox of the company `local`, synthesized in this process from the built functions. */
export async function synthesizeLocalStack(bundles: string): Promise<Template> {
  // The CDK is loaded here and not above, so that loading it overlaps with the build.
  const [{ App }, { MigrationStack }] = await Promise.all([
    import('aws-cdk-lib/core'),
    import('../../lib/migration-stack.ts'),
  ]);
  const outdir = mkdtempSync(join(tmpdir(), 'course-progress-migration-'));
  try {
    const app = new App({
      outdir,
      context: CONTEXT,
      analyticsReporting: false,
      builtinCloudFormationValidation: false,
    });
    const stack = new MigrationStack(app, 'local', {
      settings: { company: 'local', stage: 'sandbox' },
      bundles,
      sandboxData: { folder: join(bundles, LOAD_SANDBOX_DATA), fileHash: 'local' },
    });
    return app.synth().getStackByName(stack.stackName).template as Template;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
