import { RequestRejected, type ApiResponse } from '../runtime/http.ts';
import { staticOperation } from '../runtime/static-operation.ts';

/** Answers every path and method that no route has. */
export async function routeNotFound(): Promise<ApiResponse> {
  throw new RequestRejected('route_not_found', 'There is no such path or method.');
}

export const handler = staticOperation(routeNotFound);
