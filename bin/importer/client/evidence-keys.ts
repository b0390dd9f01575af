import type { EvidenceKeys } from '../wire/types.ts';
import { routePath } from '../wire/values.ts';
import { fetchTransport } from './transport.ts';

const TIMEOUT_MS = 20_000;

/** The public keys of evidence of a service, which need no session. @throws ServiceError, ServiceUnreachable */
export async function fetchEvidenceKeys(baseUrl: string): Promise<EvidenceKeys['keys']> {
  const url = baseUrl + routePath('get-evidence-jwks', {});
  return (await fetchTransport(TIMEOUT_MS)<EvidenceKeys>({ method: 'GET', url })).body.keys;
}
