import type { ServerResponse } from 'node:http';

/** What a function may answer through Lambda. */
const LARGEST_RESULT = 6 * 1024 * 1024;

interface Result {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

/** Sends a function's result as an HTTP API does; one that it would not send becomes its own 500. */
export function sendResult(response: ServerResponse, result: unknown, requestId: string): void {
  const { statusCode = 200, headers = {}, cookies, body = '', isBase64Encoded } = readResult(result);
  const content = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (content.length > LARGEST_RESULT) throw new RangeError('The result is larger than Lambda lets pass');
  response.statusCode = statusCode;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  if (cookies) response.setHeader('set-cookie', cookies);
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/plain;charset=utf-8');
  response.setHeader('apigw-requestid', requestId);
  response.setHeader('content-length', content.length);
  response.end(content);
}

/** A result without a status is the body of a 200, as JSON. */
function readResult(result: unknown): Result {
  if (typeof result === 'object' && result !== null && 'statusCode' in result) return result as Result;
  const body = typeof result === 'string' ? result : JSON.stringify(result);
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
}

/** An error of the API itself, in its own form: not the service's envelope. */
export function sendGatewayError(response: ServerResponse, status: number, message: string): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const body = JSON.stringify({ message });
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
}
