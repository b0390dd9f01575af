/**
 * Reads a request: API Gateway's event (REST API, Lambda proxy integration), the JSON body (§4: all bodies are JSON) and query
 * parameters. A malformed part is `RequestRejected` with the name of the field (§7.2).
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { RequestRejected } from './types.ts';
import type { ApiRequest } from './types.ts';
import { isRunId } from '../records/identifiers.ts';
import { parseInstant } from '../records/instants.ts';
import { isObject, membersIn, membersNamed, repeatedMembers } from '../records/json.ts';
import { listed } from '../records/text.ts';
import type { CoreServices } from '../services/services.ts';
import { REQUEST_ERROR_STATUS } from '../shared/codes.ts';
import type { Problem, RequestErrorCode } from '../shared/codes.ts';
import { MAX_BODY_BYTES, MAX_BODY_MIB, MAX_NESTING_LEVELS, MAX_RUN_ID_LENGTH } from '../shared/limits.ts';
import type { Instant } from '../shared/model.ts';

/** The request of an event. The body is read when the operation asks for it, after the authorisation. Never throws. */
export function apiRequest(
  event: APIGatewayProxyEvent,
  { random, clock }: Pick<CoreServices, 'random' | 'clock'>,
): ApiRequest {
  const headers = textMap(event.multiValueHeaders, { rename: (name) => name.toLowerCase() });
  return {
    requestId: event.requestContext.requestId,
    route: `${event.httpMethod} ${event.resource}`,
    receivedAtMs: clock.nowMs(),
    attemptId: random.hex(16),
    basePath: basePathOf(event),
    path: decoded(event.pathParameters),
    query: textMap(event.multiValueQueryStringParameters, { join: NO_VALUE }),
    headers,
    headerValues: (name) => valuesOf(event.multiValueHeaders, name),
    sourceIp: event.requestContext.identity.sourceIp,
    json: () =>
      jsonBody({
        text: event.body ?? undefined,
        isBase64: event.isBase64Encoded,
        contentType: headers['content-type'],
      }),
  };
}

/** The values that a header was sent with, however its name was spelled. */
function valuesOf(headers: Values | null, name: string): readonly string[] {
  return Object.entries(headers ?? {}).flatMap(([sent, values]) => (sent.toLowerCase() === name ? (values ?? []) : []));
}

type Values = Readonly<Record<string, readonly string[] | undefined>>;

/** Half a surrogate pair: no parameter may contain one, so a repeated parameter is malformed. */
const NO_VALUE = '\uD800';

/** The values of a repeated name in one text. Own members only, without a prototype: names come from outside, and two spellings of a header are one. */
function textMap(
  source: Values | null,
  { rename = (name: string) => name, join = ',' }: { rename?: (name: string) => string; join?: string },
): Record<string, string> {
  const map: Record<string, string> = Object.create(null);
  for (const [sent, values = []] of Object.entries(source ?? {})) {
    const name = rename(sent);
    map[name] = [map[name] ?? [], values].flat().join(join);
  }
  return map;
}

/** A REST API decodes the query, but not the path. A value with invalid percent-encoding stays as sent. */
function decoded(parameters: APIGatewayProxyEvent['pathParameters']): Record<string, string> {
  const map: Record<string, string> = Object.create(null);
  for (const [name, value = ''] of Object.entries(parameters ?? {})) {
    try {
      map[name] = decodeURIComponent(value);
    } catch {
      map[name] = value;
    }
  }
  return map;
}

/** The path as the client sent it, up to where the path of the route begins. */
function basePathOf({ requestContext, resource }: APIGatewayProxyEvent): string {
  if (resource === '/') return requestContext.path.replace(/\/$/, '');
  const [literal = ''] = resource.split('{');
  return requestContext.path.slice(0, Math.max(0, requestContext.path.indexOf(literal)));
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

/** Editors and spreadsheets put a byte-order mark before a file in UTF-8 (RFC 8259, section 8.1). */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

const malformed = (message: string, field?: string) =>
  new RequestRejected('invalid_request', message, field === undefined ? {} : { field });

/** Parsers differ in which of two members with one name they keep, so a body with two is refused. */
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

/** One of a closed set of values, or `undefined` if the parameter is absent. */
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

/** The UTC instant of an ISO 8601 date, or `undefined` if the parameter is absent. */
export function instantFrom(query: Query, name: string): Instant | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  throw new RequestRejected('invalid_request', `${name} must be an ISO 8601 date, such as 2026-01-02T03:04:05Z.`, {
    field: name,
  });
}

/** The `run_id` of a query, of a path or of a body; `undefined` if it is absent. */
export function runIdFrom(source: Readonly<Record<string, unknown>>): string | undefined {
  const value = Object.hasOwn(source, 'run_id') ? source['run_id'] : undefined;
  if (value === undefined || isRunId(value)) return value;
  throw new RequestRejected('invalid_request', `run_id must be a string of 1 to ${MAX_RUN_ID_LENGTH} characters.`, {
    field: 'run_id',
  });
}

export function runNotFound(): RequestRejected {
  return new RequestRejected('run_not_found', 'This company has no run with this id.');
}

/** The run that a path names. A malformed id names none: 404 `run_not_found`. */
export function runIdOfPath(path: Readonly<Record<string, string>>): string {
  if (isRunId(path['run_id'])) return path['run_id'];
  throw runNotFound();
}

/**
 * Reads several parts of a request, so that all their problems are reported at once. A batch that is too large (413) comes before
 * other problems (400), and decides the status. The readings must be pure: the caller makes each again for its value.
 *
 * @throws RequestRejected
 */
export function checkAll(...readings: readonly (() => unknown)[]): void {
  const problems: Problem<RequestErrorCode>[] = [];
  for (const reading of readings) {
    try {
      reading();
    } catch (error) {
      if (!(error instanceof RequestRejected)) throw error;
      problems.push(error.problem, ...error.others);
    }
  }
  if (problems.length > 0) throw rejectionOf(problems);
}

/** @param problems at least one */
export function rejectionOf(problems: readonly Problem<RequestErrorCode>[]): RequestRejected {
  const [first, ...others] = problems.toSorted((one, other) => statusOf(other) - statusOf(one));
  if (first === undefined) throw new Error('A rejection has no problem.');
  return new RequestRejected(first.error_code, first.message, { field: first.field, others });
}

const statusOf = ({ error_code }: Problem<RequestErrorCode>) => REQUEST_ERROR_STATUS[error_code];

/**
 * The members of a body, once they are valid (§7.2). Other members are ignored.
 *
 * @throws RequestRejected with every problem: 413 `batch_too_large` before 400 `invalid_request`
 */
export function membersOf<Schema extends v.GenericSchema>(
  schema: Schema,
  body: Readonly<Record<string, unknown>>,
): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, body);
  if (success) return output;
  throw rejectionOf(issues.map(problemOf));
}

function problemOf(issue: v.BaseIssue<unknown>): Problem<RequestErrorCode> {
  const field = v.getDotPath(issue) ?? '';
  const rule = issue.input === undefined ? 'is required' : issue.message;
  const error_code = issue.type === 'max_length' ? 'batch_too_large' : 'invalid_request';
  return { error_code, message: `${field} ${rule}.`, field };
}
