/** Consistent reads by the stores of imports, and a database that contradicts itself. Costs milliseconds. */
import { BatchGetCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { everyStore } from '../kit/services.ts';
import { serviceError } from '../kit/database-faults.ts';
import { clientOf } from '../kit/memory-table/memory-client.ts';
import { createWorld, type World } from '../kit/world.ts';
import { AT, IMPORT_ID, SUMMARY, importItem, plan } from '../dynamodb/samples.ts';

const item = importItem('acme');
const ANN = { user_id: 7, platform_course_id: 101 };
const CLAIM = { ...ANN, external_record_id: 'a' };

describe('strongly consistent reads', () => {
  let world: World;
  const reads: (boolean | undefined)[] = [];
  const observe = (command: object) => {
    if (command instanceof GetCommand) reads.push(command.input.ConsistentRead);
    if (!(command instanceof BatchGetCommand)) return;
    for (const { ConsistentRead } of Object.values(command.input.RequestItems ?? {})) reads.push(ConsistentRead);
  };

  beforeEach(async () => {
    world = createWorld({ observe });
    await world.stores.imports.commit(item);
    await world.stores.imports.putPlan({ company_id: 'acme', import_id: IMPORT_ID }, 0, plan('first'));
    await world.stores.progress.claim('acme', [CLAIM]);
    reads.splice(0);
  });

  it.each<[string, (stores: World['stores']) => Promise<unknown>]>([
    ['the import', ({ imports }) => imports.read('acme', IMPORT_ID)],
    ['the import that was stored first', ({ imports }) => imports.commit({ ...item, attempt_id: 'second' })],
    ['the imports of a list', ({ imports }) => imports.list('acme', 9)],
    [
      'a chunk',
      ({ imports }) => imports.readChunk({ company_id: 'acme', import_id: IMPORT_ID, chunk: 0, payload_hash: 'h' }),
    ],
    ['payloads', ({ imports }) => imports.readPayloads('acme', IMPORT_ID, ['h'])],
    [
      'the plan that was stored first',
      ({ imports }) => imports.putPlan({ company_id: 'acme', import_id: IMPORT_ID }, 0, plan('second')),
    ],
    ['identities', ({ progress }) => progress.identities('acme', ['a'])],
    ['an identity that is bound', ({ progress }) => progress.claim('acme', [CLAIM])],
    ['progress', ({ progress }) => progress.courseHistories('acme', [ANN])],
  ])('ConsistentRead is set for a read of %s', async (_, read) => {
    await read(world.stores);
    expect(reads).toEqual([true]);
  });

  it('ConsistentRead is set for plans only if a first read does not find them: a plan that is found is current', async () => {
    expect(await world.stores.imports.readPlans(item, [0, 1])).toEqual([plan('first'), undefined]);
    expect(reads).toEqual([false, true]);
    reads.splice(0);
    await world.stores.imports.readPlans(item, [0]);
    expect(reads).toEqual([false]);
  });
});

it('a payload expires after 30 days, and a plan a day after the results of its import', async () => {
  const { stores, table, clock } = createWorld();
  await stores.imports.stage('acme', IMPORT_ID, [{ hash: 'h', text: '{}' }]);
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
    expect(await imports.setSummary('acme', IMPORT_ID, 0, SUMMARY)).toBeUndefined();
    expect(await imports.startClosing(item, AT, AT)).toBeUndefined();
  });
});
