/** The page where a service is away or busy, a session ends or a tab closes. Costs half a minute; needs Chromium. */
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { historyOf, Person } from './person.ts';
import { startFaulty } from './support/faulty.ts';
import { usePage } from './support/use-page.ts';
import type { Serving } from '../kit/serve.ts';

let faulty: Serving;
const used = usePage();

beforeAll(async () => {
  faulty = await startFaulty(used.stack.url);
});
afterAll(() => faulty?.stop());

it('two tabs import the same file at the same time: each renews its session once, both end, and nothing is applied twice', async () => {
  const context = await used.browser.newContext();
  const file = { name: 'two.csv', text: historyOf('two', 1500) };
  const tabs = await Promise.all([Person.visit(context, faulty.url), Person.visit(context, faulty.url)]);
  const renewed = await Promise.all(
    tabs.map(async (tab) => {
      await tab.signIn();
      await tab.toCheck(file);
      return refusingFirstToken(tab.page);
    }),
  );
  await Promise.all(tabs.map((tab) => tab.importAll()));
  const counts = await Promise.all(tabs.map((tab) => tab.counts()));
  const sumOf = (name: string): number => counts.reduce((sum, each) => sum + (each[name] ?? 0), 0);
  expect([sumOf('applied'), sumOf('unchanged'), sumOf('rejected')]).toEqual([1500, 1500, 0]);
  expect(renewed.map(({ count }) => count)).toEqual([1, 1]);
  expect(tabs.flatMap(({ complaints }) => complaints)).toEqual([]);
  await context.close();
});

/** From now on the service refuses the token that the tab has; @returns how often the tab has asked for another one */
async function refusingFirstToken(page: Page): Promise<{ readonly count: number }> {
  const renewals = { count: 0 };
  let refused: string | undefined;
  await page.route('**/v1/migrations/**', async (route) => {
    const { authorization } = route.request().headers();
    refused ??= authorization;
    if (authorization !== refused) return route.continue();
    return route.fulfill({ status: 401, json: { errors: [{ error_code: 'unauthorized', message: 'expired' }] } });
  });
  page.on('response', (response) => {
    if (response.url().endsWith('/refresh-token') && response.ok()) renewals.count += 1;
  });
  return renewals;
}

/** Calls `then` once, when the page is about to have its plan applied; not when it tries that again. */
async function beforeApplication({ page }: Person, then: () => void): Promise<void> {
  const applying = (route: Route) => {
    then();
    return route.fallback();
  };
  await page.route('**/plan/apply', applying, { times: 1 });
}

it('a service that cannot be reached in the middle of an import is waited for, and the page says so', async () => {
  const person = await Person.signedIn(used.browser, faulty.url);
  await person.toCheck({ name: 'away.csv', text: historyOf('away', 1200) });
  let isAway = false;
  await person.page.route(/\/v1\/|\/refresh-token/, (route) => (isAway ? route.abort() : route.continue()));
  await beforeApplication(person, () => (isAway = true));
  await person.startImport();
  await person.page.getByText('tries again in').waitFor();
  isAway = false;
  await person.isAt('Result');
  expect(await person.counts()).toMatchObject({ applied: 1200, unchanged: 0, rejected: 0 });
  await person.page.close();
});

it('a quota that is used up is waited out, and the page says so', async () => {
  const person = await Person.signedIn(used.browser, faulty.url);
  let refusals = 0;
  await person.page.route('**/imports', async (route) => {
    if (route.request().method() !== 'POST' || refusals === 2) return route.continue();
    refusals += 1;
    const errors = [{ error_code: 'too_many_requests', message: 'The quota of this hour is used up.' }];
    return route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json: { errors } });
  });
  await person.choose({ name: 'quota.csv', text: historyOf('quota', 40) });
  await person.press('Continue');
  await person.page.getByText('tries again in').waitFor();
  await person.isChecked();
  await person.press(/^Import 40 records$/);
  await person.isAt('Result');
  expect([refusals, (await person.counts())['applied']]).toEqual([2, 40]);
  await person.page.close();
});

