import { staticOperation } from '../http/chain.ts';
import { RequestRejected } from '../http/types.ts';
import type { ApiResponse } from '../http/types.ts';

/** Rejects every request that no route matches. */
export async function routeNotFound(): Promise<ApiResponse> {
  throw new RequestRejected('route_not_found', 'There is no such path or method.');
}

export const handler = staticOperation(routeNotFound);
