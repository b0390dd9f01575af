/**
 * A write that depends on an earlier read changes nothing where another call came between: one case for each part of
 * its condition. Costs milliseconds.
 */
import { BatchExecuteStatementCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  factKey,
  gateKey,
  identityKey,
  importKey,
  learnerCourseKey,
  namelessKey,
  payloadKey,
  revertReportKey,
  type Key,
} from '../../functions/dynamodb/table.ts';
import { contributionName } from '../../functions/imports/contribution-item.ts';
import { readStatement } from '../kit/memory-table/statements.ts';
import { createWorld, type World } from '../kit/world.ts';
import { plan, record } from '../records/fixtures.ts';
import { AT, SUMMARY, importItem, write } from './samples.ts';

const COMPANY = 'acme';
const LATER = '2026-01-03T03:04:05.678Z';
const ITEM = importItem(COMPANY);
const ENDED = importItem(COMPANY, { status: 'success', completed_at: AT, summaries: { 0: SUMMARY, 1: SUMMARY } });
const IMPORT = importKey(ITEM);
const WRITE = write({ record: { external_record_id: 'a' } });
const CLAIM = { user_id: 7, platform_course_id: 101, external_record_id: 'a' };
const ID = identityKey(COMPANY, 'a');
const LEARNER = learnerCourseKey(COMPANY, WRITE, 0);
const ERASURE = { company_id: COMPANY, erasure_id: 'e', user_id: 7, names: { emails: [], external_ids: [] } };
const NOW = Date.parse(LATER);

type Stores = World['stores'];
type Attributes = Readonly<Record<string, string | number | boolean>>;

interface Race {
  readonly before?: (stores: Stores) => Promise<unknown>;
  readonly call: (stores: Stores) => Promise<unknown>;
  readonly key: Key;
  /** The attributes that another call gives the item after this one has read it; without them it deletes the item. */
  readonly meanwhile?: Attributes;
}

type Named = { readonly Key?: Key; readonly Item?: Key };

function keysOf(command: object): Key[] {
  const { input } = command as { input: Named & { TransactItems?: Readonly<Record<string, Named>>[] } };
  if (command instanceof BatchExecuteStatementCommand) {
    const changes = command.input.Statements?.filter(({ Statement }) => Statement?.startsWith('INSERT') === false);
    return (changes ?? []).map(({ Statement = '', Parameters = [] }) => readStatement(Statement, Parameters).key);
  }
  if (command instanceof GetCommand) return [];
  const writes = input.TransactItems?.flatMap((item) => Object.values(item)) ?? [input];
  return writes.flatMap(({ Key: key, Item: item }) => key ?? item ?? []);
}

/** Returns the item as the other call left it, and as it is once this one has ended. */
async function raced({ before, call, key, meanwhile }: Race) {
  let left: Attributes | undefined;
  let isOpen = false;
  const { stores, table } = createWorld({
    observe: (command, memory) => {
      if (!isOpen || !keysOf(command).some(({ pk, sk }) => pk === key.pk && sk === key.sk)) return;
      isOpen = false;
      const stored = memory.read(key);
      left = meanwhile && { ...key, ...stored, ...meanwhile };
      if (left !== undefined || stored !== undefined) memory.write(key, left);
    },
  });
  await before?.(stores);
  isOpen = true;
  await call(stores);
  expect(isOpen, 'it has tried to write').toBe(false);
  return { left, after: table.read(key) };
}

/** Of a record without a user, for an import whose results outlive the details of such records. */
const NAMELESS = { records: [{ user: 'x' }], planned: [plan(record({ user: 'x' }))] };
const LONG_KEPT = { ...ITEM, expires_at: '2027-02-06T00:00:00.000Z' };
const REPORT = { records: [], freed: [] };

const committed = ({ imports }: Stores) => imports.commit(ITEM);
const ended = ({ imports }: Stores) => imports.commit(ENDED);
const chunk = { plan: undefined, payload: undefined, nameless: undefined, summary: undefined };

