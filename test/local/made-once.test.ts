import { existsSync, mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { madeOnce } from '../../bin/local/made-once.ts';
import { freshFolder } from '../importer/command/support/files.ts';

let root = '';
beforeEach(() => {
  root = freshFolder();
});

const writing = (text: string) => async (draft: string) => writeFileSync(join(draft, 'file'), text);
const never = () => Promise.reject(new Error('made again'));

it('madeOnce: a folder that exists → it is not made again', async () => {
  await madeOnce(join(root, 'key'), writing('one'));
  await madeOnce(join(root, 'key'), never);
  expect(readFileSync(join(root, 'key/file'), 'utf8')).toBe('one');
});

it('madeOnce: the folder does not exist before it is complete', async () => {
  await madeOnce(join(root, 'key'), async (draft) => {
    await writing('half')(draft);
    expect(existsSync(join(root, 'key'))).toBe(false);
  });
  expect(readdirSync(root)).toEqual(['key']);
});

it('madeOnce: a maker that fails → the error, and nothing is left', async () => {
  await expect(madeOnce(join(root, 'key'), never)).rejects.toThrow('made again');
  expect(readdirSync(root)).toEqual([]);
});

it('madeOnce: makers at once → one of them wins, and all of them end well', async () => {
  await Promise.all(['a', 'b', 'c'].map((text) => madeOnce(join(root, 'key'), writing(text))));
  expect(readdirSync(root)).toEqual(['key']);
  expect(readdirSync(join(root, 'key'))).toEqual(['file']);
});

it('madeOnce: a folder unused for a week is deleted when another is made, one that was used is kept', async () => {
  const weekAgo = new Date(Date.now() - 8 * 24 * 3_600_000);
  for (const name of ['unused', 'used']) {
    mkdirSync(join(root, name));
    utimesSync(join(root, name), weekAgo, weekAgo);
  }
  await madeOnce(join(root, 'used'), never);
  await madeOnce(join(root, 'new'), writing('x'));
  expect(readdirSync(root)).toEqual(['new', 'used']);
});
