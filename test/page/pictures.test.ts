/**
 * Every screen and state looks as in the committed pictures. `PICTURES=renew` renews them: look at each that changed.
 * They have a font of Debian, which `.ci/run` installs. `SHARE=1/2` takes one of the two
 * languages. Costs a minute; needs Chromium.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { textsFor } from '../../bin/importer/page/texts/index.ts';
import { shareOf } from '../kit/at-length.ts';
import { skipped } from '../kit/skipped.ts';
import { picture } from './support/picture.ts';
import { screens } from './support/screens.ts';
import { usePage } from './support/use-page.ts';

const PICTURES = join(import.meta.dirname, 'pictures');
const DIFFERENT = join(import.meta.dirname, '../../.build/pictures');

const LOOKS = {
  en: [
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ],
  de: [
    { width: 1280, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
  ],
} as const;

/** The texts of the other language matter where most of them are. */
const isCompared = (name: string, language: string): boolean =>
  language === 'en' || ['sign-in', 'file', 'review-system', 'review', 'import', 'result'].includes(name);

/** In the page: what is new in each run gets the same letters, so that only looks are compared. */
function settle(): void {
  const now = new RegExp(`\\d+\\.? \\p{L}+ ${new Date().getFullYear()}(?: (?:at|um) \\d+:\\d+)?`, 'gu');
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
    text.nodeValue =
      text.nodeValue
        ?.replaceAll(now, 'today')
        .replaceAll(/(?:today|yesterday|heute|gestern) (?:at|um) \d+:\d+/g, 'today')
        .replaceAll(/\d+ (?:seconds?|minutes?|Sekunden?|Minuten?)/g, 'a while')
        .replaceAll(/[\w-]{26,}/g, (id) => 'x'.repeat(id.length))
        .replaceAll(/(?<=history-)[0-9a-f]{8}/g, '0'.repeat(8))
        .replaceAll(/[0-9a-f]{12}(?=…)/g, '0'.repeat(12))
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T00:00:00.000Z')
        .replaceAll('Keeping what you decided …', 'All that you decided is kept.')
        .replaceAll('Wird gesichert …', 'Alle Entscheidungen sind gesichert.') ?? '';
}

/** In a page: the picture at half its size, and how many of its pixels are visibly unlike those of the known one. */
async function compare([taken, known]: readonly [string, string | undefined]) {
  const dataOf = async (url: string, scale: number) => {
    const bitmap = await createImageBitmap(await (await fetch(url)).blob());
    // Further down a screen is only more of the same rows.
    const height = Math.min(bitmap.height, 2400);
    const canvas = new OffscreenCanvas(Math.ceil(bitmap.width * scale), Math.ceil(height * scale));
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (context === null) throw new Error('This browser has no canvas.');
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, bitmap.width, height, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return { canvas, data };
  };
  const own = await dataOf(taken, 0.5);
  const blob = await own.canvas.convertToBlob({ type: 'image/webp', quality: 0.4 });
  const small = Array.from(new Uint8Array(await blob.arrayBuffer()));
  const other = known === undefined ? undefined : await dataOf(known, 1);
  if (other?.data.length !== own.data.length) return { small, unlike: Infinity };
  const unlike = own.data.filter((value, index) => Math.abs(value - (other.data[index] ?? 0)) > 64).length / 3;
  return { small, unlike };
}

/** The font of a page on Debian with the package fonts-dejavu-core. */
const FONT = 'DejaVu Sans';

/** In a page: whether its text has the width that it has with this font, which is not the one of a missing font. */
function isDrawnWith(font: string): boolean {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  const widthWith = (family: string): number | undefined => {
    if (context !== null) context.font = `100px ${family}`;
    return context?.measureText('Which illness? Will-o’-the-wisp.').width;
  };
  const [page, own, missing] = ['system-ui', `"${font}", monospace`, 'monospace'].map((family) => widthWith(family));
  return page === own && own !== missing;
}

/** Pixels: anti-aliasing and lossy compression stay below; another colour of a button, or a frame, does not. */
const MOST_UNLIKE = 40;

const urlOf = (bytes: Buffer, type: string): string => `data:image/${type};base64,${bytes.toString('base64')}`;

// A company of its own: an import after another of the same file would count other records.
describe.each(shareOf(['en', 'de'] as const))('%s', (language) => {
  const used = usePage();

  it('every screen looks as it did', async ({ skip }) => {
    const context = await used.browser.newContext({ locale: language, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const judge = await used.browser.newPage();
    if (!(await judge.evaluate(isDrawnWith, FONT))) {
      skipped(`The pictures have the font ${FONT}, and a page has another on this machine.`);
      skip();
    }
    mkdirSync(DIFFERENT, { recursive: true });
    mkdirSync(PICTURES, { recursive: true });
    const different: string[] = [];
    const look = async (page: Page, name: string): Promise<void> => {
      const file = join(PICTURES, name);
      const known = existsSync(file) ? urlOf(readFileSync(file), 'webp') : undefined;
      const { small, unlike } = await judge.evaluate(compare, [urlOf(await picture(page), 'png'), known] as const);
      if (unlike <= MOST_UNLIKE) return;
      const isRenewed = process.env['PICTURES'] === 'renew';
      writeFileSync(join(isRenewed ? PICTURES : DIFFERENT, name), Buffer.from(small));
      if (!isRenewed) different.push(`${name}: ${unlike}`);
    };
    await page.goto(`${used.stack.url}/`);
    for await (const name of screens(page, await textsFor([language]))) {
      if (!isCompared(name, language)) continue;
      for (const { width, colorScheme } of LOOKS[language]) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await page.evaluate(settle);
        await look(page, `${name}-${width}-${colorScheme}.webp`);
        await page.setViewportSize({ width: 1280, height: 800 });
      }
    }
    expect(different, `kept in ${DIFFERENT}`).toEqual([]);
    await context.close();
  });
});
