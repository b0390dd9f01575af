import document from '../../docs/openapi.json' with { type: 'json' };
import { staticOperation } from '../http/chain.ts';
import type { ApiResponse } from '../http/types.ts';
import { ENV } from '../runtime/environment.ts';
import type { Environment } from '../runtime/environment.ts';

/**
 * `GET /v1/openapi.json`: the OpenAPI 3.1 document of every operation, rendered from the schemas that validate, with the
 * deployed version and the address of the documentation, if the deployment has one.
 */
export async function getOpenapi(environment: Environment): Promise<ApiResponse> {
  const version = environment[ENV.version] ?? document.info.version;
  const url = environment[ENV.documentation];
  return {
    statusCode: 200,
    headers: { 'cache-control': 'public, max-age=300' },
    body: { ...document, info: { ...document.info, version }, ...(url !== undefined && { externalDocs: { url } }) },
  };
}

export const handler = staticOperation(() => getOpenapi(process.env));
