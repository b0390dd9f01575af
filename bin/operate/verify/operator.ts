import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { cliOf, logLines, resourcesOf } from '../aws-cli.ts';
import type { StackOptions } from '../../local/stack.ts';
import { type Check, check, must } from './checks.ts';
import type { FactResult, Operator } from './deep.ts';

/** CloudWatch shows a line some seconds after it was written. */
const LOG_DELAY_MS = 20_000;

const RESULTS = v.object({
  results: v.array(v.object({ status: v.string(), erased_at: v.exactOptional(v.nullable(v.string())) })),
});

/** By the AWS CLI. @throws Error if it cannot read the stack */
export async function operatorOf(stack: string): Promise<Operator> {
  const all = await resourcesOf(cliOf(), stack);
  const groups = all.filter(({ ResourceType }) => ResourceType === 'AWS::Logs::LogGroup');
  const intake = all.find(
    ({ ResourceType, LogicalResourceId }) =>
      ResourceType === 'AWS::Lambda::Function' && LogicalResourceId.startsWith('IntakeFunction'),
  );
  return {
    inform: (facts) => invoke(intake?.PhysicalResourceId ?? '', { facts }),
    async linesSince(ms, text) {
      await pause(LOG_DELAY_MS);
      const lines: string[] = [];
      for (const { PhysicalResourceId: group } of groups)
        for await (const line of logLines(cliOf(), 'read the logs', group, ms, text)) lines.push(line);
      return lines;
    },
  };
}

/** What `npm start` runs, in this process: there is no other access to its intake and its logs. */
export async function startedHere(options: Pick<StackOptions, 'observe'> = {}) {
  // Only here is a service built.
  const { startLocalStack } = await import('../../local/stack.ts');
  const lines: string[] = [];
  const stack = await startLocalStack({ ...options, port: 0, onLogLine: (line) => void lines.push(line) });
  const intake = [...stack.functions.values()].find(({ spec }) => spec.name.includes('Intake'));
  const operator: Operator = {
    inform: async (facts) => v.parse(RESULTS, await intake?.invoke({ facts })).results,
    linesSince: async (_, text) => lines.filter((line) => line.includes(text)),
  };
  return { stack, operator, lines };
}

/** The facts have a password: they go through a file that only its owner can read. */
async function invoke(name: string, message: object): Promise<readonly FactResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'verify-'));
  const [sent, received] = [join(folder, 'facts.json'), join(folder, 'results.json')];
  try {
    await writeFile(sent, JSON.stringify(message), { mode: 0o600 });
    const args = ['lambda', 'invoke', '--function-name', name, '--payload', `fileb://${sent}`, received];
    await cliOf()('invoke the intake', args);
    return v.parse(RESULTS, JSON.parse(await readFile(received, 'utf8'))).results;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const ASSOCIATED = v.object({ WebACL: v.exactOptional(v.object({ Name: v.string() })) });

/** `stageArn`: the output `ApiStageArn` of a stack. */
export const webAclCheck = (stageArn: string): Check =>
  check('A web ACL protects the API.', async () => {
    const region = stageArn.split(':')[3];
    const args = ['wafv2', 'get-web-acl-for-resource', '--resource-arn', stageArn];
    const { WebACL } = v.parse(ASSOCIATED, await cliOf(region)('read the web ACL', args));
    must(WebACL !== undefined, 'None is associated with its stage: docs/runbook.md, “Change the web ACL”.');
    return WebACL.Name;
  });
