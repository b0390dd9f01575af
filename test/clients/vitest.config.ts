import { defineConfig } from 'vitest/config';

/** Tests with generated clients, which are no part of `npm test`: `npm run test:clients`, about five minutes. */
export default defineConfig({
  test: {
    name: 'clients',
    include: ['test/clients/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
