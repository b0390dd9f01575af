/** The CDK app: the deployment that `-c` names, or all of `companies` with account stacks, on one set of bundles. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { AccountStack } from '../lib/account/account-stack.ts';
import { accountOf } from '../lib/account/account-settings.ts';
import { MigrationStack } from '../lib/migration-stack.ts';
import { type Given, deploymentsFrom } from '../lib/settings-file.ts';
import type { SandboxData } from '../lib/sandbox/sandbox-data.ts';
import { type Settings, stackName } from '../lib/settings.ts';
import { buildFunctions, bundleSandboxData } from './build/build.ts';
import { deployableFile, sampleFile } from './build/sandbox-file.ts';
import { checkoutVersion } from './build/version.ts';

/** Passwords between two lines of progress: some 20 seconds of one core. */
const HASHES_SHOWN = 100;

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
      : await deployableFile(await contentsOf(resolve(settings.data)), stack, (done, of) => {
          if (done % HASHES_SHOWN === 0) console.error(`The sandbox ${stack}: ${done} of ${of} passwords are hashed.`);
        });
  return { sandboxData: await bundleSandboxData(join(bundles, 'load-sandbox-data'), data) };
}

function contentsOf(file: string): Promise<Uint8Array> {
  return readFile(file).catch(() => {
    throw new Error(`The setting data must name a readable file; ${file} cannot be read.`);
  });
}

async function main(): Promise<void> {
  const app = new App({ analyticsReporting: false });
  const given = deploymentsFrom((name) => app.node.tryGetContext(name));
  // The CDK's own validation takes longer than all the rest, and a fleet's templates are the same but for their values.
  if (given.isFleet) process.env['CDK_VALIDATION'] ??= 'false';
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const version = String(app.node.tryGetContext('version') ?? checkoutVersion());
  await addStacks(app, given, version, await buildFunctions());
  app.synth();
}

async function addStacks(
  app: App,
  { deployments, accounts, isFleet }: Given,
  version: string,
  bundles: string,
): Promise<void> {
  // Beside one deployment they are not part of the app, so that `cdk deploy` needs no name.
  const accountStacks = isFleet
    ? [...accounts].map(([id, each]) => [id, new AccountStack(app, each, bundles, id)] as const)
    : [];
  const accountStackOf = new Map(accountStacks);
  for (const { settings, notes } of deployments) {
    for (const note of notes) console.error(note);
    const [id = '', account] = accountOf(settings, accounts) ?? [];
    const stack = new MigrationStack(app, stackName(settings), {
      settings,
      version,
      bundles,
      account,
      ...(await sandboxData(settings, bundles)),
    });
    const accountStack = accountStackOf.get(id);
    if (accountStack !== undefined) stack.addStackDependency(accountStack);
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
