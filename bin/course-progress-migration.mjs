#!/usr/bin/env -S MALLOC_MMAP_THRESHOLD_=65536 node --max-semi-space-size=4 --heap-growing-percent=30
// Starts the migration command of this clone, with settings of V8 and of glibc (which returns only blocks over this threshold to the
// system) that keep its memory small; the packed command has the same. The first start after `npm ci` builds it, because npm runs no
// script at install (`.npmrc`). Must run under any Node from 20 on.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const BUILT = new URL('../dist/cli.js', import.meta.url);
/** npm writes this file at the end of every installation. */
const INSTALLED = new URL('../node_modules/.package-lock.json', import.meta.url);

const writtenAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

try {
  if (writtenAt(BUILT) < writtenAt(INSTALLED)) {
    process.stderr.write('Building the command, once after "npm ci" …\n');
    // What it prints is no output of the command.
    execFileSync(process.execPath, ['bin/run.mjs', 'bin/build/package.ts'], {
      cwd: new URL('..', import.meta.url),
      stdio: ['ignore', 2, 2],
    });
  }
} catch {
  process.stderr.write('The command could not be built: see above.\n');
  process.exit(2);
}

if (existsSync(BUILT)) await import(BUILT.href);
else {
  process.stderr.write(
    'The command has not been built yet. Run "npm ci" in the clone first, then run the command again.\n',
  );
  process.exitCode = 2;
}
