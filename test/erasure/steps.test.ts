/** An erasure step by step: its waits, and the imports that wait for it. Costs milliseconds. */
import { expect, it, vi } from 'vitest';
import { resourcesOfType } from '../../bin/local/template.ts';
import { cancelImport } from '../../functions/imports/cancel.ts';
import { ERASURE_FENCE_MS, continueErasure } from '../../functions/erasure/steps.ts';
import { templateOf } from '../kit/template.ts';
import { ANN, ANN_ID, COMPANY, ERASE } from './person.ts';
import { useErasureWorld } from './world.ts';

const world = useErasureWorld();

const BEN = {
  external_record_id: 'ben',
  user: { email: 'ben@acme.test' },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct: 50 },
};
const OF_ANN = { ...BEN, external_record_id: 'planted', user: { email: ANN } };
const ids = (of = [...world.table.items()].find(({ sk }) => sk === 'erasure')) => ({
  company_id: COMPANY,
  erasure_id: String(of?.['pk']).split('#')[2] ?? '',
});
const phase = async () => (await world.stores.erasures.read(ids()))?.phase;
const go = async (hops = 0) => continueErasure({ kind: 'erasure', ...ids(), hops }, world.services);

it('an erasure removes nothing until earlier invocations have ended, while imports of the company wait', async () => {
  await world.accept('i'.repeat(26), [OF_ANN]);
  await world.comeToRest();
  await world.tell(ERASE);
  await go();
  expect([await phase(), world.contributions(ANN_ID).length]).toEqual(['closing', 1]);
  await world.accept('j'.repeat(26), [BEN]);
  for (const message of world.messages.splice(0)) expect(await world.deliverOne(message)).toBe(true);
  expect(world.contributions(8)).toEqual([]);
  world.clock.now += ERASURE_FENCE_MS - 1;
  await go();
  expect(await phase()).toBe('closing');
  world.clock.now += 1;
  await go();
  expect(await phase()).toBe('leaving');
  await world.comeToRest();
  expect([world.isErasing(), world.contributions(ANN_ID), world.contributions(8).length]).toEqual([false, [], 1]);
});

it('imports that waited are sent once nothing of the person can be written, until a revert is requested', async () => {
  await world.tell(ERASE);
  await go();
  await world.accept('j'.repeat(26), [BEN]);
  for (const message of world.messages.splice(0)) await world.deliverOne(message);
  world.clock.now += ERASURE_FENCE_MS;
  await go();
  const sent = world.messages.splice(0);
  expect([await phase(), sent]).toMatchObject(['leaving', [{ kind: 'chunk', import_id: 'j'.repeat(26) }]]);
  const deliver = async (message = {}) => {
    await world.deliverOne(message);
    return world.contributions(8).length;
  };
  expect(await world.stores.jobs.takeGate(COMPANY, 'erasure#next')).toBe(false);
  expect(await deliver(sent[0])).toBe(1);
  expect(await world.stores.jobs.takeGate(COMPANY, 'run#other')).toBe(false);
  await world.accept('k'.repeat(26), [{ ...BEN, external_record_id: 'ben-2' }]);
  expect(await deliver(world.messages.pop())).toBe(1);
  world.clock.now += ERASURE_FENCE_MS;
  await go();
  expect([await phase(), world.messages]).toEqual([undefined, []]);
  expect(await world.stores.jobs.readGate(COMPANY)).toEqual({ epoch: 0, by: 'erasure#next', waiting: ['run#other'] });
});

it('an import whose plan names the person is not carried out, though the rest of the company goes on', async () => {
  await world.accept('i'.repeat(26), [OF_ANN]);
  const [message = {}] = world.messages.splice(0);
  vi.spyOn(world.stores.progress, 'claim').mockRejectedValueOnce(new Error('killed'));
  expect(await world.deliverOne(message)).toBe(false);
  expect([...world.table.items()].filter(({ sk }) => String(sk).startsWith('plan#'))).toHaveLength(1);
  await world.tell(ERASE);
  await go();
  world.clock.now += ERASURE_FENCE_MS;
  await go();
  expect([await phase(), world.messages.length]).toEqual(['leaving', 1]);
  for (const sent of world.messages.splice(0)) await world.deliverOne(sent);
  expect(world.contributions(ANN_ID)).toEqual([]);
  await world.comeToRest();
  expect(world.findings()).toEqual([]);
});

it('an erasure waits for a revert of the company', async () => {
  await world.stores.jobs.takeGate(COMPANY, 'run#other');
  await world.tell(ERASE);
  await go();
  expect(await phase()).toBe('waiting');
  await world.stores.jobs.passGate(COMPANY, 'run#other', true);
  await go();
  expect(await phase()).toBe('closing');
});

it.each(['has ended', 'is open'])('a name that belongs to another user now stays in an import that %s', async (is) => {
  const records = [{ ...BEN, external_record_id: 'ben-2', user: { external_user_id: 'ext-ben' }, progress: {} }];
  await world.accept('i'.repeat(26), records);
  if (is === 'has ended') await world.comeToRest();
  await world.tell({ ...ERASE, emails: ['ben@acme.test'], external_user_ids: ['ext-ben'] });
  await world.comeToRest();
  const [reported] = await world.reported('i'.repeat(26));
  expect(reported).toMatchObject({ record: records[0], result: { external_record_id: 'ben-2' } });
});

it('neither messages nor log lines of an erasure identify the person', async () => {
  await world.tell(ERASE);
  await world.comeToRest();
  expect(world.findings()).toEqual([]);
  expect(world.telemetry.lines.map(({ message }) => message)).toContain('A person was erased.');
});

it('an erasure waits longer than any function runs that serves requests, chunks or facts', () => {
  const functions = resourcesOfType(templateOf({ company: 'acme', stage: 'production' }), 'AWS::Lambda::Function');
  // The check of the settings runs during a deployment only, and reads no data of a learner.
  const serving = functions.filter(([id]) => !id.startsWith('SettingsCheck'));
  expect(serving).toHaveLength(functions.length - 1);
  const timeouts = serving.map(([, { Timeout }]) => Number(Timeout));
  expect(Math.max(...timeouts) * 1_000).toBeLessThan(ERASURE_FENCE_MS);
});

it.each([
  ['is visited once more: a watchdog may archive what it read', 0, 'leaving'],
  ['long before is not', 1, undefined],
])('an import that was abandoned just before the fence %s', async (_, earlierMs, expected) => {
  const ids = { company_id: COMPANY, import_id: 'i'.repeat(26) };
  await world.accept(ids.import_id, [OF_ANN]);
  const at = new Date(world.clock.now).toISOString();
  await world.stores.imports.startClosing(ids, at, at);
  await cancelImport(ids, world.services);
  world.clock.now += earlierMs;
  await world.tell(ERASE);
  await go();
  world.clock.now += ERASURE_FENCE_MS;
  await go();
  expect(await phase()).toBe(expected);
});
