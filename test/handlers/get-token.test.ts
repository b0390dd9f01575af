/** What a request for a token counts and logs: an operator sees who asked, and what may be a theft. In memory; costs milliseconds. */
import { beforeEach, expect, it } from 'vitest';
import { handler } from '../../functions/handlers/get-token.ts';
import { applyMessage } from '../../functions/platform/apply-facts.ts';
import { invoke } from '../kit/api-event.ts';
import { CLIENT_ID, machine } from '../kit/machine.ts';
import { createWorld, type World } from '../kit/world.ts';

const { fact, asking } = machine('acme');
let world: World;
beforeEach(async () => {
  world = createWorld();
  await applyMessage({ facts: [fact] }, world.services);
});

const issuer = () => world.services.parties.issuer;
async function asked(jti: string, aud = issuer()) {
  const counted = world.telemetry.samples.length;
  const { status } = await invoke(handler.on(world.services), await asking(aud, world.clock.now, jti));
  const metrics = world.telemetry.samples.slice(counted).map(({ metric, value }) => `${metric} ${value}`);
  return { status, metrics, logged: world.telemetry.lines.at(-1)?.fields };
}

it('a token is logged with its client', async () => {
  const { status, metrics, logged } = await asked('one');
  expect([status, metrics]).toEqual([200, []]);
  expect(logged).toMatchObject({ client_id: CLIENT_ID, company_id: 'acme' });
});

it('an assertion that is used again is a sign of a theft, and names its client', async () => {
  await asked('one');
  const { status, metrics, logged } = await asked('one');
  expect([status, metrics]).toEqual([401, ['TokensRefused 1', 'LoginsRefused 10', 'Suspicion 200', 'Attention 200']]);
  expect(logged).toMatchObject({ client_id: CLIENT_ID });
});

it('a refused assertion counts as a failed login does, and names nobody', async () => {
  const { status, metrics, logged } = await asked('one', 'urn:else');
  expect([status, metrics]).toEqual([401, ['TokensRefused 1', 'LoginsRefused 1', 'Suspicion 20', 'Attention 20']]);
  expect(logged).not.toHaveProperty('client_id');
});
