/** Other versions of Node and npm, with which a test runs this project as others do. Needs the network. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { skipped } from '../kit/skipped.ts';

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/first-start');
export const NODES = ['20.20.2', '22.23.3', '24.21.0'] as const;
export const NPMS = ['10.9.9', '11.21.2'] as const;

/** The `node_modules` with this package. Tests at the same time may each install it: the first one counts. */
function installed(name: string, version: string): string {
  const folder = join(CACHE, `${name}-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true });
    const own = mkdtempSync(`${folder}-`);
    const quietly = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
    execFileSync('npm', ['install', '--prefix', own, ...quietly, `${name}@${version}`], { stdio: 'pipe' });
    if (existsSync(folder)) rmSync(own, { recursive: true });
    else renameSync(own, folder);
  }
  return join(folder, 'node_modules');
}

const platform = process.platform === 'win32' ? 'win' : process.platform;
const NODE = `node-${platform}-${process.arch}`;
const nodeOf = (version: string): string => join(installed(NODE, version), NODE, 'bin');
const npmOf = (version: string): string => join(installed('npm', version), '.bin');

export function canInstall(): boolean {
  try {
    for (const version of NODES) nodeOf(version);
    for (const version of NPMS) npmOf(version);
    return true;
  } catch {
    skipped('npm cannot fetch other versions of Node and of itself.');
    return false;
  }
}

/** Without the variables that npm sets for this test, and without the commands of this project. */
const OF_THIS_RUN = /^(?:npm_|NODE_(?!EXTRA_CA_CERTS))/i;
const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_THIS_RUN.test(name)));
const PATHS = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));

/** As a developer has it in a shell with this Node and this npm. */
export function environmentOf(node: string, npm: string): NodeJS.ProcessEnv {
  return { ...ENVIRONMENT, PATH: [nodeOf(node), npmOf(npm), ...PATHS].join(delimiter) };
}
