#!/usr/bin/env node
// Starts the migration command. Its sources are TypeScript, which Node 24 runs as they are; under an older Node the one that
// came with the package takes over. Works under any Node from 20 on, so nothing here is newer than that.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const NEWEST_NEEDED = 24;
const ENTRY = new URL('./cli.ts', import.meta.url);

if (Number(process.versions.node.split('.')[0]) >= NEWEST_NEEDED) await import(ENTRY.href);
else runWith(packagedNode());

function packagedNode() {
  try {
    const binary = createRequire(import.meta.url).resolve('node/bin/node');
    if (existsSync(binary)) return binary;
  } catch {
    // Installed without its development dependencies.
  }
  process.stderr.write(`This command needs Node ${NEWEST_NEEDED}; this is Node ${process.versions.node}. Run npm ci first.\n`);
  process.exit(2);
}

/** The channel ends with this process, however it ends, and the other one with the channel. */
function runWith(node) {
  const child = spawn(node, [fileURLToPath(ENTRY), ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // The terminal interrupts both at once; the other one says what there is to say.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
