/** The dependencies are pinned and justified, and run no scripts of their own at install. Costs two seconds. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockedFolders, signaturesIn } from '../supply-chain.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
}
interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly inBundle?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly os?: string;
  readonly cpu?: string;
  readonly engines?: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const lockedIn = (folder: string): Record<string, Locked> =>
  (JSON.parse(read(join(folder, 'package-lock.json'))) as { packages: Record<string, Locked> }).packages;
const packages = lockedIn('.');
const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };

it('every direct dependency has one exact version, and the lock file has that version', () => {
  const loose = Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
  expect(loose).toEqual([]);
  const drifted = Object.entries(direct).filter(
    ([name, version]) => packages[`node_modules/${name}`]?.version !== version,
  );
  expect(drifted).toEqual([]);
});

describe('what the tools of npm are pinned to', () => {
  it('the service and each tool that CI installs have a lock file', () => {
    const tools = ['bin/local/engine/dynamodb-local', 'test/clients/linters', 'test/security/expressions'];
    expect(lockedFolders()).toEqual(['.', ...tools]);
  });

  it.each(lockedFolders())('every package that the lock file of %s installs is pinned to its content', (folder) => {
    const locked = Object.entries(lockedIn(folder)).filter(([path]) => path !== '');
    const open = locked.filter(([, { integrity, inBundle }]) => inBundle !== true && !integrity?.startsWith('sha512-'));
    expect(open.map(([path]) => path)).toEqual([]);
    const elsewhere = locked.filter(([, { resolved }]) => resolved !== undefined);
    expect(elsewhere.map(([path]) => path)).toEqual([]);
  });

  it('what npm installs beside a lock file has an exact version, and is Node or npm itself', () => {
    const files = globSync(['{bin,docs,test}/**/*.ts', 'package.json'], { cwd: PROJECT, exclude: ['**/node_modules'] });
    const installing = files.filter((file) =>
      /'npm',\s*\[\s*'(?:install|exec)'|npm ex[e]c |npx --y[e]s/.test(read(file)),
    );
    expect(installing.filter((file) => !OTHER_NODES.includes(file))).toEqual([]);
    for (const file of OTHER_NODES) expect(read(file)).toMatch(/'\d+\.\d+\.\d+'|\}@\d+\.\d+\.\d+/);
  });
});

/** Tests that start this project with another Node or npm. */
const OTHER_NODES = ['test/importer/command/heavy/package.heavy.ts', 'test/clients/nodes.ts'];

const REQUIREMENTS = globSync('**/requirements*.txt', { cwd: PROJECT, exclude: ['**/node_modules'] });

it.each(REQUIREMENTS)('every Python package of %s has one version and the hashes of its files', (file) => {
  const lines = read(file).replaceAll('\\\n', ' ').split('\n');
  const pins = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  expect(pins.length).toBeGreaterThan(0);
  expect(pins.filter((line) => !/^[\w.-]+==[\w.]+(?: +--hash=sha256:[0-9a-f]{64})+ *$/.test(line))).toEqual([]);
});

it('pip accepts a package by its hash alone', () => {
  const installing = globSync('{bin,docs,test}/**/*.ts', { cwd: PROJECT, exclude: ['**/node_modules'] });
  expect(installing.filter((file) => /commands, .pi[p]'/.test(read(file)))).toEqual(['test/kit/python-tools.ts']);
  expect(read('test/kit/python-tools.ts')).toContain("'--require-hashes'");
});

describe('what npm runs at install', () => {
  /** The scripts that ran when a project with our settings installed a dependency that has one of each. */
  function ran(...options: readonly string[]): string[] {
    const project = mkdtempSync(join(tmpdir(), 'install-scripts-'));
    const write = (name: string) => `node -e "fs.writeFileSync(path.join('${project}', '${name}'), '')"`;
    const names = ['preinstall', 'install', 'postinstall', 'prepare'];
    const planted = { preinstall: write('preinstall'), install: write('install'), postinstall: write('postinstall') };
    const manifests = {
      'planted/package.json': { name: 'planted', version: '1.0.0', scripts: planted },
      'package.json': { dependencies: { planted: 'file:planted' }, scripts: { prepare: write('prepare') } },
    };
    mkdirSync(join(project, 'planted'));
    for (const [file, manifest] of Object.entries(manifests))
      writeFileSync(join(project, file), JSON.stringify(manifest));
    copyFileSync(join(PROJECT, '.npmrc'), join(project, '.npmrc'));
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
    const args = ['install', '--offline', '--no-audit', ...options];
    execFileSync('npm', args, { cwd: project, env, stdio: 'pipe', shell: process.platform === 'win32' });
    const those = names.filter((name) => existsSync(join(project, name)));
    rmSync(project, { recursive: true, force: true });
    return those;
  }

  it('no script of a dependency or of the project runs with the settings of the project', () => {
    expect(ran()).toEqual([]);
    expect(ran('--ignore-scripts=false')).toEqual(['preinstall', 'install', 'postinstall', 'prepare']);
  });

  it('the lock file has the program of Node for every platform, which no script fetches', () => {
    const programs = Object.values(packages).filter(({ bin }) => bin?.['node'] !== undefined);
    const platforms = ['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64', 'win32 x64'];
    expect(programs.map(({ os, cpu }) => `${os} ${cpu}`).toSorted()).toEqual(platforms);
  });

  it('npm installs the program for a Node only that cannot run the scripts: write it into the lock file again', () => {
    const programs = Object.entries(packages).filter(([, { bin }]) => bin?.['node'] !== undefined);
    const others = programs.filter(([, { engines }]) => engines?.['node'] !== '<22.18.0');
    expect(others.map(([path]) => path)).toEqual([]);
  });
});

it('every direct dependency is justified in SECURITY.md', () => {
  const text = read('SECURITY.md');
  expect(Object.keys(direct).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

it.each([
  [
    '{"invalid":[],"missing":[]}',
    '',
    'invalid: 0; NOT CHECKED, because the registry has no signature of them: 0',
    true,
  ],
  ['{"invalid":[{"name":"a","version":"1.0.0"}],"missing":[]}', '', 'invalid: 1 a@1.0.0;', false],
  ['{"invalid":[],"missing":[{"name":"b","version":"2.0.0"}]}', '', 'of them: 1 b@2.0.0', true],
  [
    '{"error":{"code":"ENOTFOUND","summary":"request to https://x failed"}}',
    '',
    'NOT CHECKED: request to https://x',
    true,
  ],
  ['', 'spawnSync npm ETIMEDOUT', 'NOT CHECKED: spawnSync npm ETIMEDOUT', true],
  ['', '', 'NOT CHECKED: npm printed nothing', true],
])('of signatures npm printed %j %j: %s', (stdout, stderr, text, isGood) => {
  const found = signaturesIn(stdout, stderr);
  expect([found.text, found.isGood]).toEqual([expect.stringContaining(text), isGood]);
});
