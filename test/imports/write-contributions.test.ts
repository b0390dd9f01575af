/** The calls that write contributions, with a right and a wrong belief about their items. Costs milliseconds. */
import { BatchExecuteStatementCommand, BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { contributionBytes, contributionName, packContribution } from '../../functions/imports/contribution-item.ts';
import { writeContributions } from '../../functions/imports/write-contributions.ts';
import type { RecordWrite, StoredSpace } from '../../functions/shared/model.ts';
import { serviceError } from '../kit/database-faults.ts';
import { clientOf } from '../kit/memory-table/memory-client.ts';
import { createWorld } from '../kit/world.ts';
import { incompressible, write } from '../dynamodb/samples.ts';

const ANN = { user_id: 7, platform_course_id: 101 };
const outside = { table: 'table', sleep: async () => {}, random: () => 0, nowMs: () => 0 };

type Space = Partial<StoredSpace>;
const at = (index: number, space: Space = {}) => write({ record: { index }, ...space });
const external_ref = incompressible(60 * 1024);
const large = (index: number, space: Space = {}) => write({ record: { index, external_ref }, ...space });
const addedBy = ({ contribution }: RecordWrite) =>
  contributionBytes(contributionName(contribution), packContribution(contribution));
/** One item; one that has the best size. */
const [ONE, FULL] = [{ items: 1 }, { items: 1, filled: 4096 }];

describe('writeContributions', () => {
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

  it.each<[string, RecordWrite[], RecordWrite[], string]>([
    ['a new item → a statement', [], [at(1)], 'statements'],
    ['two contributions of a new item → one statement', [], [at(1), at(2)], 'statements'],
    ['one more contribution → a statement', [at(0)], [at(1, ONE)], 'statements'],
    ['two more contributions → one statement', [at(0)], [at(1, ONE), at(2, ONE)], 'statements'],
    [
      'one more beside one that an update has added → a statement',
      [at(0), at(1, ONE)],
      [at(2, { items: 1, added: addedBy(at(1)) })],
      'statements',
    ],
    ['an item that exists against expectation → an update', [at(0)], [at(1)], 'statements, read, update 0'],
    ['an item that is missing against expectation → an update', [], [at(1, ONE)], 'statements, read, update 0'],
    [
      'an item that an update has added to since → an update',
      [at(0), at(1, ONE)],
      [at(2, ONE)],
      'statements, read, update 0',
    ],
    ['a contribution that is stored already → no write', [at(0)], [at(0)], 'statements, read'],
    ['one that an update has stored already → no write', [at(0), at(1, ONE)], [at(1, ONE)], 'statements, read'],
    [
      'an item of the best size → a statement that names a new one, and one that inserts it',
      [at(0)],
      [at(1, FULL)],
      'statements, statements',
    ],
    [
      'a new item that was named and inserted before → no write',
      [at(0), at(1, FULL)],
      [at(1, FULL)],
      'statements, read, statements, read',
    ],
    [
      'a new item that another delivery named meanwhile → the same',
      [at(0), at(1, FULL)],
      [at(2, FULL)],
      'statements, read, statements, read, update 1',
    ],
    ['more contributions than a write carries → several writes', [], [large(1), large(2)], 'statements, update 0'],
    [
      'more than the space of an item → a new one',
      [large(0), large(1)],
      [large(2, { items: 1, added: addedBy(large(1)) })],
      'statements, statements',
    ],
    [
      'an item that was filled meanwhile → an update of the next one, which it names first',
      [large(0), large(1)],
      [large(2, ONE)],
      'statements, read, update 0, read, update 0, update 1',
    ],
    [
      'as much as the last known item can take → a statement for it alone',
      [large(0), large(1), large(2)],
      [at(3, { items: 2, added: addedBy(large(2)) })],
      'statements',
    ],
    [
      'a contribution that another delivery put into the next item → no write',
      [large(0), large(1), large(2)],
      [large(2, ONE)],
      'statements, read, update 0, read, update 0, read, update 1, read',
    ],
  ])('writeContributions: %s', async (_, stored, writes, calls) => {
    const all = [...stored, ...writes].map(({ contribution }) => contribution.index);
    expect(await callsOf(stored, writes)).toEqual([calls, [...new Set(all)]]);
  });

  it('writeContributions: the database fails → its fault is thrown', async () => {
    const client = clientOf(() => Promise.reject(serviceError('AccessDenied')));
    await expect(writeContributions({ client, ...outside }, 'acme', [at(1, ONE)])).rejects.toThrow('AccessDenied');
  });
});
