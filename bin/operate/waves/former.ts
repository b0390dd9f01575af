/**
 * What a release needs of the runs before it, kept in the account: the waves that are done, and the former templates, as a folder
 * that `cdk deploy --app` takes. The code of the former functions is still in the bucket of the bootstrap.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { inParallel } from '../../../functions/runtime/batching.ts';
import { APPLICATION } from '../../../lib/observability/tags.ts';
import { messageOf } from '../../importer/engine/ground/errors.ts';
import type { Template } from '../../local/template.ts';
import { type Cli, CLIS, identity } from '../aws-cli.ts';
import type { Target } from './plan.ts';

const REPLY = v.object({ TemplateBody: v.union([v.string(), v.record(v.string(), v.unknown())]) });

/** The template of a deployed stack. @throws Error if the AWS CLI is missing or fails */
export async function deployedTemplate(stack: string, cli: Cli): Promise<Template> {
  const asked = ['cloudformation', 'get-template', '--stack-name', stack, '--template-stage', 'Original'];
  const { TemplateBody } = v.parse(REPLY, await cli('read the template of a stack', asked));
  return (typeof TemplateBody === 'string' ? JSON.parse(TemplateBody) : TemplateBody) as Template;
}

const MANIFEST = v.looseObject({
  artifacts: v.record(
    v.string(),
    v.looseObject({
      type: v.string(),
      properties: v.optional(v.looseObject({ stackTemplateAssetObjectUrl: v.optional(v.string(), '') })),
      dependencies: v.optional(v.array(v.string())),
    }),
  ),
});

/** The bootstrap's bucket with a stack's template. @throws Error if the folder lacks it, or no region is known */
export async function bucketsIn(app: string, cli: Cli): Promise<(stack: string, region?: string) => string> {
  const { artifacts } = v.parse(MANIFEST, await json(join(app, 'manifest.json')));
  const { Arn, Account } = await identity(cli);
  return (stack, region = process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION']) => {
    if (region === undefined) throw new Error('Set AWS_REGION, or name the account and region of each deployment.');
    const [, , bucket] = artifacts[stack]?.properties?.stackTemplateAssetObjectUrl.split('/') ?? [];
    if (bucket === undefined) throw new Error(`${app} has no stack ${stack}.`);
    const values: Record<string, string> = { AccountId: Account, Region: region, Partition: Arn.split(':')[1] ?? '' };
    return bucket.replaceAll(/\$\{AWS::(\w+)\}/g, (_, name: string) => values[name] ?? '');
  };
}

const ASSETS = v.looseObject({ files: v.record(v.string(), v.unknown()) });
const STACK_TYPE = 'aws:cloudformation:stack';

/** The release's folder `app`, with the former templates by stack, and nothing else to upload. */
export async function writeFormer(app: string, folder: string, former: ReadonlyMap<string, Template>): Promise<void> {
  const manifest = v.parse(MANIFEST, await json(join(app, 'manifest.json')));
  await mkdir(folder, { recursive: true });
  const artifacts: Record<string, unknown> = {};
  for (const [stack, template] of former) {
    const [artifact, assets] = [manifest.artifacts[stack], manifest.artifacts[`${stack}.assets`]];
    if (artifact?.type !== STACK_TYPE || assets === undefined) throw new Error(`${app} has no stack ${stack}.`);
    const next = await releasedTemplate(app, stack);
    const text = JSON.stringify(withoutLosses(template, next));
    const hash = createHash('sha256').update(text).digest('hex');
    const { files, ...rest } = v.parse(ASSETS, await json(join(app, `${stack}.assets.json`)));
    const renamed = <Part>(part: Part, from: string): Part => JSON.parse(JSON.stringify(part).replaceAll(from, hash));
    const isTemplate = (each: unknown) => JSON.stringify(each).includes(`"${stack}.template.json"`);
    const [nextHash, file] = Object.entries(files).find(([, each]) => isTemplate(each)) ?? ['', undefined];
    await writeFile(join(folder, `${stack}.template.json`), text);
    await writeFile(
      join(folder, `${stack}.assets.json`),
      JSON.stringify({ ...rest, files: { [hash]: renamed(file, nextHash) } }),
    );
    const { additionalMetadataFile: _, ...kept } = artifact;
    artifacts[`${stack}.assets`] = assets;
    artifacts[stack] = { ...renamed(kept, nextHash), dependencies: [`${stack}.assets`] };
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, artifacts }));
}

const CHECK = 'Custom::SettingsCheck';
const NAMES = v.optional(v.array(v.string()), []);
const CHECKED = v.object({ Names: NAMES, Forget: NAMES });

/** The former template, whose check lets go of the settings that only the release has. */
function withoutLosses(former: Template, release: Template): Template {
  const released = checksOf(release).flatMap(([, { Properties = {} }]) => v.parse(CHECKED, Properties).Names);
  const changed = checksOf(former).map(([id, { Properties = {}, ...check }]) => {
    const { Names, Forget } = v.parse(CHECKED, Properties);
    const lost = released.filter((name) => !Names.includes(name));
    return [id, { ...check, Properties: { ...Properties, Forget: [...new Set([...Forget, ...lost])] } }] as const;
  });
  return { ...former, Resources: { ...former.Resources, ...Object.fromEntries(changed) } };
}

