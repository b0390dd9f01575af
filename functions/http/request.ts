/**
 * Reads a request: API Gateway's event (HTTP API, payload format 2.0), the JSON body (§4: all bodies are JSON), members of
 * the body and query parameters. Whatever is malformed is `RequestRejected` with the name of the field (§7.2).
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { RequestRejected } from './types.ts';
import type { ApiMiddleware, ApiRequest } from './types.ts';
import { isObject, membersIn, membersNamed, repeatedMembers } from '../records/json.ts';
import { listed } from '../records/text.ts';
import type { CoreServices } from '../services/services.ts';
import { REQUEST_ERROR_STATUS } from '../shared/codes.ts';
import type { Problem, RequestErrorCode } from '../shared/codes.ts';
import { MAX_BODY_BYTES, MAX_BODY_MIB, MAX_NESTING_LEVELS } from '../shared/limits.ts';

/** First of the chain: whatever comes after it receives an ApiRequest. It cannot fail. */
export function readEvent(services: Pick<CoreServices, 'random' | 'clock'>): ApiMiddleware {
  return {
    before: (request) => {
      const event = request.event as unknown as APIGatewayProxyEventV2;
      request.internal.route = event.routeKey;
      request.internal.startedAtMs = services.clock.nowMs();
      request.event = apiRequest(event, services.random.hex(16));
    },
  };
}

/** `attemptId`: random id of this invocation. The body is read when the operation asks for it, after the authorisation. */
function apiRequest(event: APIGatewayProxyEventV2, attemptId: string): ApiRequest {
  const headers = textMap(event.headers, (name) => name.toLowerCase());
  return {
    requestId: event.requestContext.requestId,
    attemptId,
    path: textMap(event.pathParameters),
    query: textMap(event.queryStringParameters),
    headers,
    headerValues: (name) => valuesOf(event, name, headers[name]),
    sourceIp: event.requestContext.http.sourceIp,
    json: () => jsonBody({ text: event.body, isBase64: event.isBase64Encoded, contentType: headers['content-type'] }),
  };
}

/**
 * The values that a header was sent with. `multiValueHeaders` has each by itself. Where the gateway has joined them, a comma
 * outside quotes separates two, because nothing else can tell them apart.
 */
function valuesOf(event: object, name: string, joined: string | undefined): readonly string[] {
  const { multiValueHeaders } = event as { readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>> };
  if (multiValueHeaders !== undefined) {
    return Object.entries(multiValueHeaders).flatMap(([sent, values]) => (sent.toLowerCase() === name ? values : []));
  }
  if (joined === undefined) return [];
  return /^\s*"(?:[^"\\]|\\.)*"\s*$/s.test(joined) ? [joined] : joined.split(',');
}

/** Own members only, without a prototype: names come from outside. */
function textMap(source: Readonly<Record<string, string | undefined>> | undefined, rename = (name: string) => name) {
  const map: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(source ?? {})) {
    if (value !== undefined) map[rename(name)] = value;
  }
  return map;
}

export interface RawBody {
  readonly text: string | undefined;
  readonly isBase64: boolean;
  readonly contentType: string | undefined;
}

/**
 * Throws `payload_too_large` over 4 MiB, `invalid_request` for anything that is not a JSON object of at most 32 levels in which
 * each object names a member once. The cheapest check comes first, so that nothing large or deep is ever parsed.
 */
export function jsonBody(body: RawBody): Readonly<Record<string, unknown>> {
  const text = withoutMark(bodyText(body));
  const named = membersNamed(text, MAX_NESTING_LEVELS);
  if (named === undefined) throw malformed(`The body must not nest deeper than ${MAX_NESTING_LEVELS} levels.`);
  const value = parse(text);
  if (!isObject(value)) throw malformed('The body must be a JSON object.');
  if (membersIn(value) !== named) throw repeated(text);
  return value;
}

function bodyText({ text: sent = '', isBase64, contentType }: RawBody): string {
  const bytes = isBase64 ? Buffer.from(sent, 'base64') : undefined;
  if ((bytes?.length ?? Buffer.byteLength(sent)) > MAX_BODY_BYTES) {
    throw new RequestRejected('payload_too_large', `The body must not exceed ${MAX_BODY_MIB} MiB.`);
  }
  if (!isJson(contentType)) throw malformed('The body must be sent as Content-Type: application/json, in UTF-8.');
  return bytes === undefined ? sent.toWellFormed() : decodeUtf8(bytes);
}

