/** The responses that API Gateway gives without a function, in the error envelope and with the headers of every other response. */
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { WebAclSetting } from './web-acl.ts';
import { type RequestErrorCode, REQUEST_ERROR_STATUS } from '../../functions/shared/codes.ts';

type OwnResponse = ReturnType<typeof own>;

const own = (error_code: RequestErrorCode, message: string, retryAfterSeconds?: number) => ({
  error_code,
  message,
  retryAfterSeconds,
});

const NOT_FOUND = own('route_not_found', 'There is no such path.');
const THROTTLED = own('too_many_requests', 'There are too many requests at the moment. Repeat the request later.', 1);
/** A web ACL counts a minute. */
const TOO_OFTEN = own('too_many_requests', 'This address sends too many requests. Repeat the request later.', 30);
const DENIED = own('forbidden', 'This address may not call the API.');
const UNREADABLE = own(
  'invalid_request',
  'The request cannot be read: its path or a header is malformed. Correct it, then send it again.',
);
const NOT_UNPACKED = own(
  'invalid_request',
  'The body cannot be unpacked. Content-Encoding must be gzip or deflate, or absent, and the body compressed accordingly.',
);

/** A type without an entry gets one of the two defaults. */
const OWN_RESPONSES: readonly (readonly [ResponseType, OwnResponse])[] = [
  [ResponseType.DEFAULT_4XX, UNREADABLE],
  // The remaining cases: a function crashed, timed out or could not be started, or its response was too large.
  [
    ResponseType.DEFAULT_5XX,
    own('temporarily_unavailable', 'The service is busy. It is safe to repeat the request.', 2),
  ],
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, NOT_FOUND],
  [ResponseType.RESOURCE_NOT_FOUND, NOT_FOUND],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, NOT_UNPACKED],
  [ResponseType.REQUEST_TOO_LARGE, own('payload_too_large', 'The body must not exceed 4 MiB.')],
  [ResponseType.THROTTLED, THROTTLED],
  [ResponseType.QUOTA_EXCEEDED, THROTTLED],
  [ResponseType.ACCESS_DENIED, DENIED],
];

interface GatewayResponseOptions {
  /** That of the stack or of the account blocks by rate only; another one may block for any reason. */
  readonly webAcl: WebAclSetting | undefined;
  /** Whether pages of other origins may call the API. They may read these responses, which hold no one's data. */
  readonly cors: boolean;
}

/** Gives the errors that API Gateway itself returns the envelope of all others (§7). */
export function addGatewayResponses(api: RestApi, { webAcl, cors }: GatewayResponseOptions): void {
  const blocksRates = webAcl === 'own' || webAcl === 'account';
  const all = [...OWN_RESPONSES, [ResponseType.WAF_FILTERED, blocksRates ? TOO_OFTEN : DENIED] as const];
  for (const [type, response] of all) {
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(REQUEST_ERROR_STATUS[response.error_code]),
      responseHeaders: { ...headersOf(response), ...(cors && { 'access-control-allow-origin': "'*'" }) },
      templates: { 'application/json': templateOf(response) },
    });
  }
}

/** Quoted values are literal, others name a property of the request. */
function headersOf({ retryAfterSeconds }: OwnResponse): Record<string, string> {
  return {
    'x-request-id': 'context.requestId',
    'cache-control': "'no-store'",
    'strict-transport-security': "'max-age=63072000; includeSubDomains'",
    'x-content-type-options': "'nosniff'",
    ...(retryAfterSeconds !== undefined && { 'retry-after': `'${retryAfterSeconds}'` }),
  };
}

function templateOf({ error_code, message }: OwnResponse): string {
  return JSON.stringify({ errors: [{ error_code, message }], request_id: '$context.requestId' });
}
