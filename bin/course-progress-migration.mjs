#!/usr/bin/env -S node --optimize-for-size --max-semi-space-size=2
// Starts the migration command as `npm ci` (or `npm run prepare`) has built it, with flags of V8 that keep its memory small.
// Must run under any Node from 20 on.
import { existsSync } from 'node:fs';

const BUILT = new URL('../dist/cli.js', import.meta.url);

if (existsSync(BUILT)) await import(BUILT.href);
else {
  process.stderr.write(
    'The command has not been built yet. Run "npm ci" in the clone first, then run the command again.\n',
  );
  process.exitCode = 2;
}
