/** The build that every start and every suite shares. Reads sources; builds only if no earlier start or suite did. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtStack, stackSources } from '../../bin/local/built-stack.ts';
import { functionSources } from '../../lib/function-sources.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(ROOT, file), 'utf8').matchAll(/^(?:import|export|\}).*?from '([^']+)'|import\('([^']+)'\)/gm),
  ].map(([, fixed, dynamic]) => fixed ?? dynamic ?? '');

/** The files that these files import, directly or over others, and the names of the packages. */
function reachedFrom(files: readonly string[]): { files: Set<string>; packages: Set<string> } {
  const reached = { files: new Set<string>(), packages: new Set<string>() };
  const visit = (file: string): void => {
    if (reached.files.has(file)) return;
    reached.files.add(file);
    if (!file.endsWith('.ts')) return;
    for (const specifier of importsOf(file))
      if (specifier.startsWith('.')) visit(relative(ROOT, join(ROOT, dirname(file), specifier)));
      else reached.packages.add(specifier);
  };
  files.forEach(visit);
  return reached;
}

describe('the build of the local stack', () => {
  it('the build runs again if any file changes that bundles or template are made of', () => {
    const { files } = reachedFrom([...functionSources().values(), 'bin/local/build-stack.ts']);
    const sources = stackSources();
    expect([...files].filter((file) => !sources.includes(file))).toEqual([]);
    expect(sources).toEqual(expect.arrayContaining(['package-lock.json', 'bin/build/unused-sdk-parts.ts']));
  });

  it('a start loads neither esbuild nor the CDK', () => {
    const { packages } = reachedFrom(['bin/local/main.ts']);
    expect([...packages].filter((name) => /^(esbuild|rolldown|aws-cdk-lib|constructs|cdk-nag)/.test(name))).toEqual([]);
    expect([...packages]).toContain('fauxqs');
  });

  it('the build has a bundle for each function, which a second call does not write again', async () => {
    const { bundles, template } = await builtStack();
    expect(template.Resources).not.toEqual({});
    const files = [...functionSources().keys()].map((name) => join(bundles, name, 'index.mjs'));
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    const written = files.map((file) => statSync(file).mtimeMs);
    expect((await builtStack()).bundles).toBe(bundles);
    expect(files.map((file) => statSync(file).mtimeMs)).toEqual(written);
  });
});
