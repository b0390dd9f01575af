/** The stack that suites share of which none minds what others import. */
import type { TestProject } from 'vitest/node';
import { startLocalStack } from '../../kit/local-stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly pageUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startLocalStack();
  project.provide('pageUrl', stack.url);
  return () => stack.stop();
}
