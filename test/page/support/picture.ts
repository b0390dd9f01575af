import type { Page } from 'playwright-core';

/** The whole page, on a screen of its height: in a lower one the action that stays in view would cover a part. */
export async function picture(page: Page, path?: string): Promise<Buffer> {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, whole) });
  const bytes = await page.screenshot(path === undefined ? {} : { path });
  await page.setViewportSize({ width, height });
  return bytes;
}
