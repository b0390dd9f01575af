/** Payload format 2.0 of an HTTP API: from a request to an event, and from a result to a response. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteMatch } from './route-table.ts';
import { ACCOUNT } from './template.ts';

export interface RequestTarget {
  readonly rawPath: string;
  readonly rawQueryString: string;
}

/** Splits the request target. An absolute one (`GET http://host/path`) loses its origin. */
export function requestTarget(url: string): RequestTarget {
  const local = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const question = local.indexOf('?');
  const path = question === -1 ? local : local.slice(0, question);
  return {
    rawPath: path.startsWith('/') ? path : `/${path}`,
    rawQueryString: question === -1 ? '' : local.slice(question + 1),
  };
}

/** The event of a request. */
export function httpEvent(
  request: IncomingMessage,
  { rawPath, rawQueryString }: RequestTarget,
  match: RouteMatch,
  body: Buffer,
  requestId: string,
) {
  const { cookie, ...headers } = joinedHeaders(request.rawHeaders);
  const query = joinedQuery(rawQueryString);
  const text = isUtf8(body);
  const now = new Date();
  return {
    version: '2.0',
    routeKey: match.routeKey,
    rawPath,
    rawQueryString,
    ...(cookie === undefined ? {} : { cookies: cookie.split(/[;,] */) }),
    headers,
    ...(rawQueryString === '' ? {} : { queryStringParameters: query }),
    ...(Object.keys(match.pathParameters).length === 0 ? {} : { pathParameters: match.pathParameters }),
    requestContext: {
      accountId: ACCOUNT,
      apiId: 'local',
      domainName: headers['host'] ?? '',
      domainPrefix: 'local',
      http: {
        method: request.method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: match.routeKey,
      stage: '$default',
      time: now.toUTCString(),
      timeEpoch: now.getTime(),
    },
    ...(body.length === 0 ? {} : { body: body.toString(text ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !text,
  };
}

/** Header names in lower case; the values of a repeated one joined by commas. */
function joinedHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    pairs.push([(rawHeaders[at] as string).toLowerCase(), rawHeaders[at + 1] as string]);
  }
  return joined(pairs);
}

function joinedQuery(rawQueryString: string): Record<string, string> {
  return joined([...new URLSearchParams(rawQueryString)]);
}

function joined(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    const earlier = values.get(name);
    values.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  // `fromEntries` defines own members, `__proto__` included.
  return Object.fromEntries(values);
}

/** Lambda's limit of a response, in bytes. */
const LARGEST_RESULT = 6 * 1024 * 1024;

interface Result {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

/**
 * Sends a function's result.
 *
 * @throws Error for a result that API Gateway would replace with its own 500
 */
export function sendResult(response: ServerResponse, result: unknown, requestId: string): void {
  const { statusCode = 200, headers = {}, cookies, body = '', isBase64Encoded } = readResult(result);
  const content = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (content.length > LARGEST_RESULT) throw new RangeError('The result is larger than 6 MB, the limit of Lambda.');
  response.statusCode = statusCode;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  if (cookies) response.setHeader('set-cookie', cookies);
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/plain;charset=utf-8');
  response.setHeader('apigw-requestid', requestId);
  response.setHeader('content-length', content.length);
  response.end(content);
}

/** A result without a status code is the body of a 200, as JSON. */
function readResult(result: unknown): Result {
  if (typeof result === 'object' && result !== null && 'statusCode' in result) return result as Result;
  const body = typeof result === 'string' ? result : JSON.stringify(result);
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
}
