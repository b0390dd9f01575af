/** Renders answers and errors for API Gateway, with the headers that every response carries. */
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { envelope, failureOf } from './errors.ts';
import type { ApiMiddleware, RequestState } from './types.ts';
import type { ApiResponse } from './types.ts';
import { METRIC } from '../runtime/metric-names.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { isUnderAuth } from '../shared/routes.ts';

export interface RenderOptions {
  readonly telemetry: Telemetry;
  readonly isProtected: boolean;
}

export function renderResponse({ telemetry, isProtected }: RenderOptions): ApiMiddleware {
  return {
    after: (request) => {
      const answer = request.response as ApiResponse;
      const importId = (answer.body as { readonly import_id?: unknown } | null)?.import_id;
      if (typeof importId === 'string') request.internal.importId = importId;
      request.response = render(answer, request.event.requestId, request.internal);
    },
    onError: (request) => {
      const { requestId } = request.event;
      const failure = failureOf(request.error);
      const code = failure.problem.error_code;
      request.internal.errorCode = code;
      if (code === 'internal_error') {
        telemetry.count(METRIC.internalErrors);
        telemetry.error('The operation failed.', request.error, {
          request_id: requestId,
          route: request.internal.route,
        });
      }
      if (code === 'temporarily_unavailable') telemetry.count(METRIC.temporarilyUnavailable);
      request.response = render(envelope(failure, requestId, isProtected), requestId, request.internal);
    },
  };
}

/** Tokens and profiles are never cached; an operation that may be cached says so itself. */
function render(
  answer: ApiResponse,
  requestId: string,
  { rawPath = '' }: RequestState,
): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: answer.statusCode,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      ...(isUnderAuth(rawPath) ? { 'cache-control': 'no-store' } : {}),
      ...lowerCased(answer.headers),
      'x-request-id': requestId,
    },
    body: JSON.stringify(answer.body),
  };
}

function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
