/**
 * The embedded engine. It can neither ask for credentials nor listen on a Unix socket, and it allows every origin. So it
 * listens at a random address of 127.0.0.0/8 and a random port, which no page in a browser can find by trying. Only the
 * authorising proxy is given the address.
 */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { EngineProgram } from './process.ts';

/** The engine's file in a data directory. */
export const DYNOXIDE_FILE = 'database.sqlite';

/** The path of its program, or undefined: it is an optional dependency, for one platform. */
export function dynoxideBinary(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
    const binary = join(dirname(manifest), 'dynoxide');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

export const dynoxide = (binary: string, accessKeyId: string, directory?: string): EngineProgram => ({
  name: 'the embedded DynamoDB engine',
  host: randomLoopback(),
  accessKeyId,
  directory,
  command: ({ host, port }) => [
    binary,
    '--host',
    host,
    '--port',
    String(port),
    ...(directory === undefined ? [] : ['--db-path', join(directory, DYNOXIDE_FILE)]),
  ],
});

/** One of 16 million loopback addresses. Linux accepts connections on all of them, and the engine exists for Linux only. */
const randomLoopback = (): string => ['127', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.');
