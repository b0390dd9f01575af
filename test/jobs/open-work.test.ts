/** The index of open work, and the watchdog over each kind of it. Costs milliseconds. */
import { beforeEach, describe, expect, it } from 'vitest';
import { watchOpen, type OpenWork } from '../../functions/jobs/open-work.ts';
import {
  dueAt,
  erasureKey,
  importKey,
  importRevertKey,
  runRevertKey,
  type Key,
} from '../../functions/dynamodb/table.ts';
import { START_MS, createWorld } from '../kit/world.ts';

let world: ReturnType<typeof createWorld>;
beforeEach(() => {
  world = createWorld();
});

const at = (ms: number) => new Date(START_MS + ms).toISOString();
const plant = (key: Key, ms: number, more: object = {}) =>
  world.table.write(key, { ...key, ...dueAt(at(ms)), resends: 0, ...more });

it('listOpen: the key of an entry → the kind of work and its ids, oldest due first', async () => {
  const subject = { company_id: 'acme', import_id: 'i' };
  plant(importKey({ company_id: 'acme', import_id: 'i' }), 4, { closing_at: at(0), resends: 3 });
  plant(importRevertKey({ company_id: 'acme', import_id: 'i' }), 3);
  plant(runRevertKey({ company_id: 'acme', run_id: 'a#b' }), 2);
  plant(erasureKey('acme', 'e'), 1);
  const due = (ms: number) => ({ due_at: at(ms), resends: 0, isClosing: false });
  expect(await world.stores.jobs.listOpen()).toEqual([
    { kind: 'erasure', company_id: 'acme', erasure_id: 'e', ...due(1) },
    { kind: 'revert', subject: { kind: 'run', company_id: 'acme', run_id: 'a#b' }, ...due(2) },
    { kind: 'revert', subject: { kind: 'import', ...subject }, ...due(3) },
    { kind: 'import', ...subject, due_at: at(4), resends: 3, isClosing: true },
  ]);
});

describe('open work', () => {
  const erasure = (id: string, ms: number, company_id = 'acme'): OpenWork => ({
    kind: 'erasure',
    company_id,
    erasure_id: id,
    due_at: at(ms),
    resends: 0,
    isClosing: false,
  });
  async function watched(open: readonly OpenWork[], everyOpen?: boolean) {
    const seen: string[] = [];
    const watch = async (work: OpenWork): Promise<undefined> => {
      const id = work.kind === 'erasure' ? work.erasure_id : 'of another kind';
      if (id === 'broken') throw new Error('down');
      seen.push(id);
    };
    for await (const outcomes of watchOpen(open, watch, world.services, everyOpen)) expect(outcomes).toEqual([]);
    return seen;
  }

  it('open work is watched once it is due, or at once after a restart', async () => {
    const open = [erasure('now', 0), erasure('later', 1)];
    expect(await watched(open)).toEqual(['now']);
    expect(await watched(open, true)).toEqual(['now', 'later']);
  });

  it('companies take turns, each with its oldest work first', async () => {
    const many = ['a', 'b', 'c'].map((id, ms) => erasure(id, -10 + ms));
    expect(await watched([...many, erasure('d', -1, 'other')])).toEqual(['a', 'd', 'b', 'c']);
  });

  it('open work is still watched if another piece of it fails, which is logged', async () => {
    expect(await watched([erasure('broken', 0), erasure('next', 0)])).toEqual(['next']);
    expect(world.telemetry.lines).toMatchObject([
      { message: 'An erasure could not be watched. The next run tries again.', fields: { erasure_id: 'broken' } },
    ]);
  });
});
