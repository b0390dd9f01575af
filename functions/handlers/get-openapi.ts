import document from '../../docs/openapi.json' with { type: 'json' };
import { staticOperation } from '../http/chain.ts';
import type { ApiResponse } from '../http/types.ts';

/** `GET /v1/openapi.json`: the OpenAPI 3.1 document of every operation, rendered from the schemas that validate. */
export const getOpenapi = async (): Promise<ApiResponse> => ({
  statusCode: 200,
  headers: { 'cache-control': 'public, max-age=300' },
  body: document,
});

export const handler = staticOperation(getOpenapi);
