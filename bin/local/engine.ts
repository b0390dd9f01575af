/** The database engine of the local stack: the embedded one if it has a binary for this platform, else AWS's DynamoDB Local. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINE_KEY } from './endpoints.ts';
import { DYNAMODB_LOCAL_FOLDER, hasDocker, hasJava, inDocker, inJava } from './engine/dynamodb-local.ts';
import { DYNOXIDE_FILE, dynoxide, dynoxideBinary } from './engine/dynoxide.ts';
import { type Engine, type EngineProgram, startProcess } from './engine/process.ts';
import { StartupFault } from './lifecycle.ts';

export { type Engine, freePort } from './engine/process.ts';

/** In the order in which they are tried. */
export const ENGINES = ['dynoxide', 'dynamodb-local', 'docker'] as const;
export type EngineName = (typeof ENGINES)[number];

const WORKS: Readonly<Record<EngineName, () => boolean | Promise<boolean>>> = {
  dynoxide: () => dynoxideBinary() !== undefined,
  'dynamodb-local': hasJava,
  docker: hasDocker,
};

const MISSING: Readonly<Record<EngineName, string>> = {
  dynoxide: `the embedded engine has no binary for ${process.platform}-${process.arch}`,
  'dynamodb-local': 'DynamoDB Local needs Java 17 or newer, and there is none on the PATH',
  docker: 'Docker does not run',
};

/**
 * Starts an engine.
 *
 * @param directory keeps its data between runs; default: in memory
 * @param chosen default: the first that works here
 * @throws StartupFault if none works here, it does not start, or another stack or engine uses the directory
 */
export async function startEngine(directory?: string, chosen?: EngineName): Promise<Engine> {
  const name = await workingEngine(chosen === undefined ? ENGINES : [chosen]);
  if (directory !== undefined) refuseOtherData(directory, name);
  return startProcess(await program(name, directory));
}

async function workingEngine(candidates: readonly EngineName[]): Promise<EngineName> {
  for (const name of candidates) if (await WORKS[name]()) return name;
  const reasons = candidates.map((name) => MISSING[name]).join('; ');
  throw new StartupFault(
    `no database engine can start (${reasons}): install Java 17 or newer, or start Docker, or set DYNAMODB_ENDPOINT`,
  );
}

async function program(name: EngineName, directory: string | undefined): Promise<EngineProgram> {
  if (name === 'docker') return inDocker(directory);
  if (name === 'dynamodb-local') return inJava(directory);
  return dynoxide(dynoxideBinary() ?? '', ENGINE_KEY, directory);
}

/** The engines cannot read each other's files: a start with another one would seem to have lost everything. */
function refuseOtherData(directory: string, name: EngineName): void {
  const [other, engine] =
    name === 'dynoxide' ? [DYNAMODB_LOCAL_FOLDER, 'dynamodb-local or docker'] : [DYNOXIDE_FILE, 'dynoxide'];
  if (existsSync(join(directory, other)))
    throw new StartupFault(
      `--dir ${directory} holds data of another engine: pass --engine ${engine}, or name another directory`,
    );
}
