/** API Gateway's event (HTTP API, payload format 2.0) as an ApiRequest; nothing here can fail. */
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { jsonBody } from './json-body.ts';
import type { ApiRequest } from './http.ts';
import type { ApiMiddleware } from './middleware.ts';
import type { Services } from './services.ts';

/** First of the chain: whatever comes after it sees an ApiRequest. */
export function readEvent(services: Pick<Services, 'random' | 'clock'>): ApiMiddleware {
  return {
    before: (request) => {
      const event = request.event as unknown as APIGatewayProxyEventV2;
      request.internal.route = event.routeKey;
      request.internal.rawPath = event.rawPath;
      request.internal.startedAtMs = services.clock.nowMs();
      request.event = apiRequest(event, request.context, services.random.hex(16));
    },
  };
}

/** `attemptId`: random id of this invocation. The body is judged when the operation asks for it, after authorisation. */
export function apiRequest(event: APIGatewayProxyEventV2, context: Context, attemptId: string): ApiRequest {
  const headers = textMap(event.headers, (name) => name.toLowerCase());
  return {
    requestId: event.requestContext.requestId,
    attemptId,
    path: textMap(event.pathParameters),
    query: textMap(event.queryStringParameters),
    headers,
    sourceIp: event.requestContext.http.sourceIp,
    json: () => jsonBody({ text: event.body, isBase64: event.isBase64Encoded, contentType: headers['content-type'] }),
    remainingMs: () => context.getRemainingTimeInMillis(),
  };
}

/** Own members only, without a prototype: names come from outside. */
function textMap(source: Readonly<Record<string, string | undefined>> | undefined, rename = (name: string) => name) {
  const map: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(source ?? {})) {
    if (value !== undefined) map[rename(name)] = value;
  }
  return map;
}
