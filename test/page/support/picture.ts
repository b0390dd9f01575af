import type { Page } from 'playwright-core';

/**
 * The whole page, as a screen of its height shows it: in a lower one the action that stays in view would cover a part of it.
 */
export async function picture(page: Page, path: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, whole) });
  await page.screenshot({ path });
  await page.setViewportSize({ width, height });
}
