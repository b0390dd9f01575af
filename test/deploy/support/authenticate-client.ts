import type { LocalStack } from '../../../bin/local/stack.ts';
import type { Send } from '../../kit/http-client.ts';
import { machine } from '../../kit/machine.ts';
import { functionOf } from './clone-import.ts';

/** A client that is registered, gets a token, calls a function of each role, and is removed. */
export async function authenticateClient(stack: LocalStack, send: Send): Promise<void> {
  const { fact, asking } = machine('acme');
  const tell = (more: object) => functionOf(stack, 'Intake').attempt({ facts: [{ ...fact, ...more }] });
  await tell({});
  const { issuer } = (await send('GET', '/api/v1/auth/.well-known/oauth-authorization-server')).body;
  const { headers = {}, body: form } = await asking(issuer, Date.now(), 'one');
  const { status, body } = await send('POST', '/api/v1/auth/token', { body: form, headers });
  if (status !== 200) throw new Error(`the token of a client was answered ${status}`);
  const { access_token: token } = body;
  await send('GET', '/v1/migrations/acme/catalog/courses', { token });
  await send('POST', '/api/v1/auth/logout', { token });
  for (const path of ['users/mappings', 'progress/imports', 'progress/imports/x/cancel', 'progress/runs/x/evidence'])
    await send('POST', `/v1/migrations/acme/${path}`, { token, body: {} });
  // The second is stale, the third forced.
  for (const more of [{ version: 2 }, { version: 2 }, { version: 1, force: true }])
    await tell({ ...more, deleted: true });
}
