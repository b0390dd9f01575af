/** Starts the local stack once for every HTTP suite, on a free port of 127.0.0.1, and stops it when they are done. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startLocalStack } from '../../bin/local/stack.ts';
import { testData } from './test-data.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'migration-http-'));
  const data = join(folder, 'data.json');
  writeFileSync(data, JSON.stringify(testData()));
  const stack = await startLocalStack({ port: 0, data });
  project.provide('baseUrl', stack.url);
  return async () => {
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
