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
  importRevertKey,
  learnerCourseKey,
  namelessKey,
  payloadKey,
  revertReportKey,
  runKey,
  type Key,
} from '../../functions/dynamodb/table.ts';
import { contributionName } from '../../functions/imports/contribution-item.ts';
import type { Plan } from '../../functions/shared/model.ts';
import { readStatement } from '../kit/memory-table/statements.ts';
import { createWorld, type World } from '../kit/world.ts';
import { AT, IMPORT_ID, SUMMARY, importItem, revertOf, write } from './samples.ts';

const COMPANY = 'acme';
const LATER = '2026-01-03T03:04:05.678Z';
const ITEM = importItem(COMPANY);
const ENDED = importItem(COMPANY, { status: 'success', completed_at: AT, summaries: { 0: SUMMARY, 1: SUMMARY } });
const IMPORT = importKey(COMPANY, IMPORT_ID);
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

const DAY_MS = 86_400_000;
/** Of a record without a user, for an import whose results outlive the details of such records. */
const NAMELESS: Plan = {
  records: [{ user: 'x' }],
  planned: [
    {
      result: {
        index: 0,
        external_record_id: 'a',
        status: 'error',
        outcome: 'rejected',
        errors: [{ error_code: 'user_not_found', message: '' }],
        warnings: [],
        progress: null,
      } as never,
    },
  ],
};
const LONG_KEPT = { ...ITEM, expires_at: new Date(Date.parse(AT) + 400 * DAY_MS).toISOString() };

const REVERT = revertOf(COMPANY);
const REPORT = { records: [], freed: [] };

const committed = ({ imports }: Stores) => imports.commit(ITEM);
const ended = ({ imports }: Stores) => imports.commit(ENDED);
const claimed = ({ progress }: Stores) => progress.claim(COMPANY, [CLAIM]);
const contributed = ({ progress }: Stores) => progress.contribute(COMPANY, [WRITE]);
const free = ({ progress }: Stores, nowMs = NOW) => progress.freeUnused(COMPANY, [WRITE], nowMs, 0);
const marked = async (stores: Stores) => {
  await claimed(stores);
  await free(stores, NOW - 1);
};
const again = ({ progress }: Stores) =>
  progress.contribute(COMPANY, [{ ...write({ record: { external_record_id: 'b', index: 5 } }), items: 1 }]);
const chunk = { plan: undefined, payload: undefined, nameless: undefined, summary: undefined };

