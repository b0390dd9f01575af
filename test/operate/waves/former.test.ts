/** The folder by which a wave gets its former templates again. Costs milliseconds; test/deploy/rehearsal deploys one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deployedTemplate, writeFormer } from '../../../bin/operate/waves/former.ts';
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
