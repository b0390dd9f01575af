/** By which calls contributions are written, with a right and a wrong belief about their items. Costs milliseconds. */
import { BatchExecuteStatementCommand, BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { writeContributions } from '../../functions/imports/write-contributions.ts';
import type { RecordWrite } from '../../functions/shared/model.ts';
import { serviceError } from '../kit/database-faults.ts';
import { clientOf } from '../kit/memory-table/memory-client.ts';
import { createWorld } from '../kit/world.ts';
import { write } from '../dynamodb/samples.ts';

const ANN = { user_id: 7, platform_course_id: 101 };
const outside = { table: 'table', sleep: async () => {}, random: () => 0, nowMs: () => 0 };

const at = (index: number, items = 0) => write({ record: { index }, items });
const large = (index: number, items = 0) => write({ record: { index, external_ref: 'x'.repeat(60 * 1024) }, items });

describe('contributions are written', () => {
  /** The calls that a write makes, and the positions of the contributions that are stored then. */
  async function callsOf(stored: readonly RecordWrite[], writes: readonly RecordWrite[]) {
    const calls: string[] = [];
    const { client, stores } = createWorld({
      observe: (command) => {
        if (command instanceof UpdateCommand) calls.push(`update ${command.input.Key?.['sk'].split('#')[2] ?? 0}`);
        if (command instanceof BatchGetCommand) calls.push('read');
        if (command instanceof BatchExecuteStatementCommand) calls.push('insert');
      },
    });
    for (const each of stored) await stores.progress.contribute('acme', [each]);
    calls.splice(0);
    await writeContributions({ client, ...outside }, 'acme', writes);
    const seen = calls.join(', ');
    const [history] = (await stores.progress.courseHistories('acme', [ANN])).values();
    return [seen, history?.contributions.map(({ index }) => index)];
  }

  it.each<[string, RecordWrite[], RecordWrite[], unknown]>([
    ['a new item by an INSERT', [], [at(1)], ['insert', [1]]],
    ['two of a new item by one INSERT', [], [at(1), at(2)], ['insert', [1, 2]]],
    ['one more by an update', [at(0)], [at(1, 1)], ['update 0', [0, 1]]],
    ['two more by one update', [at(0)], [at(1, 1), at(2, 1)], ['update 0', [0, 1, 2]]],
    ['an item that was there after all by an update', [at(0)], [at(1)], ['insert, update 0', [0, 1]]],
    ['an item that was not there by an update', [], [at(1, 1)], ['update 0', [1]]],
    ['one that is there already not at all', [at(0)], [at(0)], ['insert, update 0, read', [0]]],
    ['more than a write carries by several', [], [large(1), large(2)], ['insert, update 0', [1, 2]]],
    [
      'what a full item cannot take by an update of the next, which the first names before',
      [large(0), large(1)],
      [large(2, 1)],
      ['update 0, read, update 0, update 1', [0, 1, 2]],
    ],
    [
      'what the last known item can take by an update of it alone',
      [large(0), large(1), large(2)],
      [at(3, 2)],
      ['update 1', [0, 1, 2, 3]],
    ],
    [
      'what another delivery put into the next item not again',
      [large(0), large(1), large(2)],
      [large(2, 1)],
      ['update 0, read, update 0, read, update 1, read', [0, 1, 2]],
    ],
  ])('%s', async (_, stored, writes, expected) => {
    expect(await callsOf(stored, writes)).toEqual(expected);
  });

  it('but not where the database fails: its fault is thrown', async () => {
    const client = clientOf(() => Promise.reject(serviceError('AccessDenied')));
    await expect(writeContributions({ client, ...outside }, 'acme', [at(1, 1)])).rejects.toThrow('AccessDenied');
  });
});
