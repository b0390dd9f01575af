/** Starts the local stack once for the suites that go over HTTP, and stops it when they are done. */
import type { TestProject } from 'vitest/node';
import type { ClientSettings } from '../../../bin/local/endpoints.ts';
import { startStackOn } from '../../kit/local-stack.ts';
import { platformData } from './data.ts';

declare module 'vitest' {
  interface ProvidedContext {
    stackUrl: string;
    stackEngines: { readonly operator: ClientSettings; readonly table: string };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startStackOn(platformData());
  project.provide('stackUrl', stack.url);
  project.provide('stackEngines', { operator: stack.operator, table: stack.tableName });
  return () => stack.stop();
}
