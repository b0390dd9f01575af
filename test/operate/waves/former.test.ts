/**
 * What a release keeps in the account, in a parameter and a bucket in memory, and the folder by which a wave gets its
 * former templates again. Costs milliseconds; test/deploy/rehearsal deploys one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  bucketsIn,
  deployedTemplate,
  doneWaves,
  keepReplaced,
  keptTemplates,
  writeFormer,
} from '../../../bin/operate/waves/former.ts';
import type { Cli } from '../../../bin/operate/aws-cli.ts';
import { targetOf } from '../../../bin/operate/waves/plan.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';

const folder = temporaryFolder('former');

const HASH = 'f9d161bc';
const templateOf = (version: string, Names: string[]) => ({
  Resources: {
    Check: { Type: 'Custom::SettingsCheck', Properties: { Names, Forget: [] } },
    Function: { Type: 'AWS::Lambda::Function', Properties: { Version: version } },
  },
});
const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content));
const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));

write('manifest.json', {
  version: '55.0.0',
  artifacts: {
    other: { type: 'aws:cloudformation:stack' },
    acme: {
      type: 'aws:cloudformation:stack',
      properties: { templateFile: 'acme.template.json', stackTemplateAssetObjectUrl: `s3://bucket/${HASH}.json` },
      dependencies: ['other', 'acme.assets'],
      additionalMetadataFile: 'acme.metadata.json',
    },
    'acme.assets': { type: 'cdk:asset-manifest', properties: { file: 'acme.assets.json' } },
  },
});
write('acme.template.json', templateOf('2', ['cors', 'page']));
write('acme.assets.json', {
  version: '55.0.0',
  files: {
    c0de: { source: { path: 'asset.c0de', packaging: 'zip' } },
    [HASH]: { source: { path: 'acme.template.json' }, destinations: { here: { objectKey: `${HASH}.json` } } },
  },
});

describe('writeFormer', () => {
  const written = writeFormer(folder, join(folder, 'former'), new Map([['acme', templateOf('1', ['cors'])]]));

  it('the folder has the former template alone, under a name of its own, and no code to upload', async () => {
    await written;
    const { files } = read('former', 'acme.assets.json');
    const [hash = ''] = Object.keys(files);
    expect(Object.keys(files)).toHaveLength(1);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(files[hash].destinations.here.objectKey).toBe(`${hash}.json`);
    const { artifacts } = read('former', 'manifest.json');
    expect(Object.keys(artifacts).toSorted()).toEqual(['acme', 'acme.assets']);
    expect(artifacts.acme).toMatchObject({
      properties: { stackTemplateAssetObjectUrl: `s3://bucket/${hash}.json` },
      dependencies: ['acme.assets'],
    });
    expect(read('former', 'acme.template.json').Resources.Function.Properties).toEqual({ Version: '1' });
  });

  it('the check of the former template lets go of the settings that only the release has', async () => {
    await written;
    expect(read('former', 'acme.template.json').Resources.Check.Properties).toEqual({
      Names: ['cors'],
      Forget: ['page'],
    });
  });
});

it('deployedTemplate: an object or a text → the template', async () => {
  const template = templateOf('1', []);
  for (const TemplateBody of [template, JSON.stringify(template)])
    expect(await deployedTemplate('acme', async () => ({ TemplateBody }))).toEqual(template);
});

const app = temporaryFolder('kept');
const template = (version: string) =>
  writeFileSync(join(app, 'acme.template.json'), JSON.stringify({ Resources: {}, version }));
const ACME = { ...targetOf({ company: 'acme', stage: 'production' }), stack: 'acme' };

it('a wave is done with the templates that were deployed, until they change or a company goes back', async () => {
  let value: string | undefined;
  const done = doneWaves(app, async (_, [, command, ...args]) => {
    if (command === 'put-parameter') value = args.at(-1);
    return { Parameters: value === undefined ? [] : [{ Value: value }] };
  });
  template('1');
  expect(await done.has([ACME])).toBe(false);
  await done.add([ACME]);
  expect(await done.has([ACME])).toBe(true);
  template('2');
  expect(await done.has([ACME])).toBe(false);
  template('1');
  await done.forget();
  expect(await done.has([ACME])).toBe(false);
});

/** A bucket, and stacks with their templates, behind the CLI. */
function account(deployed: Record<string, object> = {}) {
  const bucket = new Map<string, string>();
  const reads: string[] = [];
  const cli: Cli = async (_, args) => {
    const valueOf = (name: string) => String(args[args.indexOf(name) + 1]);
    const [, command] = args;
    if (command === 'get-template') {
      reads.push(valueOf('--stack-name'));
      return { TemplateBody: deployed[valueOf('--stack-name')] };
    }
    if (command === 'list-objects-v2') {
      const keys = [...bucket.keys()].map((key) => key.slice('ours/'.length));
      const Contents = keys.filter((key) => key.startsWith(valueOf('--prefix'))).map((Key) => ({ Key }));
      return Contents.length === 0 ? {} : { Contents };
    }
    const key = `${valueOf('--bucket')}/${valueOf('--key')}`;
    const file = String(args.at(-1));
    if (command === 'put-object') bucket.set(key, readFileSync(file, 'utf8'));
    else if (bucket.has(key)) writeFileSync(file, String(bucket.get(key)));
    else throw new Error('The AWS CLI cannot read. NoSuchKey');
    return {};
  };
  return { bucket, reads, cli, kept: (version: string) => keptTemplates(version, join(app, 'former'), cli) };
}

