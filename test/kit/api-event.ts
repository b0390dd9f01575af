/** Requests as API Gateway makes them (REST API, Lambda proxy integration), and as an operation gets them. */
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { ApiHandler } from '../../functions/http/chain.ts';
import { jsonText } from '../../functions/records/json.ts';
import type { Caller, CompanyRequest } from '../../functions/http/types.ts';
import type { Company, ImportItem, User } from '../../functions/shared/model.ts';

export interface EventParts {
  readonly method?: string;
  readonly rawPath?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Every body arrives in base64, because the API takes all content as binary. */
  readonly body?: string | undefined;
  readonly isBase64Encoded?: boolean;
  readonly sourceIp?: string;
  /** The stage in the path that the client sent. */
  readonly basePath?: string;
}

export function apiEvent(parts: EventParts = {}): APIGatewayProxyEvent {
  const { method = 'GET', rawPath = '/', headers = {}, sourceIp = '192.0.2.1', basePath = '' } = parts;
  return {
    httpMethod: method,
    resource: rawPath,
    path: rawPath,
    headers,
    multiValueHeaders: inLists(headers),
    ...pathAndQuery(parts),
    stageVariables: null,
    ...bodyOf(parts),
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      authorizer: undefined,
      domainName: 'history.test',
      httpMethod: method,
      identity: { sourceIp } as APIGatewayProxyEvent['requestContext']['identity'],
      path: basePath + rawPath,
      protocol: 'HTTP/1.1',
      requestId: 'request-1',
      requestTimeEpoch: 0,
      resourceId: 'resource',
      resourcePath: rawPath,
      stage: 'sandbox',
    },
  };
}

function pathAndQuery({ path, query }: EventParts) {
  return {
    pathParameters: path === undefined ? null : encoded(path),
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query === undefined ? null : inLists(query),
  };
}

function bodyOf({ body, isBase64Encoded = false }: EventParts) {
  if (body === undefined) return { body: null, isBase64Encoded: false };
  return { body: isBase64Encoded ? body : Buffer.from(body).toString('base64'), isBase64Encoded: true };
}

type Texts = Readonly<Record<string, string>>;

const inLists = (texts: Texts): Record<string, string[]> =>
  Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, [value]]));
const encoded = (texts: Texts): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, encodeURIComponent(value.toWellFormed())]));

export const CONTEXT = { getRemainingTimeInMillis: () => 29_000 } as Context;

export interface Answered {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export async function invoke(handler: ApiHandler, parts: EventParts = {}): Promise<Answered> {
  const result = await handler(apiEvent(parts), CONTEXT);
  return { status: result.statusCode, headers: result.headers ?? {}, body: parsed(result.body ?? '') };
}

const parsed = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));

export const posted = (body: unknown, headers: Record<string, string> = {}): EventParts => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

export const COMPANY: Company = {
  company_id: 'acme',
  name: 'Acme',
  migrations_enabled: true,
  cursor_key: 'a'.repeat(43),
};

export const ADMIN: User = {
  company_id: 'acme',
  user_id: 1,
  email: 'Admin@Acme.test',
  name: 'Ada',
  role: 'admin',
  avatar: 'https://acme.test/ada.png',
  license: 'active',
};

const SESSION = {
  session_id: 's',
  company_id: 'acme',
  user_id: 1,
  email: ADMIN.email,
  began_at: '2026-01-01T00:00:00.000Z',
  revoked: false,
  current: { jti: 'j', iat: 0, exp: 0 },
  spent: [],
  expires_at_seconds: 0,
};

export const NO_BODY = { body: { text: undefined, isBase64: false, contentType: undefined } };

export const withBody = (value: unknown) => ({
  body: { text: jsonText(value), isBase64: false, contentType: 'application/json' },
});

/** A request after authorisation, by default of the admin of Acme. Only an operation on an import needs `import`. */
export function operationRequest(
  parts: Partial<Omit<CompanyRequest, 'caller' | 'import'>> & {
    readonly caller?: Partial<Caller>;
    readonly import?: ImportItem | undefined;
  } = {},
): CompanyRequest {
  const caller = { user: ADMIN, company: COMPANY, session: SESSION, ...parts.caller };
  const defaults = { requestId: '', attemptId: '', basePath: '', query: {}, headers: {}, sourceIp: '192.0.2.1' };
  const path = { company_id: caller.company.company_id };
  const headerValues = (name: string) => [parts.headers?.[name]].filter((value) => value !== undefined);
  return { ...defaults, path, headerValues, ...NO_BODY, ...parts, caller } as CompanyRequest;
}
