/** A page of another origin in a real browser, beside a running local stack: it reads nothing. Costs seconds; needs Chromium. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalStack, startLocalStack } from '../../bin/local/stack.ts';
import { startBrowser } from './browser.ts';
import { serve, type Serving } from '../kit/serve.ts';

let stack: LocalStack;
let browser: Browser;
let page: Page;
let site: Serving;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startLocalStack(), startBrowser()]);
  site = await serve((_, response) => response.setHeader('content-type', 'text/html').end('<title>evil</title>'));
  page = await browser.newPage();
  await page.goto(site.url);
});
afterAll(async () => {
  await browser?.close();
  site?.stop();
  await stack?.stop();
});

interface Init {
  readonly method?: string;
  readonly body?: string;
  readonly mode?: 'no-cors';
  readonly headers?: Record<string, string>;
}

/** The text that a script of the page reads, '' if the browser refuses. */
const read = (url: string, init: Init) =>
  page.evaluate(
    ([target, options]) =>
      fetch(target, options).then(
        (response) => response.text(),
        () => '',
      ),
    [url, init] as const,
  );

const authorization = () =>
  `AWS4-HMAC-SHA256 Credential=${stack.operator.credentials.accessKeyId}/20260101/us-east-1/dynamodb/aws4_request`;

describe('a page of another origin', () => {
  it.each([
    ['by a plain GET', () => ({})],
    ['by a plain POST', () => ({ method: 'POST', body: '{}' })],
    ['by a POST without CORS', () => ({ method: 'POST', body: '{}', mode: 'no-cors' as const })],
    [
      'by a call of the stand-in for KMS with an access key',
      () => ({
        method: 'POST',
        body: '{}',
        headers: { authorization: authorization(), 'x-amz-target': 'TrentService.GetPublicKey' },
      }),
    ],
    [
      'by a call of the database with an access key',
      () => ({
        method: 'POST',
        body: '{}',
        headers: { authorization: authorization(), 'x-amz-target': 'DynamoDB_20120810.ListTables' },
      }),
    ],
  ])('a page of another origin reads nothing of the engines %s', async (_, init) => {
    expect(await read(stack.operator.endpoint, init())).toBe('');
  });

  it.each(['/v1/openapi.json', '/', '/v1/migrations/acme/progress/imports'])(
    'a page of another origin reads nothing of the API at %s',
    async (path) => {
      expect(await read(stack.url + path, {})).toBe('');
    },
  );

  it('the service’s own page reads the API', async () => {
    await page.goto(`${stack.url}/`);
    expect(await read(`${stack.url}/v1/openapi.json`, {})).toContain('openapi');
  });
});
