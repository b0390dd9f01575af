import { parseArgs } from 'node:util';
import { StartupFault } from './lifecycle.ts';

export type LocalOptions = Readonly<ReturnType<typeof parseOptions>>;

const USAGE = 'usage: npm start -- [--port 3000] [--data FILE] [--dir DIR [--reset]] [--client-key FILE] [--verbose]';

const OPTIONS = {
  /** 0 for any free port. */
  port: { type: 'string', default: '3000' },
  data: { type: 'string' },
  /** Directory that keeps the data between runs; default: in memory. */
  dir: { type: 'string' },
  /** Empties the data of the directory first. */
  reset: { type: 'boolean', default: false },
  /** The private key of a client of the sample, which is made if there is no such file. */
  'client-key': { type: 'string' },
  /** All function logs to stderr, not errors only. */
  verbose: { type: 'boolean', default: false },
} as const;

/** @throws StartupFault that names the option and the usage */
export function parseOptions(args: readonly string[]) {
  const { port, data, dir, reset, verbose, 'client-key': clientKey } = parse(args);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new StartupFault(`--port must be 0 to 65535 (${USAGE})`);
  if (data === '') throw new StartupFault(`--data must name a file (${USAGE})`);
  if (dir === '') throw new StartupFault(`--dir must name a directory (${USAGE})`);
  if (reset && dir === undefined) throw new StartupFault(`--reset empties the data of --dir (${USAGE})`);
  if (clientKey === '') throw new StartupFault(`--client-key must name a file (${USAGE})`);
  if (clientKey !== undefined && data !== undefined)
    throw new StartupFault(`--client-key is for the sample: a file of --data names its own clients (${USAGE})`);
  return { port: Number(port), data, dir, reset, verbose, clientKey };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const [problem = 'unknown option'] = (error as Error).message.split('\n');
    throw new StartupFault(`${problem} (${USAGE})`);
  }
}
