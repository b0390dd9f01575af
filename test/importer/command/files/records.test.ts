/** Files of this computer for the engine. Costs milliseconds. */
import { expect, it } from 'vitest';
import { localFile, openRecordFile } from '../../../../bin/importer/command/files/records.ts';
import { piecesOf } from '../../../../bin/importer/engine/read/bytes.ts';
import { fileOf, freshFolder } from '../support/files.ts';

it('a file has its path as its name, its size, and the bytes of any place', async () => {
  const path = fileOf('history', 'a.csv');
  const file = await localFile(path);
  expect([file.name, file.size]).toEqual([path, 7]);
  const bytesOf = async (start: number, end: number) => Buffer.from(await file.slice(start, end).arrayBuffer());
  expect(String(await bytesOf(2, 4))).toBe('st');
  expect(String(await bytesOf(4, 100))).toBe('ory');
});

it('timers and signals have their turn between two pieces', async () => {
  const file = await localFile(fileOf('a'.repeat(400_000), 'a.csv'));
  let turns = 0;
  const take = (): void => {
    turns += 1;
    next = setImmediate(take);
  };
  let next = setImmediate(take);
  let pieces = 0;
  for await (const _ of piecesOf(file)) pieces += 1;
  clearImmediate(next);
  expect(pieces).toBeGreaterThan(1);
  expect(turns).toBeGreaterThanOrEqual(pieces);
});

it('a file that does not exist is refused', async () => {
  await expect(localFile('/nowhere/history.csv')).rejects.toThrow(
    '/nowhere/history.csv cannot be read (there is no such file or folder).',
  );
});

it('a folder is refused', async () => {
  await expect(localFile(freshFolder())).rejects.toThrow('is a folder. Name its files');
});

it('a JSON file is sent as it is if one of its first items has a record id; an empty one has nothing to send', async () => {
  const own = { external_record_id: 'r-1' };
  for (const items of [[own], [{ id: 1 }, own], []]) {
    const { mapping } = await openRecordFile(fileOf(JSON.stringify(items), 'a.json'));
    expect(mapping).toBeUndefined();
  }
  const foreign = fileOf('[{ "id": 1 }]', 'a.json');
  await expect(openRecordFile(foreign)).rejects.toThrow(`Make one with "init-mapping ${foreign}"`);
});
