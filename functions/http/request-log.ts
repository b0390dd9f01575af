/** One structured log line a request: the route, how it ended, how long it took; never bodies, tokens or addresses. */
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { ApiMiddleware, IncomingRequest, RequestState } from './types.ts';
import { isImportId } from '../imports/identity.ts';
import type { CoreServices } from '../services/services.ts';

export function logRequest({ telemetry, clock }: Pick<CoreServices, 'telemetry' | 'clock'>): ApiMiddleware {
  let isColdStart = true;
  const log: NonNullable<ApiMiddleware['after']> = ({ event, response, internal }) => {
    telemetry.info('request', {
      request_id: event.requestId,
      route: internal.route,
      status: (response as APIGatewayProxyStructuredResultV2).statusCode,
      error_code: internal.errorCode,
      duration_ms: Math.round(clock.nowMs() - (internal.startedAtMs ?? clock.nowMs())),
      cold_start: isColdStart,
      // The company of the token, not of the path: a path may hold anything.
      company_id: event.caller?.user.company_id,
      import_id: importIdOf(event, internal),
    });
    telemetry.flush();
    isColdStart = false;
  };
  return { after: log, onError: log };
}

function importIdOf(event: IncomingRequest, { importId }: RequestState): string | undefined {
  const named = importId ?? event.path['import_id'];
  return named !== undefined && isImportId(named) ? named : undefined;
}
