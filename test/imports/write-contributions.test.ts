/** The calls that write contributions, with a right and a wrong belief about their items. Costs milliseconds. */
import { BatchExecuteStatementCommand, BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { contributionName, packContribution } from '../../functions/imports/contribution-item.ts';
import { writeContributions } from '../../functions/imports/write-contributions.ts';
import type { RecordWrite } from '../../functions/shared/model.ts';
import { serviceError } from '../kit/database-faults.ts';
import { clientOf } from '../kit/memory-table/memory-client.ts';
import { createWorld } from '../kit/world.ts';
import { write } from '../dynamodb/samples.ts';

const ANN = { user_id: 7, platform_course_id: 101 };
const outside = { table: 'table', sleep: async () => {}, random: () => 0, nowMs: () => 0 };

const at = (index: number, items = 0, added?: number) => write({ record: { index }, items, added });
const large = (index: number, items = 0, added?: number) =>
  write({ record: { index, external_ref: 'x'.repeat(60 * 1024) }, items, added });
const addedBy = ({ contribution }: RecordWrite) =>
  Buffer.byteLength(contributionName(contribution) + packContribution(contribution));

describe('writeContributions', () => {
  /** The calls that a write makes, and the positions of the contributions that are stored then. */
  async function callsOf(stored: readonly RecordWrite[], writes: readonly RecordWrite[]) {
    const calls: string[] = [];
    const { client, stores } = createWorld({
      observe: (command) => {
        if (command instanceof UpdateCommand) calls.push(`update ${command.input.Key?.['sk'].split('#')[2] ?? 0}`);
        if (command instanceof BatchGetCommand) calls.push('read');
        if (command instanceof BatchExecuteStatementCommand) calls.push('statements');
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
    ['a new item → a statement', [], [at(1)], ['statements', [1]]],
    ['two contributions of a new item → one statement', [], [at(1), at(2)], ['statements', [1, 2]]],
    ['one more contribution → a statement', [at(0)], [at(1, 1)], ['statements', [0, 1]]],
    ['two more contributions → one statement', [at(0)], [at(1, 1), at(2, 1)], ['statements', [0, 1, 2]]],
    [
      'one more beside one that an update has added → a statement',
      [at(0), at(1, 1)],
      [at(2, 1, addedBy(at(1)))],
      ['statements', [0, 1, 2]],
    ],
    ['an item that exists against expectation → an update', [at(0)], [at(1)], ['statements, read, update 0', [0, 1]]],
    ['an item that is missing against expectation → an update', [], [at(1, 1)], ['statements, read, update 0', [1]]],
    [
      'an item that an update has added to since → an update',
      [at(0), at(1, 1)],
      [at(2, 1)],
      ['statements, read, update 0', [0, 1, 2]],
    ],
    ['a contribution that is stored already → no write', [at(0)], [at(0)], ['statements, read', [0]]],
    ['one that an update has stored already → no write', [at(0), at(1, 1)], [at(1, 1)], ['statements, read', [0, 1]]],
    [
      'more contributions than a write carries → several writes',
      [],
      [large(1), large(2)],
      ['statements, update 0', [1, 2]],
    ],
    [
      'more than a full item can take → an update of the next item, which the full one names first',
      [large(0), large(1)],
      [large(2, 1, addedBy(large(1)))],
      ['update 0, read, update 0, update 1', [0, 1, 2]],
    ],
    [
      'as much as the last known item can take → a statement for it alone',
      [large(0), large(1), large(2)],
      [at(3, 2, addedBy(large(2)))],
      ['statements', [0, 1, 2, 3]],
    ],
    [
      'a contribution that another delivery put into the next item → no write',
      [large(0), large(1), large(2)],
      [large(2, 1, addedBy(large(1)))],
      ['update 0, read, update 0, read, update 1, read', [0, 1, 2]],
    ],
  ])('writeContributions: %s', async (_, stored, writes, expected) => {
    expect(await callsOf(stored, writes)).toEqual(expected);
  });

  it('writeContributions: the database fails → its fault is thrown', async () => {
    const client = clientOf(() => Promise.reject(serviceError('AccessDenied')));
    await expect(writeContributions({ client, ...outside }, 'acme', [at(1, 1)])).rejects.toThrow('AccessDenied');
  });
});
