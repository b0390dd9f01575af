/** The event at the end of an import: at least one, even after a fault between the end and the event. Milliseconds. */
import type { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { describe, expect, it, vi } from 'vitest';
import { eventBus, runEventBus, type ImportEvent } from '../../functions/runtime/event-bus.ts';
import { importWithoutRecords } from '../../functions/imports/import-item.ts';
import type { Run } from '../../functions/shared/model.ts';
import { importItem } from '../dynamodb/samples.ts';
import { MINUTE, RECORDS, importWorld } from '../imports/world.ts';

const ENDED: ImportEvent = {
  type: 'Import Ended',
  import: importWithoutRecords(importItem('acme', { status: 'success' })),
};

function busOver(respond: () => unknown) {
  const sent: PutEventsCommand[] = [];
  const client = {
    send: async (command: PutEventsCommand) => {
      sent.push(command);
      return respond();
    },
  };
  return { sent, bus: eventBus({ client: client as never, stage: 'sandbox' }) };
}

describe('an event', () => {
  it('an event holds the import without its records, its stage, and the same id if it is sent again', async () => {
    const { sent, bus } = busOver(() => ({ FailedEntryCount: 0 }));
    await bus.send(ENDED);
    await bus.send(ENDED);
    await bus.send({ ...ENDED, type: 'Import Reverted' });
    const entries = sent.map(({ input }) => input.Entries?.[0]);
    const details = entries.map((entry) => JSON.parse(entry?.Detail ?? ''));
    expect(entries[0]).toMatchObject({ Source: 'course-progress-migration', DetailType: 'Import Ended' });
    expect(details[0]).toEqual({ event_id: expect.any(String), stage: 'sandbox', ...ENDED.import });
    expect(details[1]).toEqual(details[0]);
    expect(details[2].event_id).not.toBe(details[0].event_id);
  });

  it('a notice holds the run, its stage, and an id that is another one for what happened later', async () => {
    const sent: PutEventsCommand[] = [];
    const client = { send: async (command: PutEventsCommand) => (sent.push(command), { FailedEntryCount: 0 }) };
    const bus = runEventBus({ client: client as never, stage: 'sandbox' });
    const run = { company_id: 'acme', run_id: 'r' } as Run;
    for (const when of ['first', 'first', 'second']) await bus.send({ type: 'Run Reverted', run, of: when });
    const entries = sent.map(({ input }) => input.Entries?.[0]);
    expect(entries[0]).toMatchObject({ Source: 'course-progress-migration', DetailType: 'Run Reverted' });
    const details = entries.map((entry) => JSON.parse(entry?.Detail ?? ''));
    expect(details[0]).toEqual({ event_id: expect.any(String), stage: 'sandbox', ...run });
    expect(details[1]).toEqual(details[0]);
    expect(details[2].event_id).not.toBe(details[0].event_id);
  });

  it('an event that the bus refuses for now is reported as temporarily unavailable', async () => {
    const refused = busOver(() => ({ FailedEntryCount: 1, Entries: [{ ErrorCode: 'ThrottlingException' }] }));
    await expect(refused.bus.send(ENDED)).rejects.toMatchObject({ name: 'TemporarilyUnavailable' });
    const down = busOver(() => {
      throw Object.assign(new Error('down'), { name: 'InternalException' });
    });
    await expect(down.bus.send(ENDED)).rejects.toMatchObject({ name: 'TemporarilyUnavailable' });
  });
});

describe('the end of an import', () => {
  it('the end event is sent once, after the import reads as terminal', async () => {
    const world = await importWorld();
    const send = vi.spyOn(world.services.events, 'send').mockImplementation(async ({ import: sent }) => {
      expect(importWithoutRecords(await world.read())).toEqual(sent);
    });
    await world.accept(RECORDS);
    await world.deliver();
    expect(send).toHaveBeenCalledTimes(1);
    expect(await world.watch(true)).toEqual([]);
  });

  it('the watchdog sends the end event if the bus was down, and no other run sends it after that', async () => {
    const world = await importWorld();
    vi.spyOn(world.services.events, 'send').mockRejectedValueOnce(new Error('down'));
    await world.accept(RECORDS);
    await world.deliver();
    expect(world.events).toEqual([]);
    world.clock.now += MINUTE;
    await world.watch();
    expect(world.events).toEqual([{ type: 'Import Ended', import: importWithoutRecords(await world.read()) }]);
    world.clock.now += MINUTE;
    await world.watch();
    expect(world.events).toHaveLength(1);
  });

  it('a dry run sends no end event', async () => {
    const world = await importWorld();
    await world.accept(RECORDS, { dry_run: true });
    expect(await world.watch(true)).toEqual([]);
    expect(world.events).toEqual([]);
  });
});
