import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { RouteMatch } from './route-table.ts';
import { ACCOUNT } from './template.ts';

/** Splits the request target. An absolute one (`GET http://host/path`) loses its origin. */
export function requestTarget(url: string) {
  const local = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const question = local.indexOf('?');
  const path = question === -1 ? local : local.slice(0, question);
  return {
    rawPath: path.startsWith('/') ? path : `/${path}`,
    rawQueryString: question === -1 ? '' : local.slice(question + 1),
  };
}

/** The event of a request, as the API makes it of content that it takes as binary: every body is in base64. */
export function proxyEvent(
  request: IncomingMessage,
  { rawPath, rawQueryString }: ReturnType<typeof requestTarget>,
  { resource, pathParameters }: RouteMatch,
  body: Buffer,
  requestId: string,
) {
  const headers = pairsOf(request.rawHeaders);
  const query = [...new URLSearchParams(rawQueryString)];
  const { method = '' } = request;
  return {
    resource,
    path: rawPath,
    httpMethod: method,
    headers: Object.fromEntries(headers),
    multiValueHeaders: inLists(headers),
    queryStringParameters: orNull(query, Object.fromEntries(query)),
    multiValueQueryStringParameters: orNull(query, inLists(query)),
    pathParameters: orNull(Object.keys(pathParameters), pathParameters),
    stageVariables: null,
    requestContext: {
      accountId: ACCOUNT,
      apiId: 'local',
      domainName: request.headers.host ?? '',
      domainPrefix: 'local',
      extendedRequestId: requestId,
      httpMethod: method,
      identity: {
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: request.headers['user-agent'] ?? null,
      },
      // This machine serves no stage in the path, as a custom domain name does not.
      path: rawPath,
      protocol: `HTTP/${request.httpVersion}`,
      requestId,
      requestTimeEpoch: Date.now(),
      resourcePath: resource,
      stage: 'local',
    },
    body: body.length === 0 ? null : body.toString('base64'),
    isBase64Encoded: body.length > 0,
  };
}

type Pair = readonly [name: string, value: string];

function pairsOf(rawHeaders: readonly string[]): Pair[] {
  const { length } = rawHeaders;
  return Array.from({ length: length / 2 }, (_, at) => [rawHeaders[2 * at] ?? '', rawHeaders[2 * at + 1] ?? '']);
}

/** `fromEntries` defines own members, `__proto__` included. */
function inLists(pairs: readonly Pair[]): Record<string, string[]> {
  const groups = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries([...groups].map(([name, all]) => [name, all.map(([, value]) => value)]));
}

const orNull = <Value>({ length }: readonly unknown[], value: Value): Value | null => (length === 0 ? null : value);

/** Lambda's limits of an event and of a result, in bytes of their JSON. */
const LARGEST_EVENT = 6 * 1024 * 1024;
const LARGEST_RESULT = LARGEST_EVENT + 100;

export const isTooLargeForLambda = (event: object): boolean => Buffer.byteLength(JSON.stringify(event)) > LARGEST_EVENT;

type Result = Partial<APIGatewayProxyResult> & Pick<APIGatewayProxyResult, 'statusCode'>;

/** Response headers that a REST API keeps for itself: those of a function get another name. */
const REMAPPED = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'host',
  'server',
  'user-agent',
  'www-authenticate',
]);

export const remapped = (name: string): string =>
  REMAPPED.has(name.toLowerCase()) ? `x-amzn-remapped-${name.toLowerCase()}` : name;

/** The API compresses from this size on, for clients that ask for it, what a function has not compressed itself. */
const COMPRESSED_FROM = 2048;

/** @throws Error for a result that API Gateway does not accept */
export function sendResult(
  request: IncomingMessage,
  response: ServerResponse,
  result: unknown,
  requestId: string,
): void {
  const { statusCode, headers = {}, body = '', isBase64Encoded = false } = readResult(result);
  for (const [name, value] of Object.entries(headers)) response.setHeader(remapped(name), String(value));
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json');
  response.statusCode = statusCode;
  response.setHeader('x-amzn-requestid', requestId);
  const sent = compressed(request, response, Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
  // A 304 has no body, but its length would be that of the 200 (RFC 9110, section 8.6).
  if (statusCode !== 204 && statusCode !== 304) response.setHeader('content-length', sent.length);
  response.end(sent);
}

function compressed(request: IncomingMessage, response: ServerResponse, content: Buffer): Buffer {
  if (content.length < COMPRESSED_FROM || response.hasHeader('content-encoding')) return content;
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return content;
  response.setHeader('content-encoding', 'gzip');
  return gzipSync(content);
}

function readResult(result: unknown): Result {
  if (Buffer.byteLength(JSON.stringify(result) ?? '') > LARGEST_RESULT)
    throw new RangeError('The result is larger than 6 MB, the limit of Lambda.');
  const { statusCode } = (result ?? {}) as Partial<Result>;
  if (!Number.isInteger(statusCode)) throw new TypeError('The result has no status code.');
  return result as Result;
}
