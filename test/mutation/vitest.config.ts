/**
 * `npm run test:mutation` (`main.ts`): Stryker changes one expression of `functions/records` and `functions/imports` at a time and runs the
 * tests that cover it; a change that no test notices shows a missing assertion. By hand, about half an hour on two cores.
 */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/{records,imports,dynamodb}/**/*.test.ts'],
    setupFiles: ['test/kit/seed.setup.ts'],
    testTimeout: 30_000,
  },
});
