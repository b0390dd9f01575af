/** The CDK app: `npx cdk synth -c company=acme -c stage=sandbox`, with the settings of `companies/acme.sandbox.json`. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { LOAD_SANDBOX_DATA } from '../lib/function-sources.ts';
import { MigrationStack } from '../lib/migration-stack.ts';
import { settingsFrom } from '../lib/settings-file.ts';
import { type Settings, stackName } from '../lib/settings.ts';
import { type SandboxData, buildFunctions, bundleSandboxData } from './build.ts';
import { deployableFile, sampleFile } from './sandbox-file.ts';
import { checkoutVersion } from './version.ts';

async function sandboxData(settings: Settings, bundles: string): Promise<{ sandboxData?: SandboxData }> {
  if (settings.stage !== 'sandbox') return {};
  const stack = stackName(settings);
  const data =
    settings.data === undefined
      ? await sampleFile(stack, (email, password) =>
          console.error(
            `The sandbox ${stack} starts with sample data. Log in as ${email}, password ${password} (shown only now).`,
          ),
        )
      : await deployableFile(await contentsOf(resolve(settings.data)), stack);
  return { sandboxData: await bundleSandboxData(join(bundles, LOAD_SANDBOX_DATA), data) };
}

function contentsOf(file: string): Promise<Uint8Array> {
  return readFile(file).catch(() => {
    throw new Error(`The setting data must name a readable file; ${file} cannot be read.`);
  });
}

async function main(): Promise<void> {
  const app = new App({ analyticsReporting: false });
  const { settings, notes } = settingsFrom((name) => app.node.tryGetContext(name));
  for (const note of notes) console.error(note);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const bundles = await buildFunctions();
  new MigrationStack(app, stackName(settings), {
    settings,
    version: String(app.node.tryGetContext('version') ?? checkoutVersion()),
    bundles,
    ...(await sandboxData(settings, bundles)),
  });
  app.synth();
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
