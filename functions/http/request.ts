/** Reads a request: API Gateway's event, members of the body. Faults name the field (§7.2). */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { unknownNames } from './known-names.ts';
import { RequestRejected, type ApiRequest, type ChainServices } from './types.ts';
import { broken } from '../records/text.ts';
import { REQUEST_ERROR_STATUS, type Problem, type RequestErrorCode } from '../shared/codes.ts';

/** The request of an event. Never throws. */
export function apiRequest(
  event: APIGatewayProxyEvent,
  { random, clock }: Pick<ChainServices, 'random' | 'clock'>,
): ApiRequest {
  const headers = textMap(event.multiValueHeaders, ',', (name) => name.toLowerCase());
  return {
    requestId: event.requestContext.requestId,
    route: `${event.httpMethod} ${event.resource}`,
    receivedAtMs: clock.nowMs(),
    attemptId: random.hex(16),
    basePath: basePathOf(event),
    host: event.requestContext.domainName,
    path: decoded(event.pathParameters),
    query: textMap(event.multiValueQueryStringParameters, NO_VALUE),
    headers,
    headerValues: (name) => valuesOf(event.multiValueHeaders, name),
    sourceIp: event.requestContext.identity.sourceIp,
    body: {
      text: event.body,
      isBase64: event.isBase64Encoded,
      contentType: headers['content-type'],
      contentEncoding: headers['content-encoding'],
    },
  };
}

function valuesOf(headers: ValueLists | null, name: string): readonly string[] {
  return Object.entries(headers ?? {}).flatMap(([sent, values]) => (sent.toLowerCase() === name ? (values ?? []) : []));
}

type ValueLists = Readonly<Record<string, readonly string[] | undefined>>;

/** Half a surrogate pair: no parameter may contain one, so a repeated parameter is malformed. */
export const NO_VALUE = '\uD800';

/** The values of a repeated name in one text, in an object without a prototype: names come from outside. */
function textMap(
  source: ValueLists | null,
  join: string,
  rename: (name: string) => string = String,
): Record<string, string> {
  const map: Record<string, string> = Object.create(null);
  for (const [sent, values = []] of Object.entries(source ?? {})) {
    const name = rename(sent);
    map[name] = [map[name] ?? [], values].flat().join(join);
  }
  return map;
}

/** A REST API decodes the query, not the path. Invalid percent-encoding stays as sent, and so does a slash within a longer path. */
function decoded(parameters: APIGatewayProxyEvent['pathParameters']): Record<string, string> {
  const map: Record<string, string> = Object.create(null);
  for (const [name, value = ''] of Object.entries(parameters ?? {})) {
    try {
      map[name] = decodeURIComponent(value.includes('/') ? value.replaceAll(/%2f/gi, '%252F') : value);
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

/**
 * What several readings of a request return. @throws RequestRejected with the problems of all of them, and with each query
 * parameter that the operation does not define: 413 before 400
 */
export function checkAll<Values extends readonly unknown[]>(
  { query, parameters }: Pick<ApiRequest, 'query' | 'parameters'>,
  ...readings: { readonly [Place in keyof Values]: () => Values[Place] }
): Values {
  const problems = parameters ? unknownNames(Object.keys(query), parameters, 'query parameter') : [];
  const values = readings.map((reading) => {
    try {
      return reading();
    } catch (error) {
      if (!(error instanceof RequestRejected)) throw error;
      problems.push(error.problem, ...(error.options.others ?? []));
      return undefined;
    }
  });
  if (problems.length > 0) throw rejectionOf(problems);
  return values as unknown as Values;
}

/** One rejection of all problems. Its status is the highest: 413 before 400. */
export function rejectionOf(problems: readonly Problem<RequestErrorCode>[]): RequestRejected {
  const [first, ...others] = problems.toSorted((one, other) => statusOf(other) - statusOf(one));
  if (first === undefined) throw new Error('There is no problem.');
  return new RequestRejected(first.error_code, first.message, { field: first.field, others });
}

const statusOf = ({ error_code }: Problem<RequestErrorCode>) => REQUEST_ERROR_STATUS[error_code];

/** The members of a body. @throws RequestRejected with every problem, unknown members too: 413 before 400 (§7.2) */
export function membersOf<Schema extends BodySchema>(
  schema: Schema,
  body: Readonly<Record<string, unknown>>,
): v.InferOutput<Schema> {
  const { success, output, issues = [] } = v.safeParse(schema, body);
  const unknown = unknownNames(Object.keys(body), Object.keys(schema.entries), 'member');
  if (success && unknown.length === 0) return output;
  const others = issues.filter(({ expected }) => expected !== 'never');
  throw rejectionOf([...others.map(problemOf), ...unknown]);
}

type BodySchema = v.GenericSchema & { readonly entries: v.ObjectEntries };

function problemOf(issue: v.BaseIssue<unknown>): Problem<RequestErrorCode> {
  const field = v.getDotPath(issue) ?? '';
  const isSecret = field === 'password' || field === 'refreshToken';
  const sent = Array.isArray(issue.input) && issue.type.endsWith('_length') ? issue.input.length : issue.input;
  const rule = isSecret && sent !== undefined ? issue.message : broken(issue.message, sent);
  const error_code = issue.type === 'max_length' ? 'batch_too_large' : 'invalid_request';
  return { error_code, message: `${field} ${rule}.`, field };
}