const RACES: Readonly<Record<string, Race>> = {
  'an import that exists is not created': {
    key: IMPORT,
    before: committed,
    meanwhile: { attempt_id: 'first' },
    call: ({ imports }) => imports.commit({ ...ITEM, attempt_id: 'second' }),
  },
  'the first summary of a chunk stays': {
    key: IMPORT,
    before: committed,
    meanwhile: { 'summary#0': 'first' },
    call: ({ imports }) => imports.setSummary(COMPANY, IMPORT_ID, 0, SUMMARY).catch(() => {}),
  },
  'an import that has ended gets no summary': {
    key: IMPORT,
    before: committed,
    meanwhile: { status: 'success' },
    call: ({ imports }) => imports.setSummary(COMPANY, IMPORT_ID, 0, SUMMARY),
  },
  'the first end of an import stays': {
    key: IMPORT,
    before: committed,
    meanwhile: { status: 'error', completed_at: AT },
    call: ({ imports }) => imports.settle(ENDED, LATER),
  },
  'an import that is open stays among the open work': {
    key: IMPORT,
    before: committed,
    meanwhile: {},
    call: ({ imports }) => imports.close(ITEM),
  },
  'an import that was reverted meanwhile stays among the open work, because an event is owed': {
    key: IMPORT,
    before: ended,
    meanwhile: { reverted_at: LATER },
    call: ({ imports }) => imports.close(ENDED),
  },
  'an import that has ended is not postponed': {
    key: IMPORT,
    before: committed,
    meanwhile: { status: 'success' },
    call: ({ imports }) => imports.postpone(ITEM, LATER),
  },
  'an import that has ended is not cancelled': {
    key: IMPORT,
    before: committed,
    meanwhile: { status: 'success' },
    call: ({ imports }) => imports.cancel(ITEM, LATER, LATER),
  },
  'the first cancellation counts': {
    key: IMPORT,
    before: committed,
    meanwhile: { cancelled_at: AT },
    call: ({ imports }) => imports.cancel(ITEM, LATER, LATER),
  },
  'no resend is counted of an import that has ended': {
    key: IMPORT,
    before: committed,
    meanwhile: { status: 'success' },
    call: ({ imports }) => imports.countResend(ITEM, LATER),
  },
  'a resend that another call has counted is not counted': {
    key: IMPORT,
    before: committed,
    meanwhile: { resends: 1 },
    call: ({ imports }) => imports.countResend(ITEM, LATER),
  },
  'an import that has ended is not given up': {
    key: IMPORT,
    before: committed,
    meanwhile: { status: 'success' },
    call: ({ imports }) => imports.startClosing(ITEM, LATER, LATER),
  },
  'giving up is announced once': {
    key: IMPORT,
    before: committed,
    meanwhile: { closing_at: AT },
    call: ({ imports }) => imports.startClosing(ITEM, LATER, LATER),
  },
  'a run is listed by its first import': {
    key: runKey(COMPANY, 'run'),
    meanwhile: { run_id: 'run', first: true },
    call: ({ imports }) => imports.putRun(COMPANY, 'run', LATER),
  },
  'what is stored apart from a plan is that of the first call': {
    key: namelessKey(COMPANY, IMPORT_ID, 0),
    meanwhile: { nameless: 'first' },
    call: ({ imports }) => imports.putPlan(LONG_KEPT, 0, NAMELESS).catch(() => {}),
  },

  'an id that was bound to another user meanwhile is not marked': {
    key: ID,
    before: claimed,
    meanwhile: { user_id: 8 },
    call: (stores) => free(stores),
  },
  'an id that was bound to another course meanwhile is not marked': {
    key: ID,
    before: claimed,
    meanwhile: { platform_course_id: 102 },
    call: (stores) => free(stores),
  },
  'the mark of another import stays': {
    key: ID,
    before: claimed,
    meanwhile: { unused_at: AT },
    call: (stores) => free(stores),
  },
  'an id that was marked later is not freed': {
    key: ID,
    before: marked,
    meanwhile: { unused_at: LATER },
    call: (stores) => free(stores),
  },
  'an id that was freed is not bound by removing its mark': {
    key: ID,
    before: marked,
    call: (stores) => claimed(stores).catch(() => {}),
  },
  'an id that is bound to another user is not freed by a revert': {
    key: ID,
    before: claimed,
    meanwhile: { user_id: 8 },
    call: ({ reverts }) => reverts.free(COMPANY, [WRITE]),
  },
  'an id that is bound to another course is not freed by a revert': {
    key: ID,
    before: claimed,
    meanwhile: { platform_course_id: 102 },
    call: ({ reverts }) => reverts.free(COMPANY, [WRITE]),
  },

  'a contribution that is stored is not written again': {
    key: LEARNER,
    before: contributed,
    meanwhile: { [contributionName({ ...WRITE.contribution, index: 5 })]: 'stored' },
    call: again,
  },
  'an item that is full takes no contribution': {
    key: LEARNER,
    before: contributed,
    meanwhile: { added: 100 * 1024, overflow: 1 },
    call: again,
  },

  'the gate is not passed on by one that has lost it': {
    key: gateKey(COMPANY),
    before: ({ jobs }) => jobs.takeGate(COMPANY, 'mine'),
    meanwhile: { by: 'other' },
    call: ({ jobs }) => jobs.passGate(COMPANY, 'mine', true),
  },

  'no chunks are let pass a gate by one that has lost it': {
    key: gateKey(COMPANY),
    before: ({ jobs }) => jobs.takeGate(COMPANY, 'mine'),
    meanwhile: { by: 'other' },
    call: ({ jobs }) => jobs.admitChunks(COMPANY, 'mine'),
  },

  'a revert takes no step that another invocation took first': {
    key: importRevertKey(COMPANY, IMPORT_ID),
    before: ({ reverts }) => reverts.request(REVERT),
    meanwhile: { version: 1 },
    call: ({ reverts }) => reverts.advance(REVERT, { phase: 'closing' }),
  },
  'a revert does not end that covers another request by now': {
    key: importRevertKey(COMPANY, IMPORT_ID),
    before: ({ reverts }) => reverts.request(REVERT),
    meanwhile: { covers: LATER },
    call: ({ reverts }) => reverts.finish(REVERT, LATER),
  },
  'the first report of a revert stays': {
    key: revertReportKey(COMPANY, IMPORT_ID),
    meanwhile: { report: 'first' },
    call: ({ reverts }) => reverts.putReport(ITEM, REPORT).catch(() => {}),
  },
  'a report that is gone is not replaced': {
    key: revertReportKey(COMPANY, IMPORT_ID),
    before: ({ reverts }) => reverts.putReport(ITEM, REPORT),
    call: ({ reverts }) => reverts.replaceReport(ITEM, REPORT),
  },
  'an import that is open is not marked as reverted': {
    key: IMPORT,
    before: ended,
    meanwhile: { status: 'processing' },
    call: ({ reverts }) => reverts.markReverted(ENDED, LATER),
  },
  'an import is marked as reverted once': {
    key: IMPORT,
    before: ended,
    meanwhile: { reverted_at: AT },
    call: ({ reverts }) => reverts.markReverted(ENDED, LATER),
  },

  'a payload that is gone is not replaced by what is left of it': {
    key: payloadKey(COMPANY, IMPORT_ID, 'f'.repeat(32)),
    call: ({ erasures }) => erasures.replaceChunk(ITEM, 0, { ...chunk, payload: { records: [] } as never }),
  },
  'a chunk without a summary gets none by an erasure': {
    key: IMPORT,
    before: committed,
    meanwhile: {},
    call: ({ erasures }) => erasures.replaceChunk(ITEM, 0, { ...chunk, summary: SUMMARY }),
  },
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
