/** Reads of plans, expiry, and a database that contradicts itself. Costs milliseconds. */
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { everyStore } from '../kit/services.ts';
import { serviceError } from '../kit/database-faults.ts';
import { clientOf } from '../kit/memory-table/memory-client.ts';
import { createWorld } from '../kit/world.ts';
import { AT, IMPORT_ID, SUMMARY, importItem, plan } from '../dynamodb/samples.ts';

const item = importItem('acme');
const ANN = { user_id: 7, platform_course_id: 101 };
const CLAIM = { ...ANN, external_record_id: 'a' };

it('plans that a first read does not find are read again, strongly: one that is found is current', async () => {
  const reads: (boolean | undefined)[] = [];
  const { stores } = createWorld({
    observe: (command) => {
      if (command instanceof BatchGetCommand) reads.push(command.input.RequestItems?.['table']?.ConsistentRead);
    },
  });
  await stores.imports.putPlan(item, 0, plan('first'));
  expect(await stores.imports.readPlans(item, [0, 1])).toEqual([plan('first'), undefined]);
  expect(reads.splice(0)).toEqual([false, true]);
  await stores.imports.readPlans(item, [0]);
  expect(reads).toEqual([false]);
});

it('a payload expires after 30 days, and a plan a day after the results of its import', async () => {
  const { stores, table, clock } = createWorld();
  await stores.imports.stage({ company_id: 'acme', import_id: IMPORT_ID }, [{ hash: 'h', text: '{}' }]);
  await stores.imports.putPlan({ company_id: 'acme', import_id: IMPORT_ID, expires_at: AT }, 0, plan('first'));
  const expiries = [...table.items()].map(({ expires_at_seconds }) => expires_at_seconds);
  const DAY_SECONDS = 86_400;
  expect(expiries).toEqual([
    Math.ceil(clock.now / 1_000) + 30 * DAY_SECONDS,
    Math.ceil(Date.parse(AT) / 1_000) + DAY_SECONDS,
  ]);
});

describe('items that exist, but cannot be read', () => {
  const client = clientOf(async (command) => {
    if (command.constructor.name === 'BatchExecuteStatementCommand')
      return { Responses: [{ Error: { Code: 'DuplicateItem' } }] };
    if (/^(Put|Update)/.test(command.constructor.name)) throw serviceError('ConditionalCheckFailedException');
    return {};
  });
  const { imports, progress } = everyStore({
    client,
    table: 't',
    sleep: async () => {},
    random: () => 0,
    nowMs: () => 0,
  });

  it.each<[string, () => Promise<unknown>]>([
    ['An import item is missing.', () => imports.commit(item)],
    ['An import item is missing.', () => imports.settle(item, AT)],
    ['A plan is missing.', () => imports.putPlan({ company_id: 'acme', import_id: IMPORT_ID }, 0, plan('a'))],
    ['An id was freed while it was claimed.', () => progress.claim('acme', [CLAIM])],
  ])(
    'a write that the database refuses because the item exists, and that cannot be read, is a fault: %s',
    async (message, call) => {
      await expect(call()).rejects.toThrow(message);
    },
  );

  it('setSummary: the import may be absent → undefined, without a fault', async () => {
    expect(await imports.setSummary({ company_id: 'acme', import_id: IMPORT_ID }, 0, SUMMARY)).toBeUndefined();
    expect(await imports.startClosing(item, AT, AT)).toBeUndefined();
  });
});
