import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import cdk from '../../cdk.json' with { type: 'json' };
import { sourcesKey } from '../../bin/local/built-stack.ts';
import { CACHE } from '../../bin/local/cache.ts';
import { resourcesOfType, type Template } from '../../bin/local/template.ts';
import type { AccountSettings } from '../../lib/account/account-settings.ts';
import { AccountStack } from '../../lib/account/account-stack.ts';
import { functionSources } from '../../lib/function-sources.ts';
import { MigrationStack } from '../../lib/migration-stack.ts';
import { type Settings, stackName } from '../../lib/settings.ts';

export type Artifact = Pick<CloudFormationStackArtifact, 'environment' | 'terminationProtection' | 'assumeRoleArn'> & {
  readonly template: Template;
};

const artifacts = new Map<string, Artifact>();
/** Made from the same sources: a folder that other workers and runs read as well. */
let shared: string | undefined;

function sharedFolder(): string {
  const all = join(CACHE, 'templates');
  const key = sourcesKey(['test/kit/template.ts']);
  mkdirSync(join(all, key), { recursive: true });
  for (const other of readdirSync(all)) if (other !== key) rmSync(join(all, other), { recursive: true, force: true });
  return join(all, key);
}

function once(key: unknown, synthesize: () => CloudFormationStackArtifact): Artifact {
  const text = JSON.stringify(key);
  const known = artifacts.get(text);
  if (known !== undefined) return known;
  const file = join((shared ??= sharedFolder()), `${createHash('sha256').update(text).digest('hex')}.json`);
  if (!existsSync(file)) {
    const { template, environment, terminationProtection, assumeRoleArn } = synthesize();
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify({ template, environment, terminationProtection, assumeRoleArn }));
    renameSync(draft, file);
  }
  const artifact = JSON.parse(readFileSync(file, 'utf8')) as Artifact;
  artifacts.set(text, artifact);
  return artifact;
}

/** Synthesized once for its sources, in a third of a second, with empty functions in place of the built ones. */
export const templateOf = (settings: Settings, account?: AccountSettings): Template =>
  artifactOf(settings, account).template;

/** Settings that several tests look at, each at its own part: every synthesis costs a third of a second. */
export const SHARED = {
  account: { 'web-acl': true, budget: 100, 'execution-logs': true, alarms: ['a@example.com'] },
  production: {
    company: 'acme',
    stage: 'production',
    signingKey: 2,
    cors: ['https://app.example.com', 'http://localhost:5173'],
    warm: 8000,
    forget: ['alarms'],
  },
} as const satisfies { readonly account: AccountSettings; readonly production: Settings };

export const accountTemplateOf = (settings: AccountSettings = {}): Template =>
  once(['account', settings], () => synthesized(cdk.context, (app, folder) => new AccountStack(app, settings, folder)))
    .template;

export const artifactOf = (settings: Settings, account?: AccountSettings, context: object = cdk.context): Artifact =>
  once([settings, account, context], () =>
    synthesized(context, (app, folder) => {
      const sandbox = { sandboxData: { folder: join(folder, 'load-sandbox-data'), fileHash: 'hash' } };
      return new MigrationStack(app, stackName(settings), {
        settings,
        version: '1.2.3',
        bundles: folder,
        account,
        ...(settings.stage === 'sandbox' ? sandbox : {}),
      });
    }),
  );

export const variablesIn = (template: Template): [id: string, variables: Readonly<Record<string, unknown>>][] =>
  resourcesOfType(template, 'AWS::Lambda::Function').map(([id, { Environment }]) => [
    id,
    (Environment as { Variables?: Record<string, unknown> } | undefined)?.Variables ?? {},
  ]);

export interface Statement {
  /** Of the policy. */
  readonly id: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** Every statement of the roles, or of the one role with this logical id. */
export const statementsIn = (template: Template, role?: string): Statement[] =>
  resourcesOfType(template, 'AWS::IAM::Policy')
    .filter(([, { Roles }]) => role === undefined || JSON.stringify(Roles).includes(`"${role}"`))
    .flatMap(([id, { PolicyDocument }]) =>
      (PolicyDocument as { Statement: Statement[] }).Statement.map((statement) => ({ ...statement, id })),
    );

export function roleIn(template: Template, functionId: string): string {
  const { Role } = (template.Resources[functionId]?.Properties ?? {}) as { Role?: { 'Fn::GetAtt': string[] } };
  return String(Role?.['Fn::GetAtt'][0]);
}

/** Empty functions, made once a worker: the CDK then takes each folder for the same asset, without reading it again. */
let bundles: string | undefined;

function emptyFunctions(): string {
  const folder = join(CACHE, 'empty-functions');
  for (const name of functionSources().keys()) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'index.mjs'), `export const handler = () => '${name}';`);
  }
  return folder;
}

function synthesized(
  context: object,
  build: (app: App, bundles: string) => AccountStack | MigrationStack,
): CloudFormationStackArtifact {
  const outdir = mkdtempSync(join(tmpdir(), 'migration-template-'));
  try {
    const app = new App({
      outdir,
      context: { ...context, 'aws:cdk:disable-asset-staging': true },
      treeMetadata: false,
      analyticsReporting: false,
      builtinCloudFormationValidation: false,
    });
    const { stackName: name } = build(app, (bundles ??= emptyFunctions()));
    const artifact = app.synth().getStackByName(name);
    // Read from the folder at its first use.
    void artifact.template;
    return artifact;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
