/** A revert step by step: its waits, the imports that wait, completion by the watchdog. Costs milliseconds. */
import { expect, it, vi } from 'vitest';
import { LONGEST_CHAIN } from '../../functions/jobs/queue.ts';
import { STEP_DUE_MS } from '../../functions/jobs/steps.ts';
import { FIRST_DUE_MS } from '../../functions/imports/lifecycle.ts';
import { instant } from '../../functions/records/instants.ts';
import { FENCE_MS, continueRevert } from '../../functions/reverts/steps.ts';
import { requestImportRevert } from '../../functions/reverts/request.ts';
import {
  ANN,
  COMPANY_ID,
  IMPORT_ID,
  MINUTE,
  RUN,
  RUN_SUBJECT,
  importWorld,
  record,
  useImportWorld,
} from '../imports/world.ts';

const SUBJECT = { kind: 'import', company_id: COMPANY_ID, import_id: IMPORT_ID } as const;
const OTHER = IMPORT_ID.toUpperCase().toLowerCase().replace('a', 'z');
const world = useImportWorld(async () => {
  await world.accept([record('a')]);
  await world.deliver();
});

const request = async () => requestImportRevert(await world.read(), 1, world.services);
const go = (hops = 0) => continueRevert({ kind: 'revert', subject: SUBJECT, hops }, world.services);
const phase = async () => (await world.stores.reverts.read(SUBJECT))?.phase;

it('a revert removes nothing until earlier invocations have ended, and opens the gate when its work is done', async () => {
  await request();
  await go();
  expect([await phase(), (await world.progressOf())?.contributions.length]).toEqual(['closing', 1]);
  world.clock.now += FENCE_MS - 1;
  await go();
  expect(await phase()).toBe('closing');
  world.clock.now += 1;
  await go();
  expect((await world.progressOf())?.contributions.length).toBe(0);
  expect([await phase(), await world.stores.jobs.readGate(COMPANY_ID)]).toEqual(['done', { epoch: 1 }]);
  expect((await world.read()).reverted_at).not.toBeNull();
});

it('imports that waited are sent as soon as the revert is done, and are planned again', async () => {
  await request();
  await go();
  await world.accept([record('a')], { import_id: OTHER });
  expect(await world.deliver()).toEqual([{ outcome: 'postponed' }]);
  world.clock.now += FENCE_MS;
  await go();
  expect(world.sent).toMatchObject([{ import_id: OTHER }]);
  await world.deliver();
  expect(await world.outcomes(OTHER)).toEqual(['applied']);
});

it('the watchdog counts no resend and abandons nothing while a revert runs', async () => {
  await request();
  await go();
  await world.accept([record('b')], { import_id: OTHER });
  world.sent.length = 0;
  world.clock.now += MINUTE;
  expect(await world.watch()).toEqual(expect.arrayContaining(['postponed']));
  expect(await world.read(OTHER)).toMatchObject({ resends: 0, due_at: instant(world.clock.now + FIRST_DUE_MS) });
});

it('the watchdog completes a revert whose messages are lost', async () => {
  await request();
  for (let minute = 0; minute < 8 && (await phase()) !== 'done'; minute += 1) {
    world.revertMessages.length = 0;
    world.clock.now += 2 * MINUTE;
    await world.watch();
    if (world.revertMessages.length === 0) continue;
    expect((await world.stores.reverts.read(SUBJECT))?.due_at).toBe(instant(world.clock.now + STEP_DUE_MS));
    await go();
  }
  expect(await phase()).toBe('done');
});

it('a revert waits for another revert of the company', async () => {
  await world.stores.jobs.takeGate(COMPANY_ID, 'run#other');
  await request();
  await go();
  expect(await phase()).toBe('waiting');
  await world.stores.jobs.passGate(COMPANY_ID, 'run#other', true);
  await go();
  expect(await phase()).toBe('closing');
});

it('reverts that wait share one pause of half a minute, and get the gate in the order in which they came', async () => {
  const ids = ['one', 'two', 'three'];
  for (const import_id of ids) await world.accept([record(import_id)], { import_id });
  await world.deliver();
  await request();
  await go();
  for (const import_id of ids) await requestImportRevert(await world.read(import_id), 1, world.services);
  for (const message of world.revertMessages.splice(0)) await continueRevert(message, world.services);
  expect((await world.stores.jobs.readGate(COMPANY_ID)).waiting).toEqual(ids.map((id) => `import#${id}`));
  world.revertMessages.length = 0;
  world.clock.now += FENCE_MS;
  await go();
  expect(FENCE_MS).toBeLessThanOrEqual(MINUTE / 2);
  expect(world.revertMessages).toEqual([]);
  expect(await world.stores.jobs.readGate(COMPANY_ID)).toEqual({ epoch: 4 });
  for (const import_id of ids) expect((await world.read(import_id)).reverted_at).not.toBeNull();
});

