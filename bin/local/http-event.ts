import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ACCOUNT } from './physical-resources.ts';
import type { RouteMatch } from './route-table.ts';

export interface RequestTarget {
  readonly rawPath: string;
  readonly rawQueryString: string;
}

/** Splits the request target; an absolute one (`GET http://host/path`) is reduced to its path. */
export function requestTarget(url: string): RequestTarget {
  const local = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const question = local.indexOf('?');
  const path = question === -1 ? local : local.slice(0, question);
  return {
    rawPath: path.startsWith('/') ? path : `/${path}`,
    rawQueryString: question === -1 ? '' : local.slice(question + 1),
  };
}

/** The request as an HTTP API hands it to a function: payload format 2.0. */
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
  // Own members, whatever their names are: `__proto__` too.
  return Object.fromEntries(values);
}
