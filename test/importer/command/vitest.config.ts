import { defineConfig } from 'vitest/config';

/**
 * The command against the local stack, as people run it: `npm run test:cli`, about six minutes on two cores.
 * CLI_ROWS sets the size of the export (default 5000 rows).
 */
export default defineConfig({
  test: {
    name: 'cli',
    include: ['test/importer/command/heavy/**/*.heavy.ts'],
    globalSetup: 'test/importer/command/support/build.setup.ts',
    fileParallelism: false,
    testTimeout: 60 * 60_000,
    hookTimeout: 10 * 60_000,
  },
});
