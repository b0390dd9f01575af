import { defineConfig } from 'vitest/config';

/** The page in Chromium, beside the local stack: `npm run test:page`, five minutes. */
export default defineConfig({
  test: {
    name: 'page',
    include: ['test/page/**/*.test.ts'],
    globalSetup: ['test/importer/command/support/build.setup.ts', 'test/page/support/stack.setup.ts'],
    fileParallelism: false,
    // What is waited for comes late on a busy machine; a test has a limit of its own.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 480_000,
    hookTimeout: 240_000,
  },
});
