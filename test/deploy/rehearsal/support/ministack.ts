/** An AWS of this machine's own, on loopback: MiniStack takes CloudFormation, and runs the functions in Node processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../../bin/local/engine.ts';
import { pythonTool } from './python-tools.ts';

const LOOPBACK = '127.0.0.1';
const START_ATTEMPTS = 600;

export interface MiniStack {
  readonly port: number;
  /** What makes the AWS CLI, the CDK and the SDK speak to it. */
  readonly environment: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export async function startMiniStack(): Promise<MiniStack> {
  const command = pythonTool('ministack');
  const folder = mkdtempSync(join(tmpdir(), 'ministack-'));
  const port = await freePort();
  const server = spawn(command, {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      TMPDIR: folder,
      STATE_DIR: join(folder, 'state'),
      S3_DATA_DIR: join(folder, 's3'),
      BIND_HOST: LOOPBACK,
      MINISTACK_HOST: LOOPBACK,
      GATEWAY_PORT: String(port),
      IOT_MTLS_ENABLED: '0',
      LOG_LEVEL: 'ERROR',
    },
    stdio: 'ignore',
    // A group of its own, so that the functions' processes end with it.
    detached: true,
  });
  const stop = async (): Promise<void> => {
    await ended(server);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await reachable(port, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, environment: environmentOf(port), stop };
}

function environmentOf(port: number): NodeJS.ProcessEnv {
  const { AWS_PROFILE: _, AWS_SESSION_TOKEN: __, ...rest } = process.env;
  return {
    ...rest,
    AWS_ENDPOINT_URL: `http://${LOOPBACK}:${port}`,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
  };
}

async function reachable(port: number, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < START_ATTEMPTS && server.exitCode === null; attempt += 1) {
    const health = await fetch(`http://${LOOPBACK}:${port}/_ministack/health`).catch(() => undefined);
    if (health?.ok) return;
    await setTimeout(100);
  }
  throw new Error('MiniStack does not start');
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null) return;
  const exited = once(server, 'exit');
  process.kill(-server.pid, 'SIGKILL');
  await exited;
}
