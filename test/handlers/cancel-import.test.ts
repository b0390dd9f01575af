/** The response to the cancellation of an import. Over the stores in memory; costs milliseconds. */
import { expect, it } from 'vitest';
import { handler as cancel } from '../../functions/handlers/cancel-import.ts';
import type { ImportItem } from '../../functions/shared/model.ts';
import { operationRequest } from '../kit/api-event.ts';
import { RECORDS, importWorld } from '../imports/world.ts';

const requestFor = (item: ImportItem) => operationRequest({ import: item });

it('the cancellation of an open import is 202, with its time', async () => {
  const world = await importWorld();
  await world.accept(RECORDS);
  const response = await cancel.operation(requestFor(await world.read()), world.services);
  const { cancelled_at } = await world.read();
  expect(response).toMatchObject({ statusCode: 202, body: { status: 'processing', cancelled_at, records: [] } });
});

it('the cancellation of an import that has ended, even since it was read, is 200 with its results', async () => {
  const world = await importWorld();
  await world.accept(RECORDS);
  const asRead = await world.read();
  await world.deliver();
  const response = await cancel.operation(requestFor(asRead), world.services);
  expect(response).toMatchObject({ statusCode: 200, body: { status: 'success', cancelled_at: null } });
  expect((response.body as { records: unknown[] }).records).toHaveLength(RECORDS.length);
});