it('a session that ends in the middle of an import: the import continues after signing in again', async () => {
  const person = await Person.visit(used.browser, faulty.url);
  let isOver = false;
  const over = { status: 401, json: { errors: [{ error_code: 'unauthorized', message: 'over' }] } };
  for (const path of ['**/v1/migrations/**', '**/refresh-token'])
    await person.page.route(path, (route) => (isOver ? route.fulfill(over) : route.continue()));
  await person.signIn();
  await person.isAtFile();
  await person.toCheck({ name: 'middle.csv', text: historyOf('middle', 1500) });
  await beforeApplication(person, () => (isOver = true));
  await person.startImport();
  await person.page.getByText('Your session has ended.').waitFor();
  isOver = false;
  await person.signIn();
  await person.isAt('Result');
  expect(await person.counts()).toMatchObject({ applied: 1500, unchanged: 0, rejected: 0 });
  await person.page.close();
});

it.each([1, 2, 3, 5, 8])(
  'a tab that is killed at its request number %d to import or to follow: the same file has each record once',
  async (last) => {
    const context = await used.browser.newContext();
    const file = { name: `killed-${last}.csv`, text: historyOf(`killed-${last}`, 1200) };
    const first = await Person.signedIn(context, faulty.url);
    await first.toCheck(file);
    let requests = 0;
    const killed = new Promise<void>((resolve) => {
      void first.page.route('**/progress/runs/**', async (route) => {
        requests += 1;
        if (requests < last) return route.continue();
        if (requests === last) resolve();
        // Every second one is sent, and its response is lost with the tab.
        return last % 2 === 0 ? route.continue() : route.abort();
      });
    });
    await first.startImport();
    await killed;
    await first.page.close({ runBeforeUnload: false });
    const second = await Person.signedIn(context, faulty.url);
    await second.toCheck(file);
    await second.importAll();
    const { applied = 0, unchanged = 0, rejected } = await second.counts();
    expect([applied + unchanged, rejected]).toEqual([1200, 0]);
    await context.close();
  },
);

it('a planted script in each cell, title and message is shown as text', async () => {
  const script = '<img src=x onerror="window.planted=1"><script>window.planted=1</script>';
  const person = await Person.signedIn(used.browser, used.stack.url);
  const cells = [script, `=cmd|'/c calc'!A0`, '\u202Egpj.exe', 'javascript:alert(1)'];
  const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
  const text = [
    ['E-mail', 'Course', 'Progress', `Note ${script}`].map(quoted).join(','),
    ...cells.map((cell, row) => [`nobody${row}@acme.test`, cell, '50 %', cell].map(quoted).join(',')),
    'nobody@acme.test,101,50 %,fine',
    'ben.castillo@acme.test,102,50 %,fine',
  ].join('\n');
  await person.toReview({ name: '<img src=x onerror=planted>.csv', text });
  await person.confirmSuggestions();
  await person.isChecked();
  await person.page.getByText('The rows', { exact: true }).click();
  await person.page.getByRole('region', { name: 'The rows' }).waitFor();
  expect(await person.page.evaluate(() => 'planted' in window)).toBe(false);
  expect(await person.page.getByText(String.raw`\u202egpj.exe`, { exact: false }).count()).toBeGreaterThan(0);
  expect(person.complaints).toEqual([]);
  await person.page.close();
});

it('a worker that is stuck in a file is ended after two minutes, and the page says what to do', async () => {
  const context = await used.browser.newContext();
  await context.clock.install();
  const person = await Person.signedIn(context, used.stack.url);
  const [worker] = person.page.workers();
  let isEnded = false;
  worker?.once('close', () => (isEnded = true));
  // In a task of the worker's own: Chromium waits for a task of its debugger, and never stops it.
  await worker?.evaluate('void setTimeout(() => { for (;;); })');
  const buffer = Buffer.from(historyOf('stuck', 10));
  await person.page.getByLabel('Files').setInputFiles([{ name: 'stuck.csv', mimeType: '', buffer }]);
  await person.page.clock.runFor(150_000);
  await person.page.getByText('more work than it can end').first().waitFor();
  await expect.poll(() => isEnded).toBe(true);
  await context.close();
});
