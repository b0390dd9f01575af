import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Of `axe-core`, in the page. */
declare const axe: {
  run(
    options: object,
  ): Promise<{ violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[] }>;
};

export async function violationsOf(page: Page): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    async ([rules]) => {
      // A target is not small because it has scrolled halfway under the action that stays in view.
      const footer = document.querySelector<HTMLElement>('.footer, .go');
      footer?.style.setProperty('position', 'static');
      const found = await axe.run({ runOnly: { type: 'tag', values: rules }, resultTypes: ['violations'] });
      footer?.style.removeProperty('position');
      return found;
    },
    [RULES],
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${JSON.stringify(node.target)}`));
}
