/**
 * The embedded engine, or AWS's DynamoDB Local. The embedded one asks for no credentials and allows every origin, so it listens at
 * a random loopback address and port, which only the proxy is given.
 */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ENGINE_KEY } from './endpoints.ts';
import { hasJava, inJava } from './engine/dynamodb-local.ts';
import { type Engine, type EngineProgram, startProcess } from './engine/process.ts';
import { StartupFault } from './lifecycle.ts';

export { type Engine, freePort } from './engine/process.ts';

/** `directory` keeps its data. @throws StartupFault if none works here, or another stack uses the directory */
export async function startEngine(directory?: string, binary: string | null = embeddedBinary()): Promise<Engine> {
  if (binary !== null) return startProcess(embedded(binary, directory));
  if (await hasJava()) return startProcess(await inJava(directory));
  throw new StartupFault(
    `no database engine can start: the embedded one has no binary for ${process.platform}-${process.arch}, and there is no Java 17 or newer on the PATH. Install it, or start a DynamoDB (such as the image amazon/dynamodb-local) and set DYNAMODB_ENDPOINT`,
  );
}

function embeddedBinary(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
    const binary = join(dirname(manifest), 'dynoxide');
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}

const embedded = (binary: string, directory: string | undefined): EngineProgram => ({
  name: 'the embedded DynamoDB engine',
  // One of 16 million loopback addresses. Linux accepts connections on all of them, and the engine exists for Linux only.
  host: ['127', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.'),
  accessKeyId: ENGINE_KEY,
  directory,
  command: ({ host, port }) => [
    binary,
    '--host',
    host,
    '--port',
    String(port),
    ...(directory === undefined ? [] : ['--db-path', join(directory, 'database.sqlite')]),
  ],
});
