/** Starts the local stack once for the suites that go over HTTP, and stops it when they are done. */
import type { TestProject } from 'vitest/node';
import { startStackOn } from '../../kit/local-stack.ts';
import { platformData } from './data.ts';

declare module 'vitest' {
  interface ProvidedContext {
    stackUrl: string;
    stackEndpoints: { readonly dynamodb: string; readonly kms: string; readonly table: string };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startStackOn(platformData());
  project.provide('stackUrl', stack.url);
  const { dynamodb, kms } = stack.endpoints;
  project.provide('stackEndpoints', { dynamodb, kms, table: stack.tableName });
  return () => stack.stop();
}
