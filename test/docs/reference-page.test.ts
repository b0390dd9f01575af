/**
 * The reference page in a real browser: it shows and executes every operation, and calls no other host. Costs about ten seconds and
 * needs Chromium.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalStack, startLocalStack } from '../../bin/local/stack.ts';
import { OPERATIONS } from '../../lib/openapi/document.ts';
import { startBrowser } from './browser.ts';

let stack: LocalStack;
let browser: Browser;
let page: Page;
const requested: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  [stack, browser] = await Promise.all([startLocalStack(), startBrowser()]);
  page = await browser.newPage({ viewport: { width: 1200, height: 1600 } });
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${stack.url}/docs`);
  await page.locator('.opblock').first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Opens an operation and executes it with the values that are filled in. */
async function execute(operationId: string): Promise<{ status: string; body: string }> {
  const block = page.locator(`.opblock[id$="-${operationId}"]`);
  await block.locator('.opblock-summary-control').click();
  await block.getByRole('button', { name: 'Execute' }).click();
  const live = block.locator('.live-responses-table');
  await live.waitFor();
  const status = await live.locator('.response-col_status').last().innerText();
  const body = await live.locator('.response-col_description .highlight-code').first().innerText();
  return { status: status.trim(), body };
}

async function picture(name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}

describe('the reference page', () => {
  it('the page shows every operation', async () => {
    const shown = await page
      .locator('.opblock-summary-path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('data-path')));
    expect(shown).toHaveLength(OPERATIONS.length);
    expect(new Set(shown)).toEqual(new Set(OPERATIONS.map(({ path }) => path)));
    await picture('reference');
  });

  it('the page logs in with the credentials that are filled in, and then lists the catalog', async () => {
    const login = await execute('login');
    expect(login.status).toContain('201');
    expect(await page.locator('#session').innerText()).toContain('Signed in');
    const listed = await execute('list-courses');
    expect(listed.status).toContain('200');
    const sample = JSON.parse(readFileSync(join(import.meta.dirname, '../../lib/sandbox/sample.json'), 'utf8')) as {
      courses: { title: string }[];
    };
    for (const { title } of sample.courses) expect(listed.body).toContain(title);
    await picture('catalog');
  });

  it('the page imports the record that is filled in, as a dry run', async () => {
    const imported = await execute('start-import');
    expect(imported.status).toContain('200');
    expect(imported.body).toContain('"validated"');
    await picture('import');
  });

  it('the page calls no other server and reports no problem', () => {
    const elsewhere = requested.filter((url) => !url.startsWith(`${stack.url}/`) && !url.startsWith('data:'));
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
