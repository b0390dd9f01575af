/** The security suites, apart from the unit tests: `npm run test:security`, with `-- --long` for the long run. */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const HOUR_MS = 3_600_000;

export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    testTimeout: HOUR_MS,
    hookTimeout: 120_000,
    disableConsoleIntercept: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'in-process',
          include: ['test/security/in-process/**/*.test.ts'],
          experimental: { viteModuleRunner: false },
        },
      },
      // Each suite has a stack of its own, because hostile logins block their own address.
      ...['matrix', 'hostile'].map((suite) => ({
        extends: true as const,
        test: {
          name: `over-http-${suite}`,
          include: [`test/security/over-http/${suite}.test.ts`],
          globalSetup: 'test/security/support/stack.setup.ts',
        },
      })),
    ],
  },
});
