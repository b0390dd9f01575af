#!/usr/bin/env -S MALLOC_MMAP_THRESHOLD_=65536 node --optimize-for-size --max-semi-space-size=2
// Starts the migration command as `npm ci` (or `npm run prepare`) has built it, with settings of V8 and of glibc (which returns
// only blocks over this threshold to the system) that keep its memory small. Must run under any Node from 20 on.
import { existsSync } from 'node:fs';

const BUILT = new URL('../dist/cli.js', import.meta.url);

if (existsSync(BUILT)) await import(BUILT.href);
else {
  process.stderr.write(
    'The command has not been built yet. Run "npm ci" in the clone first, then run the command again.\n',
  );
  process.exitCode = 2;
}
