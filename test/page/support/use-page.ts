/** What each test of the page needs: the local stack, a browser, and a folder for files. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import type { StackOptions } from '../../../bin/local/stack.ts';
import * as ENV from '../../../functions/runtime/variables.ts';
import { startBrowser } from '../../docs/browser.ts';
import { startLocalStack } from '../../kit/local-stack.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';

interface Started {
  readonly stack: { readonly url: string };
  readonly browser: Browser;
}

export interface PageUsed extends Started {
  /** Removed after the tests. */
  readonly folder: string;
}

/**
 * Starts them before the tests of a file, and ends them after. `shared`: the stack of all files that say so.
 *
 * @param variables of the environment of its functions, in place of the default settings
 */
export function usePage(
  options: StackOptions | 'shared' = {},
  variables: Readonly<Record<string, string>> = {},
): PageUsed {
  let started: Started | undefined;
  let stop: (() => Promise<void>) | undefined;
  const folder = temporaryFolder('migration-page');
  const present = (): Started => {
    if (started === undefined) throw new Error('The page is started before the first test.');
    return started;
  };
  beforeAll(async () => {
    const own = options === 'shared' ? undefined : await startLocalStack(options);
    const { functions = new Map(), url } = own ?? {};
    for (const each of functions.values()) each.inform({ [ENV.pageUrl]: `${url}/`, ...variables });
    stop = () => own?.stop() ?? Promise.resolve();
    started = { stack: own ?? { url: inject('pageUrl') }, browser: await startBrowser() };
  });
  afterAll(async () => {
    await started?.browser.close();
    await stop?.();
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
