/** The commands of the runbook, as an operator copies them. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pythonTools } from '../../../kit/python-tools.ts';

const RUNBOOK = resolve(import.meta.dirname, '../../../../docs/runbook.md');
const AWS_CLI = join(import.meta.dirname, 'aws-cli.txt');
const run = promisify(execFile);

/** The blocks of commands of a section, by its heading, in their order. */
export function commandsUnder(heading: string): string[] {
  const section = readFileSync(RUNBOOK, 'utf8')
    .split(/^### /m)
    .find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`the runbook has no section ${heading}`);
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
}

/** Runs a block in a shell that ends at the first command that fails. */
export async function runCommands(block: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const PATH = `${pythonTools('aws-cli', AWS_CLI)}:${process.env['PATH']}`;
  const env = { ...environment, PATH, AWS_PAGER: '' };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', block], { env });
  return stdout;
}
