import { defineConfig } from 'vitest/config';

/** Deploys to a local AWS. Needs Python, so it is no part of `npm test`: `npm run test:deploy`, about eight minutes. */
export default defineConfig({
  test: {
    name: 'rehearsal',
    include: ['test/deploy/rehearsal/*.heavy.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
