import { defineConfig } from 'vitest/config';

/** Tests that need a browser or Python, and so are no part of `npm test`: `npm run test:docs`, about three minutes. */
export default defineConfig({
  test: {
    name: 'docs',
    include: ['test/docs/**/*.test.ts', 'test/importer/engine/chromium/*.heavy.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
