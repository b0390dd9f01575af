/** Starts the local stack once for the suites that go over HTTP, and stops it when they are done. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startLocalStack } from '../../../bin/local/stack.ts';
import { platformData } from './data.ts';

declare module 'vitest' {
  interface ProvidedContext {
    stackUrl: string;
    stackEndpoints: { readonly dynamodb: string; readonly kms: string; readonly table: string };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'migration-security-'));
  const data = join(folder, 'data.json');
  writeFileSync(data, JSON.stringify(platformData()));
  const stack = await startLocalStack({ port: 0, data });
  project.provide('stackUrl', stack.url);
  const { dynamodb, kms } = stack.endpoints;
  project.provide('stackEndpoints', { dynamodb, kms, table: stack.tableName });
  return async () => {
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