const checksOf = ({ Resources }: Template) => Object.entries(Resources).filter(([, { Type }]) => Type === CHECK);

const releasedTemplate = async (app: string, stack: string): Promise<Template> =>
  (await json(join(app, `${stack}.template.json`))) as Template;

const json = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

/** Waves grow, so a release of ten thousand companies has six. */
const MOST_WAVES = 50;
const PARAMETER = `/${APPLICATION}/release`;
const STORED = v.object({ Parameters: v.array(v.object({ Value: v.string() })) });

const SANDBOX_LOADER = 'SandboxDataLoader';

/**
 * The template of a target as a release is known by it. A sandbox without a data file gets a password in each checkout, which is no
 * other release.
 */
export function comparable({ stage, data }: Pick<Target, 'stage' | 'data'>, template: Template): Template {
  if (stage !== 'sandbox' || data !== undefined) return template;
  const same = Object.entries(template.Resources).map(([id, resource]) => {
    const { FileHash: _, Code, ...properties } = resource.Properties ?? {};
    const isLoader = id.startsWith(SANDBOX_LOADER);
    return [id, { ...resource, Properties: { ...properties, ...(!isLoader && Code !== undefined && { Code }) } }];
  });
  return { ...template, Resources: Object.fromEntries(same) };
}

/** Identifies the templates of these targets, in the folder of a release. */
export async function templatesId(app: string, targets: readonly Target[]): Promise<string> {
  const hash = createHash('sha256');
  for (const target of targets.toSorted((a, b) => (a.stack < b.stack ? -1 : 1))) {
    const template = await releasedTemplate(app, target.stack);
    hash.update(`${target.stack} `).update(JSON.stringify(comparable(target, template)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** The waves that were deployed and have baked, by their templates, in a parameter of SSM. Of a former release none counts. */
export function doneWaves(app: string, cli: Cli) {
  const read = async (): Promise<readonly string[]> => {
    const asked = ['ssm', 'get-parameters', '--names', PARAMETER];
    return v.parse(STORED, await cli('read the state of the release', asked)).Parameters[0]?.Value.split(' ') ?? [];
  };
  const write = async (ids: readonly string[]): Promise<void> => {
    const value = ['--type', 'String', '--overwrite', '--value', ids.slice(-MOST_WAVES).join(' ') || '-'];
    await cli('store the state of the release', ['ssm', 'put-parameter', '--name', PARAMETER, ...value]);
  };
  return {
    has: async (targets: readonly Target[]): Promise<boolean> =>
      (await read()).includes(await templatesId(app, targets)),
    add: async (targets: readonly Target[]): Promise<void> =>
      write([...(await read()), await templatesId(app, targets)]),
    forget: (): Promise<void> => write([]),
  };
}

const KEYS = v.object({ Contents: v.optional(v.array(v.object({ Key: v.string() })), []) });

/** In the bucket of the bootstrap: of each stack the template that this version replaced. */
export function keptTemplates(version: string, folder: string, cli: Cli) {
  const prefix = `${APPLICATION}/former/${version}/`;
  const place = (bucket: string, stack: string) => ['--bucket', bucket, '--key', `${prefix}${stack}.json`];
  const fileOf = async (stack: string): Promise<string> => {
    await mkdir(folder, { recursive: true });
    return join(folder, `${stack}.kept.json`);
  };
  return {
    /** The stacks of which an earlier run has kept one: it is that from before the release, and no later run replaces it. */
    async stacks(bucket: string): Promise<ReadonlySet<string>> {
      const asked = ['s3api', 'list-objects-v2', '--bucket', bucket, '--prefix', prefix];
      const { Contents } = v.parse(KEYS, await cli('find the kept templates', asked));
      return new Set(Contents.map(({ Key }) => Key.slice(prefix.length, -'.json'.length)));
    },
    async keep(bucket: string, stack: string, template: Template): Promise<void> {
      const file = await fileOf(stack);
      await writeFile(file, JSON.stringify(template));
      await cli('keep the template of a stack', ['s3api', 'put-object', ...place(bucket, stack), '--body', file]);
    },
    async read(bucket: string, stack: string): Promise<Template | undefined> {
      const file = await fileOf(stack);
      try {
        await cli('read the former template', ['s3api', 'get-object', ...place(bucket, stack), file]);
      } catch (error) {
        if (messageOf(error).includes('NoSuchKey')) return undefined;
        throw error;
      }
      return JSON.parse(await readFile(file, 'utf8'));
    },
  };
}

/** Keeps the deployed templates that a release replaces, of stacks of one bucket. An interrupted run may have done a part of it. */
export async function keepReplaced(
  targets: readonly Target[],
  app: string,
  bucket: string,
  kept: ReturnType<typeof keptTemplates>,
  cli: Cli,
): Promise<void> {
  const known = await kept.stacks(bucket);
  const others = targets.filter(({ stack }) => !known.has(stack));
  await inParallel(others, CLIS, async (target) => {
    const template = await deployedTemplate(target.stack, cli);
    const next = await releasedTemplate(app, target.stack);
    const isDeployed = isDeepStrictEqual(comparable(target, template), comparable(target, next));
    if (!isDeployed) await kept.keep(bucket, target.stack, template);
  });
}