type Call = Race['call'];
const forImport = (meanwhile: Attributes, call: Call, before: Call = committed): Race => ({
  key: IMPORT,
  before,
  meanwhile,
  call,
});
const forEnded = (call: Call) => forImport({ status: 'success' }, call);
const forId = (meanwhile: Attributes, call: Call): Race => ({
  key: ID,
  before: ({ progress }) => progress.claim(COMPANY, [CLAIM]),
  meanwhile,
  call,
});
const marking: Call = ({ progress }) => progress.freeUnused(COMPANY, [WRITE], NOW, 0);
const freeing: Call = ({ reverts }) => reverts.free(COMPANY, [WRITE]);
const forContribution = (meanwhile: Attributes): Race => ({
  key: LEARNER,
  before: ({ progress }) => progress.contribute(COMPANY, [WRITE]),
  meanwhile,
  call: ({ progress }) =>
    progress.contribute(COMPANY, [{ ...write({ record: { external_record_id: 'b', index: 5 } }), items: 1 }]),
});
const forGate = (call: Call): Race => ({
  key: gateKey(COMPANY),
  before: ({ jobs }) => jobs.takeGate(COMPANY, 'mine'),
  meanwhile: { by: 'other' },
  call,
});

const RACES: Readonly<Record<string, Race>> = {
  'the first summary of a chunk stays': forImport({ 'summary#0': 'first' }, ({ imports }) =>
    imports.setSummary(ITEM, 0, SUMMARY).catch(() => {}),
  ),
  'an import that has ended gets no summary': forEnded(({ imports }) => imports.setSummary(ITEM, 0, SUMMARY)),
  'the first end of an import stays': forImport({ status: 'error', completed_at: AT }, ({ imports }) =>
    imports.settle(ENDED, LATER),
  ),
  'an import that is open stays among the open work': forImport({}, ({ imports }) => imports.close(ITEM)),
  'an import that was reverted meanwhile stays among the open work, because an event is owed': forImport(
    { reverted_at: LATER },
    ({ imports }) => imports.close(ENDED),
    ended,
  ),
  'an import that has ended is not postponed': forEnded(({ imports }) => imports.postpone(ITEM, LATER)),
  'an import that has ended is not cancelled': forEnded(({ imports }) => imports.cancel(ITEM, LATER, LATER)),
  'the first cancellation counts': forImport({ cancelled_at: AT }, ({ imports }) => imports.cancel(ITEM, LATER, LATER)),
  'no resend is counted of an import that has ended': forEnded(({ imports }) => imports.countResend(ITEM, LATER)),
  'a resend that another call has counted is not counted': forImport({ resends: 1 }, ({ imports }) =>
    imports.countResend(ITEM, LATER),
  ),
  'an import that has ended is not given up': forEnded(({ imports }) => imports.startClosing(ITEM, LATER, LATER)),
  'giving up is announced once': forImport({ closing_at: AT }, ({ imports }) =>
    imports.startClosing(ITEM, LATER, LATER),
  ),
  'what is stored apart from a plan is that of the first call': {
    key: namelessKey(ITEM, 0),
    meanwhile: { nameless: 'first' },
    call: ({ imports }) => imports.putPlan(LONG_KEPT, 0, NAMELESS).catch(() => {}),
  },

  'an id that was bound to another user meanwhile is not marked': forId({ user_id: 8 }, marking),
  'an id that was bound to another course meanwhile is not marked': forId({ platform_course_id: 102 }, marking),
  'the mark of another import stays': forId({ unused_at: AT }, marking),
  'an id that is bound to another user is not freed by a revert': forId({ user_id: 8 }, freeing),
  'an id that is bound to another course is not freed by a revert': forId({ platform_course_id: 102 }, freeing),

  'a contribution that is stored is not written again': forContribution({
    [contributionName({ ...WRITE.contribution, index: 5 })]: 'stored',
  }),
  'an item that is full takes no contribution': forContribution({ added: 100 * 1024, overflow: 1 }),

  'the gate is not passed on by one that has lost it': forGate(({ jobs }) => jobs.passGate(COMPANY, 'mine', true)),
  'no chunks are let pass a gate by one that has lost it': forGate(({ jobs }) => jobs.admitChunks(COMPANY, 'mine')),

  'the first report of a revert stays': {
    key: revertReportKey(ITEM),
    meanwhile: { report: 'first' },
    call: ({ reverts }) => reverts.putReport(ITEM, REPORT).catch(() => {}),
  },
  'a report that is gone is not replaced': {
    key: revertReportKey(ITEM),
    before: ({ reverts }) => reverts.putReport(ITEM, REPORT),
    call: ({ reverts }) => reverts.replaceReport(ITEM, REPORT),
  },
  'an import that is open is not marked as reverted': forImport(
    { status: 'processing' },
    ({ reverts }) => reverts.markReverted(ENDED, LATER),
    ended,
  ),
  'an import is marked as reverted once': forImport(
    { reverted_at: AT },
    ({ reverts }) => reverts.markReverted(ENDED, LATER),
    ended,
  ),

  'a payload that is gone is not replaced by what is left of it': {
    key: payloadKey(ITEM, 'f'.repeat(32)),
    call: ({ erasures }) => erasures.replaceChunk(ITEM, 0, { ...chunk, payload: { records: [] } as never }),
  },
  'a chunk without a summary gets none by an erasure': forImport({}, ({ erasures }) =>
    erasures.replaceChunk(ITEM, 0, { ...chunk, summary: SUMMARY }),
  ),
  'an import that is gone is not created by an erasure': {
    key: IMPORT,
    call: ({ erasures }) => erasures.noteChangedResults(ITEM, 1),
  },
  'the end of an erasure is not noted beside another one': {
    key: factKey(COMPANY, 'user', 7),
    meanwhile: { erasure_id: 'other', version: 1 },
    call: ({ erasures }) =>
      erasures.finish({ ...ERASURE, phase: 'opening', records: 0, resends: 0, version: 0 }, LATER),
  },
};

