import { defineConfig } from 'vitest/config';

/**
 * The command against the local stack, as people run it: `npm run test:cli`, about three minutes. CLI_ROWS sets the size of
 * the export (10000 if nothing is said); the figures that are published are those of 100000.
 */
export default defineConfig({
  test: {
    name: 'cli',
    include: ['test/cli/heavy/**/*.heavy.ts'],
    globalSetup: 'test/cli/support/build.setup.ts',
    fileParallelism: false,
    testTimeout: 60 * 60_000,
    hookTimeout: 10 * 60_000,
  },
});
