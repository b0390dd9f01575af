/**
 * The page where things go wrong: a service that is away or busy, a session that ends, a tab that is closed. Nothing is lost, and
 * nothing is sent twice. Costs half a minute; needs Chromium.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalStack, startLocalStack } from '../../bin/local/stack.ts';
import { startBrowser } from '../docs/browser.ts';
import { Person } from './person.ts';

let stack: LocalStack;
let faulty: LocalStack;
let browser: Browser;

const FAULTS = { slow: 50, 429: 0.1, 503: 0.15, 'lost-reply': 0.1, seed: 7 };

beforeAll(async () => {
  [stack, faulty, browser] = await Promise.all([
    startLocalStack(),
    startLocalStack({ faults: FAULTS }),
    startBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([stack?.stop(), faulty?.stop()]);
});

const LEARNERS = ['ben.castillo', 'chiara.romano', 'dmitri.volkov', 'elif.yilmaz', 'farid.haddad'];

/** Records as the interface has them, in several batches. */
const history = (name: string, rows: number): string =>
  [
    'external_record_id,user.email,content.platform_course_id,progress.completion_pct',
    ...Array.from(
      { length: rows },
      (_, row) => `${name}-${row},${LEARNERS[row % LEARNERS.length]}@acme.test,${101 + (row % 3)},${row % 100}`,
    ),
  ].join('\n');

it('a service that refuses, delays and loses replies is waited for', async () => {
  const person = await Person.visit(browser, faulty.url);
  await person.signIn();
  await person.isAt('File');
  await person.toCheck({ name: 'faults.csv', text: history('faults', 1200) });
  await person.importAll();
  expect(await person.counts()).toMatchObject({ applied: 1200, rejected: 0 });
  expect(person.complaints).toEqual([]);
  await person.page.close();
}, 120_000);

it('a tab that is closed in the middle of an import: the same file resumes it, and nothing is applied twice', async () => {
  const context = await browser.newContext();
  const first = await Person.visit(context, stack.url);
  await first.signIn();
  const file = { name: 'closed.csv', text: history('closed', 3000) };
  await first.toCheck(file);
  await first.press('Check');
  await first.press('Continue');
  await first.press(/^Import [\d,]+ records$/);
  await first.page.getByText(/^Sent: (?!0)/).waitFor();
  await first.page.close({ runBeforeUnload: false });

  const second = await Person.visit(context, stack.url);
  await second.signIn();
  await second.choose(file);
  await second.press('Resume the import');
  await second.isAt('Import');
  await second.press('Resume the import');
  await second.isAt('Result');
  expect(await second.counts()).toMatchObject({ applied: 3000, unchanged: 0, rejected: 0 });
  await context.close();
}, 120_000);

it('a session that ends in the middle: the page asks to sign in, and goes on where it was', async () => {
  const person = await Person.visit(browser, stack.url);
  let isOver = false;
  await person.page.context().route('**/v1/migrations/**', async (route) => {
    if (!isOver) return route.continue();
    return route.fulfill({ status: 401, json: { errors: [{ error_code: 'unauthorized', message: 'over' }] } });
  });
  await person.page
    .context()
    .route('**/refresh-token', (route) => route.fulfill({ status: 401, json: { errors: [] } }));
  await person.signIn();
  await person.isAt('File');
  await person.choose({ name: 'session.csv', text: history('session', 20) });
  await person.press('Continue');
  await person.isAt('Columns');
  isOver = true;
  await person.press('Continue');
  await person.isAt('Courses');
  await person.page.getByText('Your session has ended.').waitFor();
  isOver = false;
  await person.signIn();
  await person.page.getByText('one certain counterpart').first().waitFor();
  await person.press('Continue');
  await person.isAt('People');
  expect(await person.heading()).toBe('People');
  await person.page.context().close();
});

it('no other origin can frame the page', async () => {
  const site: Server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(`<iframe src="${stack.url}/"></iframe>`),
  );
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  const [, framed] = page.frames();
  expect(await framed?.locator('#page').count()).toBe(0);
  await page.close();
  site.close();
});

it('a planted script in each cell, title and message is shown as text', async () => {
  const script = '<img src=x onerror="window.planted=1"><script>window.planted=1</script>';
  const person = await Person.visit(browser, stack.url);
  await person.signIn();
  const cells = [script, `=cmd|'/c calc'!A0`, '\u202Egpj.exe', 'javascript:alert(1)'];
  const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
  const text = [
    ['E-mail', 'Course', 'Progress', `Note ${script}`].map(quoted).join(','),
    ...cells.map((cell, row) => [`nobody${row}@acme.test`, cell, '50 %', cell].map(quoted).join(',')),
    'nobody@acme.test,101,50 %,fine',
    'ben.castillo@acme.test,102,50 %,fine',
  ].join('\n');
  await person.toCheckLeavingOut({ name: '<img src=x onerror=planted>.csv', text });
  await person.press('Check');
  await person.page.getByText('1 record is rejected').first().waitFor();
  expect(await person.page.evaluate(() => 'planted' in window)).toBe(false);
  await person.page.getByRole('link', { name: 'Columns' }).click();
  await person.isAt('Columns');
  expect(await person.page.getByText(String.raw`\u202egpj.exe`, { exact: false }).count()).toBeGreaterThan(0);
  expect(person.complaints).toEqual([]);
  await person.page.close();
});
