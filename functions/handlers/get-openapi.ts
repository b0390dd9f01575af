import document from '../../docs/openapi.json' with { type: 'json' };
import { staticOperation } from '../http/chain.ts';
import { revalidated } from '../http/response.ts';
import type { ApiRequest, ApiResponse } from '../http/types.ts';
import * as ENV from '../runtime/variables.ts';

/** `GET /v1/openapi.json`: the document, with the deployed version and the address of the documentation. */
export async function getOpenapi(
  request: Pick<ApiRequest, 'headers'>,
  environment: ENV.Environment,
): Promise<ApiResponse> {
  const version = environment[ENV.version] ?? document.info.version;
  const url = environment[ENV.documentation];
  const body = {
    ...document,
    info: { ...document.info, version },
    ...(url !== undefined && { externalDocs: { url } }),
  };
  return revalidated(request, {
    from: body,
    headers: { 'cache-control': 'public, max-age=300' },
    body: () => body,
  });
}

export const handler = staticOperation((request) => getOpenapi(request, process.env));
