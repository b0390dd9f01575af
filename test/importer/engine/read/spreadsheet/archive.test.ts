/** ZIP archives as programs write them. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { type Archive, openArchive } from '../../../../../bin/importer/engine/read/spreadsheet/archive.ts';
import { collected } from '../../../command/support/files.ts';
import { archiveOf } from '../../../command/support/workbook.ts';

const LONG = 'Zoë '.repeat(100_000);
const PARTS = { 'a/One.xml': 'one', 'two.xml': LONG };

const opened = (content: Buffer) => openArchive(new File([new Uint8Array(content)], 'a.zip'));
const textOf = async (archive: Archive, name: string) => (await collected(archive.text(name, 1024 * 1024))).join('');

describe('Archive', () => {
  it.each([
    ['packed', {}],
    ['not packed', { isStored: true }],
    ['of an archive with the extension for large ones', { isExtended: true }],
    ['neither packed nor in a small archive', { isStored: true, isExtended: true }],
  ])('a part that is %s is read whole', async (_, shape) => {
    const archive = await opened(archiveOf(PARTS, shape));
    expect([await textOf(archive, 'a/one.xml'), await textOf(archive, 'two.xml')]).toEqual(['one', LONG]);
  });

  it('a part that does not exist has no text', async () => {
    expect(await textOf(await opened(archiveOf(PARTS)), 'three.xml')).toBe('');
  });

  it('a reader may leave a part before its end', async () => {
    const archive = await opened(archiveOf(PARTS));
    for await (const piece of archive.text('two.xml', 1024 * 1024)) {
      expect(piece).toContain('Zoë');
      break;
    }
    expect(await textOf(archive, 'two.xml')).toBe(LONG);
  });

  it.each([
    ['not packed and changed', archiveOf(PARTS, { isStored: true, part: 'a/One.xml', crc: 7 })],
    ['shorter than it says', archiveOf(PARTS, { part: 'a/One.xml', size: 4 })],
  ])('a part that is %s is refused', async (_, content) => {
    await expect(textOf(await opened(content), 'a/one.xml')).rejects.toMatchObject({
      said: { code: 'workbook_damaged' },
    });
  });
});

it('an archive may have a comment at its end, also one with the signature of an end', async () => {
  const plain = archiveOf(PARTS);
  const comment = Buffer.from('PK\u{5}\u{6} by a program');
  plain.writeUInt16LE(comment.length, plain.length - 2);
  expect(await textOf(await opened(Buffer.concat([plain, comment])), 'a/one.xml')).toBe('one');
});
