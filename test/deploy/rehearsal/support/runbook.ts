/** The commands of the documents, as an operator copies them. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pythonTools } from '../../../kit/python-tools.ts';

const DOCS = resolve(import.meta.dirname, '../../../../docs');
const RUNBOOK = join(DOCS, 'runbook.md');
export const AWS_CLI = join(import.meta.dirname, 'requirements-aws-cli.txt');
const run = promisify(execFile);

interface Commands {
  /** The first section has none. */
  readonly heading: string;
  readonly block: string;
}

/** The code blocks of a document, in order. */
export const blocksOf = (document: string, language = 'sh'): string[] =>
  [...readFileSync(join(DOCS, document), 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, block = '']) => block,
  );

export function allCommands(): Commands[] {
  const [beginning = '', ...sections] = readFileSync(RUNBOOK, 'utf8').split(/^### /m);
  return [`\n${beginning}`, ...sections].flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'));
    return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => ({ heading, block }));
  });
}

export function commandsUnder(heading: string): string[] {
  const blocks = allCommands().filter((each) => each.heading === heading);
  if (blocks.length === 0) throw new Error(`the runbook has no commands under ${heading}`);
  return blocks.map(({ block }) => block);
}

/** Commands of the AWS CLI inside a sentence, which are not run. */
export function commandsInSentences(): string[] {
  const text = readFileSync(RUNBOOK, 'utf8').replaceAll(/```sh\n.*?```/gs, '');
  return [...text.matchAll(/`aws [^`]+`/g)].map(([command]) => command);
}

/**
 * A folder with an `aws` that adds what MiniStack leaves out: the summary of a restore, in the description of its
 * table, and a latest restorable time some minutes ago.
 */
export function awsWithSummaries(folder: string): string {
  const script = `#!${process.execPath}
const { execFileSync } = require('node:child_process');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
const of = (name) => args[args.indexOf(name) + 1];
const aws = (all) => execFileSync('${join(pythonTools('aws-cli', AWS_CLI), 'aws')}', all, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const note = '${folder}/summary-of-' + of('--table-name');
if (args[1] === 'restore-table-to-point-in-time') {
  const source = JSON.parse(aws(['dynamodb', 'describe-table', '--table-name', of('--source-table-name')])).Table.TableArn;
  const summary = { SourceTableArn: source, RestoreDateTime: of('--restore-date-time'), RestoreInProgress: false };
  writeFileSync('${folder}/summary-of-' + of('--target-table-name'), JSON.stringify(summary));
}
let printed = '';
try { printed = aws(args); } catch (error) { process.exit(error.status); }
if (args[1] === 'describe-table' && existsSync(note)) {
  const { Table } = JSON.parse(printed);
  printed = JSON.stringify({ Table: { ...Table, RestoreSummary: JSON.parse(readFileSync(note, 'utf8')) } });
}
if (args[1] === 'describe-continuous-backups') {
  const found = JSON.parse(printed);
  const recovery = found.ContinuousBackupsDescription.PointInTimeRecoveryDescription;
  recovery.LatestRestorableDateTime = Math.floor(Date.now() / 1000) - 600;
  printed = JSON.stringify(found);
}
process.stdout.write(printed);
`;
  writeFileSync(join(folder, 'aws'), script, { mode: 0o755 });
  return folder;
}

/**
 * Commands that MiniStack does not have: the CLI checks their parameters by its own model, and sends nothing. It uses
 * its own address for SQS unless it is given one.
 */
const UNKNOWN = [
  'observabilityadmin get-telemetry-enrichment-status',
  'observabilityadmin start-telemetry-enrichment',
  'sqs delete-message',
  'sqs start-message-move-task',
  'sqs list-message-move-tasks',
  'wafv2 associate-web-acl',
];
const AWS = `aws() {
  case "$1 $2" in
    ${UNKNOWN.map((command) => `'${command}'`).join('|')}) command aws "$@" --generate-cli-skeleton output ;;
    *) command aws "$@" --endpoint-url "$AWS_ENDPOINT_URL" ;;
  esac
}`;

/** Runs a block in a shell that exits at the first command that fails. */
export async function runCommands(block: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const PATH = `${pythonTools('aws-cli', AWS_CLI)}:${process.env['PATH']}`;
  const env = { ...environment, PATH, AWS_PAGER: '' };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', `${AWS}\n${block}`], { env });
  return stdout;
}
