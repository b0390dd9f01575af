import { parseArgs } from 'node:util';
import { StartupFault } from './lifecycle.ts';

export interface LocalOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly data?: string;
  /** Directory that keeps the data between runs; default: in memory. */
  readonly dir?: string;
  /** All function logs to stderr, not errors only. */
  readonly verbose: boolean;
}

const USAGE = 'usage: npm start -- [--port 3000] [--data FILE] [--dir DIR] [--verbose]';

const OPTIONS = {
  port: { type: 'string', default: '3000' },
  data: { type: 'string' },
  dir: { type: 'string' },
  verbose: { type: 'boolean', default: false },
} as const;

/** @throws StartupFault that names the option and the usage */
export function parseOptions(args: readonly string[]): LocalOptions {
  const { port, data, dir, verbose } = parse(args);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new StartupFault(`--port must be 0 to 65535 (${USAGE})`);
  if (data === '') throw new StartupFault(`--data must name a file (${USAGE})`);
  if (dir === '') throw new StartupFault(`--dir must name a directory (${USAGE})`);
  return {
    port: Number(port),
    verbose,
    ...(data === undefined ? {} : { data }),
    ...(dir === undefined ? {} : { dir }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const [problem = 'unknown option'] = (error as Error).message.split('\n');
    throw new StartupFault(`${problem} (${USAGE})`);
  }
}
