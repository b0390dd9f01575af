import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import type { Template } from '../../bin/local/template.ts';
import { functionSources } from '../../lib/function-sources.ts';
import { MigrationStack } from '../../lib/migration-stack.ts';
import { type Settings, stackName } from '../../lib/settings.ts';

/** The template for these settings, with empty functions in place of the built ones. */
export function templateOf(settings: Settings): Template {
  const folder = mkdtempSync(join(tmpdir(), 'migration-template-'));
  try {
    for (const name of functionSources().keys()) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'index.mjs'), `export const handler = () => '${name}';`);
    }
    const app = new App({
      outdir: join(folder, 'out'),
      analyticsReporting: false,
      builtinCloudFormationValidation: false,
    });
    const sandbox = { sandboxData: { folder: join(folder, 'load-sandbox-data'), fileHash: 'hash' } };
    const stack = new MigrationStack(app, stackName(settings), {
      settings,
      bundles: folder,
      ...(settings.stage === 'sandbox' ? sandbox : {}),
    });
    return app.synth().getStackByName(stack.stackName).template as Template;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
