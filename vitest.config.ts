import { defineConfig } from 'vitest/config';

/** Suites that drive the running stack over HTTP share one; all others are on their own. */
const OVER_HTTP = ['test/over-http/**/*.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    setupFiles: ['test/kit/seed.setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
          include: [
            'test/{shared,runtime,records,dynamodb,catalog,auth,jobs,imports,reverts,erasure,platform,services,http,handlers,lib,local,importer,cli,client,waves}/**/*.test.ts',
            'test/{architecture,kit,bench,simulation,scale,formats,reference,deploy}/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'http',
          include: OVER_HTTP,
          globalSetup: 'test/kit/http-stack.setup.ts',
          maxWorkers: 1,
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
});
