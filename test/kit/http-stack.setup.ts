/** Starts the local stack once for every HTTP suite, and stops it when they are done. Its company acme is that of the sample. */
import { readFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { SAMPLE } from '../../lib/sandbox/sample.ts';
import { startStackOn } from './local-stack.ts';
import { testData } from './test-data.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sample = JSON.parse(readFileSync(SAMPLE, 'utf8')) as ReturnType<typeof testData>;
  const own = Object.entries(testData()) as [keyof typeof sample, object[]][];
  const stack = await startStackOn(Object.fromEntries(own.map(([kind, all]) => [kind, [...sample[kind], ...all]])));
  project.provide('baseUrl', stack.url);
  project.provide('database', { settings: stack.operator, table: stack.tableName });
  project.provide('intake', `${stack.url}/local/intake`);
  return () => stack.stop();
}
