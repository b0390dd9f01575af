/** The responses that the API gives without a function, from the template. */
import type { ServerResponse } from 'node:http';
import { type Template, resourcesOfType } from './template.ts';

interface Declared {
  readonly ResponseType: string;
  readonly StatusCode?: string;
  readonly ResponseParameters?: Readonly<Record<string, string>>;
  readonly ResponseTemplates?: Readonly<Record<string, string>>;
}

/** The responses of API Gateway itself, each under a type that the template may give a response of its own. */
const TYPES = {
  foreignHost: ['ACCESS_DENIED', 403],
  noRoute: ['MISSING_AUTHENTICATION_TOKEN', 403],
  notUnpacked: ['UNSUPPORTED_MEDIA_TYPE', 415],
  bodyTooLarge: ['REQUEST_TOO_LARGE', 413],
  functionFailed: ['INTEGRATION_FAILURE', 502],
} as const;

export type GatewayFault = keyof typeof TYPES;

export type SendGatewayResponse = (response: ServerResponse, fault: GatewayFault, requestId: string) => void;

const HEADER = 'gatewayresponse.header.';

export function gatewayResponses(template: Template): SendGatewayResponse {
  const declared = resourcesOfType(template, 'AWS::ApiGateway::GatewayResponse').map(
    ([, raw]) => raw as unknown as Declared,
  );
  const declaredAs = (type: string) => declared.find(({ ResponseType }) => ResponseType === type);
  return (response, fault, requestId) => {
    const [type, status] = TYPES[fault];
    const fallback = declaredAs(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    response.setHeader('x-amzn-requestid', requestId);
    response.setHeader('x-amzn-errortype', type);
    response.statusCode = status;
    send(response, declaredAs(type) ?? fallback ?? { ResponseType: type }, requestId);
  };
}

function send(response: ServerResponse, declared: Declared, requestId: string): void {
  const { StatusCode = response.statusCode, ResponseParameters = {}, ResponseTemplates = {} } = declared;
  for (const [name, value] of Object.entries(ResponseParameters)) {
    const literal = /^'(.*)'$/.exec(value)?.[1];
    response.setHeader(name.slice(HEADER.length), literal ?? requestId);
  }
  const text = ResponseTemplates['application/json'] ?? '{"message":"$context.error.message"}';
  const body = text.replaceAll('$context.requestId', requestId);
  response
    .writeHead(Number(StatusCode), { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
}
