import { staticOperation } from '../http/chain.ts';
import { RequestRejected } from '../http/types.ts';
import type { ApiResponse } from '../http/types.ts';

/** Rejects every path and method that no route has. */
export async function routeNotFound(): Promise<ApiResponse> {
  throw new RequestRejected('route_not_found', 'There is no such path or method.');
}

export const handler = staticOperation(routeNotFound);
