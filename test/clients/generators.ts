/** The pinned generators, each with its client of the document; installed once, under node_modules/.cache. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { nodeTools } from '../kit/node-tools.ts';
import { pythonTools } from '../kit/python-tools.ts';
import { skipped } from '../kit/skipped.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const CACHE = join(PROJECT, 'node_modules/.cache/clients');
export const DOCUMENT = join(PROJECT, 'docs/openapi.json');

const VERSION = '7.24.0';
const JAR = {
  url: `https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/${VERSION}/openapi-generator-cli-${VERSION}.jar`,
  sha256: '4b83ccc6fd43056c8c631cd0195e5100bd0550912502527bab09ac76152dab0c',
};

const LONGEST_MS = 480_000;

export function run(
  folder: string,
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): string {
  return execFileSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    timeout: LONGEST_MS,
  });
}

/** Only Java and Python come with CI. */
export function has(command: string): boolean {
  try {
    execFileSync('which', [command], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The missing requirements of the generators; tests are left out then, with one line that reports it. */
export const missing = await whatIsMissing();

async function whatIsMissing(): Promise<string | undefined> {
  if (!has('java')) return left('Java 17 or newer');
  if (!has('python3')) return left('Python 3');
  try {
    await fetch(JAR.url, { method: 'HEAD', signal: AbortSignal.timeout(20_000) });
    return undefined;
  } catch {
    return left('the network');
  }
}

function left(what: string): string {
  skipped(`The clients are not tested here: ${what} is missing.`);
  return what;
}

export const emptyFolder = (name: string): string => mkdtempSync(join(tmpdir(), `client-${name}-`));

/** Makes a client with openapi-generator: `language` as the generator names it. Returns its folder. */
export async function byOpenApiGenerator(
  language: string,
  options: readonly string[] = [],
  document = DOCUMENT,
): Promise<string> {
  const folder = emptyFolder(language);
  const properties = ['--package-name', 'course_progress', '--skip-operation-example'];
  run(folder, 'java', [
    '-jar',
    await jar(),
    'generate',
    '-i',
    document,
    '-g',
    language,
    '-o',
    '.',
    ...properties,
    ...options,
  ]);
  return folder;
}

async function jar(): Promise<string> {
  const file = join(CACHE, `openapi-generator-${VERSION}.jar`);
  if (existsSync(file) && sha256(readFileSync(file)) === JAR.sha256) return file;
  const response = await fetch(JAR.url);
  const content = Buffer.from(await response.arrayBuffer());
  if (sha256(content) !== JAR.sha256) throw new Error(`${JAR.url} is not the file that is pinned`);
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(file, content);
  return file;
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** Folder of the commands of openapi-python-client, and of the packages that both Python clients import. */
export const python = (): string => pythonTools('clients', join(import.meta.dirname, 'requirements.txt'));

export function byOpenApiPythonClient(document = DOCUMENT): string {
  const folder = emptyFolder('python-client');
  const commands = python();
  const args = [
    'generate',
    '--path',
    document,
    '--output-path',
    'course_progress',
    '--meta',
    'none',
    '--fail-on-warning',
  ];
  run(folder, join(commands, 'openapi-python-client'), args, { PATH: `${commands}:${process.env['PATH']}` });
  return folder;
}

export const linters = (): string => nodeTools('linters', join(import.meta.dirname, 'linters'));
const RULES = 'extends: [["spectral:oas", all], "./node_modules/@stoplight/spectral-owasp-ruleset/dist/ruleset.js"]\n';

export interface Finding {
  readonly code: string;
  readonly path: readonly (string | number)[];
}

/** The findings of Spectral's rules for OpenAPI and of OWASP's in the document. */
export function findingsOfSpectral(): Finding[] {
  const folder = linters();
  const command = join(folder, 'node_modules/.bin/spectral');
  writeFileSync(join(folder, 'rules.yaml'), RULES);
  // It ends with 1 if it has findings.
  const script = `'${command}' lint "$0" -r rules.yaml -f json -o findings.json -q || test $? = 1`;
  run(folder, 'sh', ['-c', script, DOCUMENT]);
  return JSON.parse(readFileSync(join(folder, 'findings.json'), 'utf8')) as Finding[];
}
