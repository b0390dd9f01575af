/** What a release keeps in the account, against a parameter and a bucket in memory. Costs milliseconds. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bucketsIn } from '../../../bin/operate/waves/former.ts';
import { doneWaves, keptTemplates } from '../../../bin/operate/waves/kept.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';

const app = temporaryFolder('kept');
const template = (version: string) =>
  writeFileSync(join(app, 'acme.template.json'), JSON.stringify({ Resources: {}, version }));

it('a wave is done with the templates that were deployed, until they change or a company goes back', async () => {
  let value: string | undefined;
  const done = doneWaves(app, async (_, [, command, ...args]) => {
    if (command === 'put-parameter') value = args.at(-1);
    return { Parameters: value === undefined ? [] : [{ Value: value }] };
  });
  template('1');
  expect(await done.has(['acme'])).toBe(false);
  await done.add(['acme']);
  expect(await done.has(['acme'])).toBe(true);
  template('2');
  expect(await done.has(['acme'])).toBe(false);
  template('1');
  await done.forget();
  expect(await done.has(['acme'])).toBe(false);
});

it('a template is kept in the bucket of the bootstrap; a stack without one has none', async () => {
  const bucket = new Map<string, string>();
  const kept = keptTemplates(join(app, 'former'), async (_, args) => {
    const key = `${args[args.indexOf('--bucket') + 1]}/${args[args.indexOf('--key') + 1]}`;
    const file = String(args.at(-1));
    if (args[1] === 'put-object') bucket.set(key, readFileSync(file, 'utf8'));
    else if (bucket.has(key)) writeFileSync(file, String(bucket.get(key)));
    else throw new Error('The AWS CLI cannot read. NoSuchKey');
    return {};
  });
  await kept.keep('ours', 'acme', { Resources: {} });
  expect([...bucket.keys()]).toEqual(['ours/course-progress-migration/former/acme.json']);
  expect(await kept.read('ours', 'acme')).toEqual({ Resources: {} });
  expect(await kept.read('ours', 'globex')).toBeUndefined();
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
