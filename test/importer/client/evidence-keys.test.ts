/** Where the keys of evidence come from: a service, without a session. Costs milliseconds. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { fetchEvidenceKeys } from '../../../bin/importer/client/evidence-keys.ts';
import { envelope } from './fake-service.ts';

const KEYS = [{ kty: 'EC', kid: 'k1' }];

it('fetches the keys of an address without a session; a service that signs no evidence has none', async () => {
  const server = createServer(({ url }, response) => {
    const isKeys = url === '/stage/api/v1/auth/.well-known/evidence-jwks.json';
    response.writeHead(isKeys ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKeys ? { keys: KEYS } : envelope('route_not_found')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await fetchEvidenceKeys(`http://127.0.0.1:${port}/stage`)).toEqual(KEYS);
  await expect(fetchEvidenceKeys(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ status: 404 });
});
