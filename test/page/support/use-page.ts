/** What each test of the page needs: the local stack, a browser, and a folder for files. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type LocalStack, type StackOptions, startLocalStack } from '../../../bin/local/stack.ts';
import { startBrowser } from '../../docs/browser.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';

interface Started {
  readonly stack: LocalStack;
  readonly browser: Browser;
}

export interface PageUsed extends Started {
  /** Removed after the tests. */
  readonly folder: string;
}

/** Starts them before the tests of a file, and ends them after. */
export function usePage(options: StackOptions = {}): PageUsed {
  let started: Started | undefined;
  const folder = temporaryFolder('migration-page');
  const present = (): Started => {
    if (started === undefined) throw new Error('The page is started before the first test.');
    return started;
  };
  beforeAll(async () => {
    const [stack, browser] = await Promise.all([startLocalStack(options), startBrowser()]);
    started = { stack, browser };
  });
  afterAll(async () => {
    await started?.browser.close();
    await started?.stack.stop();
  });
  return {
    folder,
    get stack() {
      return present().stack;
    },
    get browser() {
      return present().browser;
    },
  };
}
