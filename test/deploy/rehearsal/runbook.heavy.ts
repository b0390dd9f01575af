/**
 * Runs every command of the runbook, as an operator copies it, against MiniStack: on a stack of the resources of the
 * production template that the commands name. operations.heavy.ts rehearses the restore, with the whole service.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resource, Template } from '../../../bin/local/template.ts';
import { stackName } from '../../../lib/settings.ts';
import { templateOf } from '../../kit/template.ts';
import { type MiniStack, startMiniStack } from './support/ministack.ts';
import { allCommands, commandsInSentences, commandsUnder, runCommands } from './support/runbook.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';

const platform = 'arn:aws:iam::000000000000:role/platform';
const settings = { company: 'acme', stage: 'production', platform } as const;
const STACK = stackName(settings);
/** MiniStack has no web ACLs: the CLI checks these commands by its own model. */
const STAGE_ARN = 'arn:aws:apigateway:us-east-1::/restapis/abc/stages/production';
const WEB_ACL = 'arn:aws:wafv2:us-east-1:000000000000:regional/webacl/ours/1';
const RESTORE = 'Restore the table';
const [beginning, ...commands] = allCommands().filter(({ heading }) => heading !== RESTORE);

type WithOutputs = Template & { readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>> };

const named = [
  ...new Set(commands.flatMap(({ block }) => [...block.matchAll(/output ([A-Z]\w+)/g)].map(([, name = '']) => name))),
];

const idsIn = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g)].map(([, id = '']) => id);

/** The named outputs, and all resources that they refer to. Functions do nothing, so that nothing must be built. */
function partOf({ Resources, Outputs }: WithOutputs): object {
  const kept: Record<string, Resource> = {};
  const keep = (id: string): void => {
    const resource = Resources[id];
    if (resource === undefined || id in kept) return;
    kept[id] = withoutCode(resource);
    for (const other of idsIn(kept[id])) keep(other);
  };
  const outputs = Object.fromEntries(named.map((name) => [name, Outputs[name]]));
  for (const id of idsIn(outputs)) keep(id);
  return { Resources: kept, Outputs: outputs };
}

function withoutCode({ Type, Properties = {} }: Resource): Resource {
  if (Type !== 'AWS::Lambda::Function') return { Type, Properties };
  const { Environment: _, ...rest } = Properties;
  return { Type, Properties: { ...rest, Code: { ZipFile: 'exports.handler = async () => ({});' } } };
}

const folder = temporaryFolder('runbook');
let aws: MiniStack;
let variables: Readonly<Record<string, string>> = {};

const run = (block: string): Promise<string> =>
  runCommands([beginning?.block, block].join('\n'), { ...aws.environment, STACK, ...variables });

beforeAll(async () => {
  aws = await startMiniStack();
  const body = join(folder, 'template.json');
  writeFileSync(body, JSON.stringify(partOf(templateOf(settings) as WithOutputs)));
  await run(`aws cloudformation create-stack --stack-name "$STACK" --template-body 'file://${body}' --capabilities CAPABILITY_IAM
    aws cloudformation wait stack-create-complete --stack-name "$STACK"`);
  const [TABLE = '', KEY = ''] = (await run('output TableName; output SigningKeyId')).trim().split('\n');
  variables = {
    TABLE,
    KEY,
    KID: 'disclosed',
    COMPANY: 'acme',
    RUN: 'lms-2026',
    PLAN: 'plan',
    WRITES: '24000',
    READS: '24000',
    RECEIPT: 'receipt',
    STAGE_ARN,
    WEB_ACL,
  };
});
afterAll(async () => {
  await aws?.stop();
  // A command of the runbook writes them to the current folder.
  for (const file of ['facts.json', 'results.json']) rmSync(file, { force: true });
});

describe('the commands of the runbook', () => {
  it('commands are in blocks, and none is in a sentence', () => {
    expect(commandsInSentences()).toEqual([]);
    expect(commandsUnder(RESTORE)).toHaveLength(1);
    expect([commands.length, named.length]).toEqual([36, 10]);
  });

  it.each(commands)('the commands of $heading run: $block', async ({ block }) => {
    await expect(run(block)).resolves.toEqual(expect.any(String));
  });

  it('the commands read only outputs that exist', () => {
    const { Outputs } = templateOf(settings) as WithOutputs;
    expect(named.filter((name) => !(name in Outputs))).toEqual([]);
  });
});
