import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Into `dist/types`, by the `tsconfig.json` of the folder. @throws Error after the compiler has said what is wrong */
export function buildTypes(folder: string): void {
  const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');
  const project = join(import.meta.dirname, '../..', folder, 'tsconfig.json');
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`The types of ${folder} were not built: correct what the compiler reports above.`);
}
