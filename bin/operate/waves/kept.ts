/** What a release needs of the runs before it, kept in the account: the waves that are done, and the templates of before. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { APPLICATION } from '../../../lib/observability/tags.ts';
import { messageOf } from '../../importer/engine/errors.ts';
import type { Cli } from '../aws-cli.ts';
import type { Template } from './former.ts';

const PARAMETER = `/${APPLICATION}/release`;
const STORED = v.object({ Parameters: v.array(v.object({ Value: v.string() })) });

/** The waves that were deployed and have baked, by their templates, in a parameter of SSM. Of a former release none counts. */
export function doneWaves(app: string, cli: Cli) {
  const idOf = async (stacks: readonly string[]): Promise<string> => {
    const hash = createHash('sha256');
    for (const stack of stacks) hash.update(`${stack} `).update(await readFile(join(app, `${stack}.template.json`)));
    return hash.digest('hex').slice(0, 16);
  };
  const read = async (): Promise<readonly string[]> => {
    const asked = ['ssm', 'get-parameters', '--names', PARAMETER];
    return v.parse(STORED, await cli('read the state of the release', asked)).Parameters[0]?.Value.split(' ') ?? [];
  };
  const write = async (ids: readonly string[]): Promise<void> => {
    const value = ['--type', 'String', '--overwrite', '--value', ids.slice(-MOST_WAVES).join(' ') || '-'];
    await cli('store the state of the release', ['ssm', 'put-parameter', '--name', PARAMETER, ...value]);
  };
  return {
    has: async (stacks: readonly string[]): Promise<boolean> => (await read()).includes(await idOf(stacks)),
    add: async (stacks: readonly string[]): Promise<void> => write([...(await read()), await idOf(stacks)]),
    forget: (): Promise<void> => write([]),
  };
}
/** Waves grow, so a release of ten thousand companies has six. */
const MOST_WAVES = 50;

const place = (bucket: string, stack: string) => ['--bucket', bucket, '--key', `${APPLICATION}/former/${stack}.json`];

/** In the bucket of the bootstrap: of each stack the template that the last release replaced. */
export function keptTemplates(folder: string, cli: Cli) {
  const fileOf = async (stack: string): Promise<string> => {
    await mkdir(folder, { recursive: true });
    return join(folder, `${stack}.kept.json`);
  };
  return {
    async keep(bucket: string, stack: string, template: Template): Promise<void> {
      const file = await fileOf(stack);
      await writeFile(file, JSON.stringify(template));
      await cli('keep the template of a stack', ['s3api', 'put-object', ...place(bucket, stack), '--body', file]);
    },
    /** `undefined` if there is none. */
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