it('an erasure that waits for a revert is sent a message as soon as that is done', async () => {
  await request();
  await go();
  await world.stores.jobs.takeGate(COMPANY_ID, 'erasure#one');
  world.clock.now += FENCE_MS;
  await go();
  expect((await world.stores.jobs.readGate(COMPANY_ID)).by).toBe('erasure#one');
  expect(world.erasureMessages).toMatchObject([{ kind: 'erasure', company_id: COMPANY_ID, erasure_id: 'one' }]);
});

it('the revert event is sent after the end event of the import, even if that one was still missing', async () => {
  const types = () => world.events.map(({ type, import: { reverted_at } }) => [type, reverted_at === null]);
  await world.revert();
  expect(types()).toEqual([
    ['Import Ended', true],
    ['Import Reverted', false],
  ]);
  const late = await importWorld();
  await late.accept([record('a')]);
  vi.spyOn(late.services.events, 'send').mockRejectedValueOnce(new Error('down'));
  await late.deliver();
  await late.revert();
  expect(late.events.map(({ type }) => type)).toEqual(['Import Ended', 'Import Reverted']);
  expect((await late.read()).due_at).toBeUndefined();
});

it('the revert event is sent later if it cannot be sent now', async () => {
  vi.spyOn(world.services.events, 'send').mockRejectedValueOnce(new Error('down'));
  await world.revert();
  expect(world.events.map(({ type }) => type)).toEqual(['Import Ended']);
  world.clock.now += MINUTE;
  await world.watch();
  expect(world.events.map(({ type }) => type)).toEqual(['Import Ended', 'Import Reverted']);
});

it('an import is reverted once: its run was reverted meanwhile → the revert ends without changes', async () => {
  Object.assign(world, await importWorld());
  for (const [import_id, email] of [
    [IMPORT_ID, 'ann@acme.test'],
    [OTHER, 'ben@acme.test'],
  ] as const)
    await world.accept([record(import_id, email)], { import_id, run_id: RUN.run_id });
  await world.deliver();
  await world.stores.jobs.takeGate(COMPANY_ID, `run#${RUN.run_id}`);
  await request();
  world.revertMessages.length = 0;
  await world.revert(RUN);
  expect(await world.stores.reverts.read(RUN_SUBJECT)).toMatchObject({
    phase: 'done',
    counts: { total: 2, reverted: 2 },
  });
  await world.accept([record('a')], { import_id: 'later' });
  await world.deliver();
  await go();
  // From an invocation that was killed before the run was reverted.
  await world.stores.jobs.takeGate(COMPANY_ID, `import#${IMPORT_ID}`);
  world.clock.now += FENCE_MS;
  await go();
  expect(await phase()).toBe('done');
  expect((await world.stores.jobs.readGate(COMPANY_ID)).by).toBeUndefined();
  expect((await world.progressOf(ANN))?.contributions).toMatchObject([{ import_id: 'later' }]);
});

it('the watchdog continues a long chain before it ends, without a pause and without stopping the invocation that works', async () => {
  await request();
  await go();
  world.clock.now += FENCE_MS;
  const late = LONGEST_CHAIN - 1;
  const { remove } = world.stores.reverts;
  vi.spyOn(world.stores.reverts, 'remove').mockImplementationOnce(async (...removed) => {
    world.revertMessages.length = 0;
    await world.watch();
    await remove(...removed);
  });
  await go(late);
  expect(world.revertMessages).toMatchObject([{ kind: 'revert', hops: 0 }]);
  expect([await phase(), (await world.stores.reverts.read(SUBJECT))?.resends]).toEqual(['done', 0]);
});

it('a revert that gets the gate leaves its turn to an invocation that still looks for the gate', async () => {
  await world.accept([record('b')], { import_id: OTHER });
  await world.deliver();
  await request();
  await go();
  await requestImportRevert(await world.read(OTHER), 1, world.services);
  const sent = world.revertMessages.splice(0);
  const message = sent.find(({ subject }) => JSON.stringify(subject).includes(OTHER));
  const jobs = { ...world.stores.jobs };
  const looks = Promise.withResolvers<void>();
  const resumes = Promise.withResolvers<void>();
  vi.spyOn(world.stores.jobs, 'takeGate').mockImplementationOnce(async (...asked) => {
    looks.resolve();
    await resumes.promise;
    return jobs.takeGate(...asked);
  });
  world.clock.now += FENCE_MS - 1;
  const late = continueRevert(message ?? never(), world.services);
  await looks.promise;
  world.clock.now += 1;
  await go();
  resumes.resolve();
  await late;
  for (const each of world.revertMessages.splice(0)) {
    world.clock.now += FENCE_MS;
    await continueRevert(each, world.services);
  }
  expect((await world.stores.jobs.readGate(COMPANY_ID)).by).toBeUndefined();
  expect((await world.read(OTHER)).reverted_at).not.toBeNull();
});

function never(): never {
  throw new Error('no message was sent');
}
