/** HTTP API events (payload format 2.0) as API Gateway makes them. */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { ApiHandler } from '../../functions/http/handler.ts';

export interface EventParts {
  readonly method?: string;
  readonly rawPath?: string;
  readonly path?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
  readonly sourceIp?: string;
}

export function apiEvent(parts: EventParts = {}): APIGatewayProxyEventV2 {
  const {
    method = 'GET',
    rawPath = '/',
    path,
    query,
    headers = {},
    body,
    isBase64Encoded = false,
    sourceIp = '192.0.2.1',
  } = parts;
  return {
    version: '2.0',
    routeKey: `${method} ${rawPath}`,
    rawPath,
    rawQueryString: '',
    headers,
    isBase64Encoded,
    ...(path && { pathParameters: path }),
    ...(query && { queryStringParameters: query }),
    ...(body !== undefined && { body }),
    requestContext: { requestId: 'request-1', http: { method, path: rawPath, sourceIp } },
  } as unknown as APIGatewayProxyEventV2;
}

export const CONTEXT = { getRemainingTimeInMillis: () => 29_000 } as Context;

export interface Answered {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export async function invoke(handler: ApiHandler, parts: EventParts = {}): Promise<Answered> {
  const result: APIGatewayProxyStructuredResultV2 = await handler(apiEvent(parts), CONTEXT);
  return { status: result.statusCode, headers: result.headers ?? {}, body: JSON.parse(result.body ?? '') };
}

/** A POST of JSON. */
export const posted = (body: unknown, headers: Record<string, string> = {}): EventParts => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
