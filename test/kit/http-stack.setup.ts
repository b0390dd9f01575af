/** Starts the local stack once for every HTTP suite, and stops it when they are done. */
import type { TestProject } from 'vitest/node';
import { startStackOn } from './local-stack.ts';
import { testData } from './test-data.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startStackOn(testData());
  project.provide('baseUrl', stack.url);
  project.provide('database', { settings: stack.operator, table: stack.tableName });
  return () => stack.stop();
}
