/** `npm start`: the whole service on this machine. */
import { parseOptions } from './local/options.ts';
import { onParentGone } from './local/parent-watch.ts';
import { sampleLines } from './local/sample-lines.ts';
import { Shutdown } from './local/shutdown.ts';
import { SAMPLE, startLocalStack } from './local/stack.ts';
import { StartupFault } from './local/startup-fault.ts';

const LONGEST_STOP_MS = 8000;

const shutdown = new Shutdown();

let ending = false;

/** Ends the process once everything is stopped; nothing that hangs may keep it. Who comes first decides the code. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(code), LONGEST_STOP_MS).unref();
  await shutdown.stop();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));
if (process.env['npm_lifecycle_event'] !== undefined) onParentGone(() => void end(0));
// Whoever reads the output may go away; the service stays.
process.stdout.on('error', () => undefined);

try {
  const options = parseOptions(process.argv.slice(2));
  const stack = await startLocalStack(options, shutdown);
  if (options.data === undefined) console.log(sampleLines(SAMPLE, stack.url).join('\n'));
  console.log(`ready ${stack.url}`);
  const reason = await stack.failed;
  if (!ending) console.error(reason);
  await end(1);
} catch (error) {
  // A start that was interrupted fails somewhere; that is nobody's concern.
  if (!ending)
    console.error(error instanceof StartupFault ? error.message : `the local stack cannot start: ${String(error)}`);
  await end(1);
}
