import { defineConfig } from 'vitest/config';

/** The documents against the local stack: `npm run test:docs`, half a minute. */
export default defineConfig({
  test: {
    name: 'docs',
    include: ['test/docs/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
