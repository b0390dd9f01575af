import { readFileSync } from 'node:fs';
import { SAMPLE } from '../../lib/sandbox/sample.ts';
import { Shutdown, StartupFault } from './lifecycle.ts';
import { parseOptions } from './options.ts';
import { SAMPLE_CLIENT } from './sample-client.ts';
import { startLocalStack } from './stack.ts';

const LONGEST_STOP_MS = 8000;

const shutdown = new Shutdown();

let ending = false;

/** Ends the process once everything has stopped, or after eight seconds. The first call decides the exit code. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(code), LONGEST_STOP_MS).unref();
  await shutdown.stop();
  process.exit(code);
}

function sampleLine(): string {
  const { users } = JSON.parse(readFileSync(SAMPLE, 'utf8')) as { users: readonly Record<string, string>[] };
  const { company_id, email, password } = users.find(({ role }) => role === 'admin') ?? {};
  return `sample company ${company_id}, administrator ${email}, password ${password}`;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));
// The reader of the output may end first; the service keeps running.
process.stdout.on('error', () => undefined);

try {
  const options = parseOptions(process.argv.slice(2));
  const stack = await startLocalStack({ ...options, onMail: console.log }, shutdown);
  console.log(`the page: ${stack.url}/`);
  if (options.data === undefined) console.log(sampleLine());
  if (options.clientKey !== undefined)
    console.log(`client ${SAMPLE_CLIENT.client_id} of ${SAMPLE_CLIENT.company_id}, its key is in ${options.clientKey}`);
  console.log(`ready ${stack.url}`);
  const reason = await stack.failed;
  if (!ending) console.error(reason);
  await end(1);
} catch (error) {
  // A start that is interrupted fails at any of its steps.
  if (!ending)
    console.error(error instanceof StartupFault ? error.message : `the local stack cannot start: ${String(error)}`);
  await end(1);
}
