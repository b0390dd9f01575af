import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { AT_LENGTH } from './test/kit/at-length.ts';

/** Suites that drive the running stack over HTTP share one, each with a company of its own; all others are on their own. */
const OVER_HTTP = 'test/over-http/**/*.test.ts';

/** All others but the suites that have a config of their own. */
const PARTS = 'test/!(over-http|docs|clients|page|security)/**/*.test.ts';

/** Test files with their texts. */
const filesOf = (glob: string) => globSync(glob).map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const parts = filesOf(PARTS);
/** The files that import this or call that. */
const filesWith = (text: RegExp, files = parts): string[] =>
  files.filter((each) => text.test(each.text)).map(({ file }) => file);

/** Files that start a stack of their own, of which threads may outlive the file: some of them at length only. */
const STACKS = filesWith(
  AT_LENGTH ? /local-stack\.ts'|local\/stack\.ts'/ : /from '.*(?:local-stack|local\/stack)\.ts'/,
);
/** Those, and files that replace modules of their own. */
const ALONE = [...filesWith(/\bvi\.mock\(/), ...STACKS];
/** Nothing of these runs otherwise. */
const ONLY_AT_LENGTH = new Set(filesWith(/^describe\.runIf\(AT_LENGTH\)/m).filter((file) => STACKS.includes(file)));
/** With AT_LENGTH=1, only the files that prove more then. */
const AT_LENGTH_TOO = /kit\/at-length\.ts'/;
const INCLUDED = AT_LENGTH ? filesWith(AT_LENGTH_TOO) : [PARTS];
const included = (files: readonly string[]) =>
  files.filter((file) => (AT_LENGTH ? INCLUDED.includes(file) : !ONLY_AT_LENGTH.has(file)));

const part = {
  maxWorkers: availableParallelism(),
  sequence: { groupOrder: 1 },
  // A worker loads a module once, for all files that it runs: that halves the processor time of a run.
  isolate: false,
  // Node itself loads the modules and strips their types: nothing is transformed in between.
  experimental: { viteModuleRunner: false },
} as const;

export default defineConfig({
  test: {
    // What is waited for comes late on a busy machine. A limit ends what hangs: no test says by it how fast something is.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: AT_LENGTH ? 600_000 : 300_000,
    hookTimeout: 300_000,
    setupFiles: ['test/kit/seed.setup.ts'],
    projects: [
      { extends: true, test: { ...part, name: 'parts', include: INCLUDED, exclude: ALONE } },
      { extends: true, test: { ...part, name: 'parts alone', include: included(ALONE), isolate: true } },
      {
        extends: true,
        test: {
          ...part,
          name: 'http',
          sequence: { groupOrder: 0 },
          include: AT_LENGTH ? filesWith(AT_LENGTH_TOO, filesOf(OVER_HTTP)) : [OVER_HTTP],
          globalSetup: 'test/kit/http-stack.setup.ts',
        },
      },
    ],
  },
});
