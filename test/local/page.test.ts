/** The files of the page as they are built. Costs a build, if the sources have changed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { NOTICES_FILE } from '../../bin/build/notices.ts';
import { builtStack } from '../../bin/local/built-stack.ts';
import type { Site } from '../../functions/handlers/serve-page.ts';

it('the page has no script and no style in its HTML, and loads nothing from elsewhere', async () => {
  const { bundles } = await builtStack();
  const { html, files }: Site = JSON.parse(readFileSync(join(bundles, 'serve-page/site.json'), 'utf8'));
  expect(html).not.toMatch(/<style|style=|<script(?![^>]*src=)|\son\w+=|https?:/);
  const loaded = [...html.matchAll(/(?:src|href)="\{\{base\}\}\/page\/([^"]+)"/g)].map(([, name = '']) => name);
  expect(loaded).toHaveLength(4);
  for (const name of loaded) expect(Object.keys(files)).toContain(name);
});

it('the page links the licences of the packages whose code a browser receives', async () => {
  const { bundles } = await builtStack();
  const { html, files }: Site = JSON.parse(readFileSync(join(bundles, 'serve-page/site.json'), 'utf8'));
  const [, name = ''] = /<link rel="license" href="\{\{base\}\}\/page\/([^"]+)"/.exec(html) ?? [];
  const notices = brotliDecompressSync(Buffer.from(files[name]?.brotli ?? '', 'base64')).toString();
  for (const each of ['preact', '@noble/hashes', 'saxes']) expect(notices).toMatch(new RegExp(`^${each} \\d`, 'm'));
  expect(notices).toContain('Permission is hereby granted');
  expect(readFileSync(join(bundles, 'serve-page', NOTICES_FILE), 'utf8')).toMatch(/^preact \d/m);
});
