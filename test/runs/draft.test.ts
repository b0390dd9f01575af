/** What several people decide about a run at once, and how a draft ends. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { matching, removeRun, saveRun } from '../../functions/runs/draft.ts';
import { runKey } from '../../functions/dynamodb/table.ts';
import { newRun } from '../../functions/imports/import-lists.ts';
import { instant } from '../../functions/records/instants.ts';
import { createWorld } from '../kit/world.ts';
import { waitingPlan } from '../plans/plans.ts';

const RUN = { company_id: 'acme', run_id: 'run' };

function draftWorld() {
  const { services, stores, clock, table } = createWorld();
  const decide = (decisions: object, by = 1, ifMatch?: string) =>
    saveRun(RUN, { decisions, by, expected: matching(ifMatch) }, services);
  const putRun = (dry_run: boolean) => stores.imports.putRun(RUN, { created_at: instant(clock.now), by: 1, dry_run });
  const read = () => stores.runs.read(RUN);
  const remove = () => removeRun(RUN, services);
  return { services, stores, clock, table, decide, putRun, read, remove };
}

describe('a decision', () => {
  it('makes the run, raises its version, and leaves what it does not name', async () => {
    const { decide, read, clock, stores } = draftWorld();
    const created_at = instant(clock.now);
    expect(await decide({ title: 'Spring', document: { a: 1 } })).toMatchObject({ kind: 'created' });
    clock.now += 1_000;
    expect(await decide({ shape: 'moodle', title: null }, 2)).toMatchObject({ kind: 'changed' });
    const who = { created_at, created_by: 1, updated_by: 2, updated_at: instant(clock.now) };
    expect(await read()).toMatchObject({ ...who, title: null, shape: 'moodle', version: 2, imported: false });
    expect(await stores.runs.readDocument(RUN)).toEqual({ a: 1 });
    await decide({ document: null });
    expect(await stores.runs.readDocument(RUN)).toBeNull();
  });

  it.each(['"1"', 'W/"1"', '"0", "1"', '*', undefined])('is stored where If-Match is %s', async (ifMatch) => {
    const { decide } = draftWorld();
    await decide({ title: 'Spring' });
    expect(await decide({ title: 'Autumn' }, 2, ifMatch)).toMatchObject({ kind: 'changed', run: { version: 2 } });
  });

  it.each(['"0"', '"2"', '1', ''])('is refused where If-Match is %s', async (ifMatch) => {
    const { decide, read } = draftWorld();
    await decide({ title: 'Spring' });
    expect(await decide({ title: 'Autumn' }, 2, ifMatch)).toMatchObject({ kind: 'conflict', run: { version: 1 } });
    expect(await read()).toMatchObject({ title: 'Spring' });
  });

  it('on a run that nobody made is refused with any If-Match', async () => {
    const { decide, read } = draftWorld();
    expect(await decide({ title: 'Spring' }, 1, '*')).toEqual({ kind: 'conflict', run: undefined });
    expect(await read()).toBeUndefined();
  });

  it('of each of several people at once is kept', async () => {
    const { decide, read } = draftWorld();
    const members = [{ title: 'Spring' }, { shape: 'moodle' }, { language: 'de' }, { notify: [1] }, { document: {} }];
    await Promise.all(members.map((decisions, by) => decide(decisions, by)));
    const kept = { title: 'Spring', shape: 'moodle', language: 'de', notify: [1], version: members.length };
    expect(await read()).toMatchObject(kept);
  });

  it('on a run of an earlier release leaves it no draft', async () => {
    const { decide, table, read, remove } = draftWorld();
    const made = newRun(RUN, { created_at: '2025-01-01T00:00:00.000Z', by: 1 });
    const { created_by: _, version: _none, ...stored } = made;
    table.write(runKey(RUN), stored);
    const earlier = { version: undefined, created_by: null, created_at: '2025-01-01T00:00:00.000Z', imported: true };
    expect(await read()).toMatchObject(earlier);
    await decide({ title: 'Spring' });
    expect(await read()).toMatchObject({ version: 1, imported: true });
    expect(await remove()).toBe('closed');
  });
});

describe('a draft', () => {
  it('is removed with its document, and its plan is withdrawn', async () => {
    const { stores, decide, read, remove } = draftWorld();
    await decide({ document: { a: 1 } });
    const plan = waitingPlan('a000000000000');
    await stores.plans.make(plan, [], undefined);
    expect(await remove()).toBe('removed');
    expect([await read(), await stores.runs.readDocument(RUN)]).toEqual([undefined, null]);
    expect(await stores.plans.read(plan)).toMatchObject({ status: 'withdrawn' });
    expect(await remove()).toBe('unknown');
  });

  it('whose plans were cancelled before any import is removed with their comments, and evidence names none', async () => {
    const { stores, decide, remove } = draftWorld();
    await decide({ title: 'Spring' });
    const cancelled = { status: 'cancelled', phase: 'done', comment: 'Ask Zoe' } as const;
    let former: Awaited<ReturnType<typeof stores.plans.read>>;
    for (const [plan_id, applied_at] of [
      ['a000000000001', '2026-01-01T00:00:00.000Z'],
      ['a000000000002', '2026-01-02T00:00:00.000Z'],
    ] as const) {
      const plan = waitingPlan(plan_id);
      await stores.plans.make(plan, [], former);
      const begun = await stores.plans.beginApplying(plan, { status: 'applying', phase: 'applying', applied_at });
      if (begun !== undefined) former = await stores.plans.advance(begun, cancelled);
    }
    expect(await remove()).toBe('removed');
    expect(await stores.plans.appliedPlans(RUN)).toEqual([]);
    const plans = await stores.plans.readPlans('acme', ['a000000000001', 'a000000000002']);
    expect(plans).toMatchObject([
      { status: 'cancelled', comment: null },
      { status: 'cancelled', comment: null },
    ]);
  });

  it.each([
    ['a real import is made', async ({ putRun }: ReturnType<typeof draftWorld>) => putRun(false)],
    [
      'its plan is applying',
      async ({ stores }: ReturnType<typeof draftWorld>) => {
        const plan = waitingPlan('a000000000000');
        await stores.plans.make(plan, [], undefined);
        await stores.plans.advance(plan, { status: 'applying' });
      },
    ],
  ])('is none once %s', async (_, begin) => {
    const world = draftWorld();
    await world.decide({ title: 'Spring' });
    await begin(world);
    expect(await world.remove()).toBe('closed');
    expect(await world.read()).toMatchObject({ title: 'Spring' });
  });

  it('stays where a real import begins between the read and the removal', async () => {
    const { decide, putRun, stores, read } = draftWorld();
    await decide({ title: 'Spring' });
    const asRead = await read();
    await putRun(false);
    expect(asRead && (await stores.runs.remove(asRead, []))).toBe(false);
    expect(await read()).toMatchObject({ imported: true });
  });
});