it('a template is kept in the bucket of the bootstrap, by version; a stack without one has none', async () => {
  const { bucket, kept } = account();
  await kept('2.0.0').keep('ours', 'acme', { Resources: {} });
  expect([...bucket.keys()]).toEqual(['ours/course-progress-migration/former/2.0.0/acme.json']);
  expect(await kept('2.0.0').read('ours', 'acme')).toEqual({ Resources: {} });
  expect(await kept('2.0.0').read('ours', 'globex')).toBeUndefined();
  expect(await kept('3.0.0').read('ours', 'acme')).toBeUndefined();
  expect([...(await kept('2.0.0').stacks('ours'))]).toEqual(['acme']);
});

describe('a release that resumes in a fresh checkout', () => {
  const sandbox = { ...targetOf({ company: 'acme', stage: 'sandbox' }), stack: 'sandbox' };
  const withData = { ...sandbox, data: 'data.json' };
  const sandboxOf = (version: string, password: string) => ({
    Resources: {
      SandboxDataLoader5E01D864: {
        Type: 'AWS::Lambda::Function',
        Properties: { Code: { S3Key: `${password}.zip` }, MemorySize: 1769 },
      },
      SandboxData: { Type: 'Custom::SandboxData', Properties: { FileHash: password } },
      Login: { Type: 'AWS::Lambda::Function', Properties: { Code: { S3Key: `${version}.zip` } } },
    },
  });
  const synthesized = (version: string, password: string) =>
    writeFileSync(join(app, 'sandbox.template.json'), JSON.stringify(sandboxOf(version, password)));

  it('keeps the template from before the release, although its sandboxes have other passwords in each checkout', async () => {
    const deployed: Record<string, object> = { sandbox: sandboxOf('1', 'p0') };
    const { cli, kept, reads } = account(deployed);
    const keep = () => keepReplaced([sandbox], app, 'ours', kept('2.0.0'), cli);
    const former = () => kept('2.0.0').read('ours', 'sandbox');
    synthesized('2', 'p1');
    await keep();
    expect(await former()).toEqual(sandboxOf('1', 'p0'));
    // The run ended after the deployment of the sandbox.
    deployed['sandbox'] = sandboxOf('2', 'p1');
    synthesized('2', 'p2');
    await keep();
    // The release is corrected, and then deployed over its own half.
    synthesized('2 corrected', 'p3');
    await keep();
    expect(await former()).toEqual(sandboxOf('1', 'p0'));
    expect(reads).toEqual(['sandbox']);
  });

  it('keeps nothing of a stack that runs the release already, whatever its password is', async () => {
    const { bucket, cli, kept } = account({ sandbox: sandboxOf('2', 'p1') });
    synthesized('2', 'p2');
    await keepReplaced([sandbox], app, 'ours', kept('2.0.0'), cli);
    expect(bucket.size).toBe(0);
  });

  it('finds its waves done, unless a template, or the data of a sandbox with a file, has changed', async () => {
    let value: string | undefined;
    const done = doneWaves(app, async (_, [, command, ...args]) => {
      if (command === 'put-parameter') value = args.at(-1);
      return { Parameters: value === undefined ? [] : [{ Value: value }] };
    });
    synthesized('2', 'p1');
    await done.add([sandbox]);
    await done.add([withData]);
    synthesized('2', 'p2');
    expect([await done.has([sandbox]), await done.has([withData])]).toEqual([true, false]);
    synthesized('3', 'p2');
    expect(await done.has([sandbox])).toBe(false);
  });
});

it('bucketsIn: the address of a template in the manifest → the bucket of the account and region', async () => {
  const stackTemplateAssetObjectUrl = 's3://cdk-x-assets-${AWS::AccountId}-${AWS::Region}/f00.json';
  const artifacts = { acme: { type: 'aws:cloudformation:stack', properties: { stackTemplateAssetObjectUrl } } };
  writeFileSync(join(app, 'manifest.json'), JSON.stringify({ version: '1', artifacts }));
  const bucketOf = await bucketsIn(app, async () => ({
    Account: '111122223333',
    Arn: 'arn:aws:iam::111122223333:role/r',
  }));
  expect(bucketOf('acme', 'eu-west-1')).toBe('cdk-x-assets-111122223333-eu-west-1');
  expect(() => bucketOf('globex', 'eu-west-1')).toThrow('has no stack globex');
});
