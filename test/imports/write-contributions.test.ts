/** By which calls contributions are written, with a right and a wrong belief about their item. Costs milliseconds. */
import { BatchExecuteStatementCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { writeContributions } from '../../functions/imports/write-contributions.ts';
import type { RecordWrite } from '../../functions/shared/model.ts';
import { serviceError } from '../kit/database-faults.ts';
import { clientOf } from '../kit/memory-table/memory-client.ts';
import { createWorld } from '../kit/world.ts';
import { contribution, write } from '../dynamodb/samples.ts';

const ANN = { user_id: 7, platform_course_id: 101 };

describe('contributions are written', () => {
  /** The calls that a write makes, each by the first word of its statement or by its name. */
  async function callsOf(stored: readonly RecordWrite[], writes: readonly RecordWrite[]) {
    const calls: string[] = [];
    const { client, stores } = createWorld({
      observe: (command) => {
        if (command instanceof UpdateCommand) calls.push('update item');
        if (!(command instanceof BatchExecuteStatementCommand)) return;
        for (const { Statement = '' } of command.input.Statements ?? []) calls.push(Statement.split(' ', 1).join());
      },
    });
    await stores.progress.contribute('acme', stored);
    calls.splice(0);
    const database = { client, table: 'table', sleep: async () => {}, random: () => 0, nowMs: () => 0 };
    expect(await writeContributions(database, 'acme', writes)).toEqual([]);
    const [history] = (await stores.progress.courseHistories('acme', [ANN])).values();
    return [calls, history?.contributions.map(({ index }) => index)];
  }

  const at = (index: number, hint: Partial<RecordWrite> = {}) => write({ record: { index }, ...hint });
  const there = { exists: true };
  const replaces = [contribution({ index: 0 })];

  it.each<[string, RecordWrite[], RecordWrite[], unknown]>([
    ['a new item by an INSERT', [], [at(1)], [['INSERT'], [1]]],
    ['two of a new item by one INSERT', [], [at(1), at(2)], [['INSERT'], [1, 2]]],
    ['one more by an UPDATE', [at(0)], [at(1, there)], [['UPDATE'], [0, 1]]],
    [
      'an item that was there after all by an UPDATE',
      [at(0)],
      [at(1)],
      [
        ['INSERT', 'UPDATE'],
        [0, 1],
      ],
    ],
    ['an item that was not there by an update', [], [at(1, there)], [['UPDATE', 'update item'], [1]]],
    [
      'two more by an update, one of which knew of the item',
      [at(0)],
      [at(1), at(2, there)],
      [['update item'], [0, 1, 2]],
    ],
    ['one that replaces another by an update', [at(0)], [at(1, { replaces, ...there })], [['update item'], [1]]],
    ['one that replaces another of an item believed new', [at(0)], [at(1, { replaces })], [['update item'], [1]]],
    ['one that is there already as it was', [at(0)], [at(0, there)], [['UPDATE'], [0]]],
  ])('%s', async (_, stored, writes, expected) => {
    expect(await callsOf(stored, writes)).toEqual(expected);
  });

  it('but not where the item would outgrow the limit: its pair is returned; another fault is thrown', async () => {
    const failing = (fault: Error) => ({
      client: clientOf(() => Promise.reject(fault)),
      table: 'table',
      sleep: async () => {},
      random: () => 0,
      nowMs: () => 0,
    });
    const two = [at(1, there), at(2, there)];
    const tooLarge = new Error('Item size to update has exceeded the maximum allowed size');
    expect(await writeContributions(failing(tooLarge), 'acme', two)).toEqual([ANN]);
    await expect(writeContributions(failing(serviceError('AccessDenied')), 'acme', two)).rejects.toThrow(
      'AccessDenied',
    );
  });
});
