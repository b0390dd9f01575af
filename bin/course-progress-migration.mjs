#!/usr/bin/env node
// Starts the migration command as `npm ci` (or `npm run prepare`) has built it. Must itself run under any Node from 20 on.
import { existsSync } from 'node:fs';

const BUILT = new URL('../dist/cli.js', import.meta.url);

if (existsSync(BUILT)) await import(BUILT.href);
else {
  process.stderr.write(
    'The command has not been built yet. Run "npm ci" in the clone first, then run the command again.\n',
  );
  process.exitCode = 2;
}
