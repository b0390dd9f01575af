/** The unit tests of the protocol with one file of it changed (`main.ts`). */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { mutatedFile, PROJECT } from './mutated-file.ts';

const { path, text, isAlone } = mutatedFile();
const TESTS =
  'test/{imports/**/*,reverts/**/*,erasure/**/*,jobs/**/*,handlers/{process-chunk,watchdog,cancel-import,faults},platform/erase-user,kit/memory-table/contract,dynamodb/conditions}.test.ts';
/** These replace modules, so they share a process with no other file. */
const replacing = globSync(TESTS, { cwd: PROJECT }).filter((file) =>
  readFileSync(join(PROJECT, file), 'utf8').includes('vi.mock('),
);

export default defineConfig({
  root: PROJECT,
  plugins: [{ name: 'mutant', enforce: 'pre', load: (id) => (id === path ? text : undefined) }],
  test: {
    include: [TESTS],
    exclude: isAlone ? [] : replacing,
    setupFiles: ['test/kit/seed.setup.ts'],
    testTimeout: 20_000,
    isolate: false,
    maxWorkers: 1,
  },
});
