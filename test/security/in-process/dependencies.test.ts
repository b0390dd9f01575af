/** The dependencies are pinned and justified, and run no scripts of their own at install. Costs milliseconds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

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
  readonly hasInstallScript?: boolean;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
const installed = Object.entries(packages).filter(([path]) => path !== '');

/** May run a script of their own at install; each is named with its reason in SECURITY.md. */
const INSTALL_SCRIPTS = ['@scarf/scarf', 'esbuild', 'node'];

it('every direct dependency has one exact version, and the lock file has that version', () => {
  const loose = Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
  expect(loose).toEqual([]);
  const drifted = Object.entries(direct).filter(
    ([name, version]) => packages[`node_modules/${name}`]?.version !== version,
  );
  expect(drifted).toEqual([]);
});

it('every installed package is pinned to its content', () => {
  const open = installed.filter(
    ([, { integrity, inBundle }]) => inBundle !== true && !integrity?.startsWith('sha512-'),
  );
  expect(open.map(([path]) => path)).toEqual([]);
});

it('every package comes from the registry', () => {
  const elsewhere = installed.filter(([, { resolved }]) => resolved !== undefined);
  expect(elsewhere.map(([path]) => path)).toEqual([]);
});

it('no package runs a script at install except those in the list', () => {
  const scripts = installed
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(scripts.filter((name) => !INSTALL_SCRIPTS.includes(name))).toEqual([]);
});

it('every direct dependency is justified in SECURITY.md', () => {
  const text = read('SECURITY.md');
  expect(Object.keys(direct).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  expect(INSTALL_SCRIPTS.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