/** Editors and spreadsheets put a byte-order mark before what they save as UTF-8 (RFC 8259, section 8.1). */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

const malformed = (message: string, field?: string) =>
  new RequestRejected('invalid_request', message, field === undefined ? {} : { field });

/** A parser keeps one of two members with one name, and which one is up to the parser: so neither is taken. */
function repeated(text: string): RequestRejected {
  const { paths, count } = repeatedMembers(text);
  return malformed(`An object must name a member once. Named twice: ${listed(paths, count)}.`, paths[0]);
}

/** `application/json`, with or without parameters; a charset, if given, is UTF-8 (RFC 8259, section 8.1). */
function isJson(contentType = ''): boolean {
  const [mediaType = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  return mediaType === 'application/json' && charsets.every((charset) => /^charset="?utf-?8"?$/.test(charset));
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed('The body must be well-formed UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('The body must be well-formed JSON.');
  }
}

type Query = Readonly<Record<string, string>>;

/** Page size: plain digits from 1 to `max`; `fallback` where the parameter is absent. */
export function limitFrom(query: Query, range: { readonly max: number; readonly fallback: number }): number {
  const text = query['limit'];
  if (text === undefined) return range.fallback;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > range.max) {
    throw new RequestRejected('invalid_request', `limit must be a whole number from 1 to ${range.max}.`, {
      field: 'limit',
    });
  }
  return limit;
}

/**
 * One of a closed set of values, or `undefined` where the parameter is absent.
 * A parameter sent twice arrives joined by a comma and is therefore not in the set.
 */
export function choiceFrom<Value extends string>(
  query: Query,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const choice = values.find((value) => value === text);
  if (choice === undefined) {
    throw new RequestRejected('invalid_request', `${name} must be one of: ${values.join(', ')}.`, { field: name });
  }
  return choice;
}

/**
 * Makes every reading of a request, so that all its problems are reported at once. A batch that is too large (413) comes before
 * whatever else is wrong (400), and decides the status.
 */
export function readAll<Readings extends Readonly<Record<string, () => unknown>>>(
  readings: Readings,
): { readonly [Name in keyof Readings]: ReturnType<Readings[Name]> } {
  const problems: Problem<RequestErrorCode>[] = [];
  const read = Object.entries(readings).map(([name, reading]) => {
    try {
      return [name, reading()];
    } catch (error) {
      if (!(error instanceof RequestRejected)) throw error;
      problems.push(error.problem);
      return [name, undefined];
    }
  });
  const [first, ...others] = problems.toSorted((one, other) => statusOf(other) - statusOf(one));
  if (first !== undefined) throw new RequestRejected(first.error_code, first.message, { ...first, others });
  return Object.fromEntries(read) as { readonly [Name in keyof Readings]: ReturnType<Readings[Name]> };
}

const statusOf = ({ error_code }: Problem<RequestErrorCode>) => REQUEST_ERROR_STATUS[error_code];

type Body = Readonly<Record<string, unknown>>;

/** A member of the body; `invalid_request` where it is missing, which is what a misspelt name looks like. */
function requiredMember(body: Body, field: string): unknown {
  const value = Object.hasOwn(body, field) ? body[field] : undefined;
  if (value === undefined) throw malformed(`${field} is required.`, field);
  return value;
}

/** A required string member of a request body; `invalid_request` where it is missing or anything else. */
export function textMember(body: Body, name: string): string {
  const value = requiredMember(body, name);
  if (typeof value === 'string') return value;
  throw malformed(`${name} must be a string.`, name);
}

/** A required boolean member of a request body; `invalid_request` where it is missing or anything else. */
export function booleanMember(body: Body, name: string): boolean {
  const value = requiredMember(body, name);
  if (typeof value === 'boolean') return value;
  throw malformed(`${name} must be true or false.`, name);
}

/**
 * The array of a batch operation, its items not validated yet: 1 to `max` of them. Throws 413 `batch_too_large` for more and
 * 400 `invalid_request` where it is missing, empty or not an array (§7.2).
 */
export function batchMember(body: Body, field: string, max: number): readonly unknown[] {
  const items = requiredMember(body, field);
  const message = `${field} must have 1 to ${max} items.`;
  if (!Array.isArray(items)) throw malformed(`${field} must be an array of 1 to ${max} items.`, field);
  if (items.length === 0) throw malformed(message, field);
  if (items.length > max) throw new RequestRejected('batch_too_large', message, { field });
  return items;
}
