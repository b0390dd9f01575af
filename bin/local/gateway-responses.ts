/** The responses that the API gives without a function, from the template. */
import type { ServerResponse } from 'node:http';
import { type Template, resourcesOfType } from './template.ts';

interface Declared {
  readonly ResponseType: string;
  readonly StatusCode: string;
  readonly ResponseParameters: Readonly<Record<string, string>>;
  readonly ResponseTemplates: { readonly 'application/json': string };
}

/** The responses of API Gateway itself: the type that the template may give a response of its own, and else that of its default. */
const TYPES = {
  foreignHost: ['ACCESS_DENIED', 'DEFAULT_4XX'],
  noRoute: ['MISSING_AUTHENTICATION_TOKEN', 'DEFAULT_4XX'],
  notUnpacked: ['UNSUPPORTED_MEDIA_TYPE', 'DEFAULT_4XX'],
  bodyTooLarge: ['REQUEST_TOO_LARGE', 'DEFAULT_4XX'],
  functionFailed: ['INTEGRATION_FAILURE', 'DEFAULT_5XX'],
} as const;

export type GatewayFault = keyof typeof TYPES;

export type SendGatewayResponse = ReturnType<typeof gatewayResponses>;

const HEADER = 'gatewayresponse.header.';

export function gatewayResponses(template: Template) {
  const declared = resourcesOfType(template, 'AWS::ApiGateway::GatewayResponse').map(
    ([, raw]) => raw as unknown as Declared,
  );
  const declaredAs = (type: string) => declared.find(({ ResponseType }) => ResponseType === type);
  return (response: ServerResponse, fault: GatewayFault, requestId: string): void => {
    const [type, fallback] = TYPES[fault];
    const own = declaredAs(type) ?? declaredAs(fallback);
    if (own === undefined) throw new Error(`The template has no gateway response ${fallback}.`);
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    for (const [name, value] of Object.entries(own.ResponseParameters)) {
      const literal = /^'(.*)'$/.exec(value)?.[1];
      response.setHeader(name.slice(HEADER.length), literal ?? requestId);
    }
    const body = own.ResponseTemplates['application/json'].replaceAll('$context.requestId', requestId);
    response
      .writeHead(Number(own.StatusCode), {
        'x-amzn-requestid': requestId,
        'x-amzn-errortype': type,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      })
      .end(body);
  };
}
