/** Every suite as a release runs it: whole, where CI runs a share (docs/contribute.md). */

export interface Run {
  readonly command: string;
  readonly env?: Readonly<Record<string, string>>;
}

export const RUNS: readonly Run[] = [
  // Each script of package.json, and the long suites with a share.
  { command: '.ci/run' },
  { command: 'npm run test:long' },
  { command: 'npm run test:security -- --long' },
  { command: 'npm run test:security -- --secrets' },
  { command: 'npm run test:cli' },
  { command: 'npm run test:docs' },
  { command: 'npm run test:page', env: { AT_LENGTH: '1', BIG: '1' } },
  { command: 'npm run test:clients', env: { EVERY_NPM: '1' } },
  { command: 'npm run test:deploy' },
  { command: 'npm run test:crash' },
  { command: 'npm run test:specification -- --large' },
  { command: 'npm run test:traces' },
  { command: 'npm run test:traces -- --variants' },
  { command: 'npm run openapi -- compare' },
  { command: 'node bin/run.mjs test/kit/memory-table/dynamodb-local.ts' },
];

/** As a person types it. */
export const typed = ({ command, env = {} }: Run): string =>
  [...Object.entries(env).map(([name, value]) => `${name}=${value}`), command].join(' ');