describe('a write whose condition no longer holds', () => {
  it.each(Object.entries(RACES))('%s', async (_, race) => {
    const { left, after } = await raced(race);
    expect(after).toEqual(left);
  });

  const held = { by: 'holder' };
  const first = { by: 'holder', waiting: '["first"]' };
  const take = ({ jobs }: Stores) => jobs.takeGate(COMPANY, 'second');
  const pass = ({ jobs }: Stores) => jobs.passGate(COMPANY, 'holder', false);
  it.each<[string, Attributes, Attributes, (stores: Stores) => Promise<unknown>, object]>([
    ['a gate that another one has closed meanwhile stays its own', {}, held, take, { ...held, waiting: ['second'] }],
    [
      'a revert that comes later never replaces one that waits',
      held,
      first,
      take,
      { ...held, waiting: ['first', 'second'] },
    ],
    ['nobody waits at a gate that was opened meanwhile', held, {}, take, { by: 'second' }],
    ['the gate is passed to a revert that has started to wait meanwhile', held, first, pass, { by: 'first' }],
  ])('%s', async (_, before, meanwhile, call, after) => {
    const key = gateKey(COMPANY);
    let isOpen = true;
    const { stores, table } = createWorld({
      observe: (command, memory) => {
        if (isOpen && command instanceof UpdateCommand) memory.write(key, { ...key, ...meanwhile });
        if (command instanceof UpdateCommand) isOpen = false;
      },
    });
    table.write(key, { ...key, ...before });
    await call(stores);
    expect(await stores.jobs.readGate(COMPANY)).toEqual({ epoch: 0, ...after });
  });
});
