/** Between a client and the functions, in the template: CORS, gateway responses, web ACL; and the signing key. */
import { describe, expect, it } from 'vitest';
import { resourcesOfType, type Template } from '../../bin/local/template.ts';
import { SHARED, templateOf, variablesIn } from '../kit/template.ts';

const templateWith = (webAcl: string, ofAccount: boolean) =>
  templateOf({ company: 'acme', stage: 'production', webAcl }, { 'web-acl': ofAccount });
const keysOf = (template: Template) => resourcesOfType(template, 'AWS::KMS::Key').map(([id]) => id);
const aliasesOf = (template: Template) =>
  resourcesOfType(template, 'AWS::KMS::Alias').map(([, properties]) => properties['AliasName']);

interface GatewayResponse {
  readonly ResponseType: string;
  readonly StatusCode?: string;
  readonly ResponseParameters: Readonly<Record<string, string>>;
  readonly ResponseTemplates: Readonly<Record<string, string>>;
}

const gatewayResponsesOf = (template: Template) =>
  new Map(
    resourcesOfType(template, 'AWS::ApiGateway::GatewayResponse').map(([, raw]) => {
      const response = raw as unknown as GatewayResponse;
      return [response.ResponseType, response];
    }),
  );

const plain = templateOf({ company: 'acme', stage: 'production' });

describe('pages of other origins', () => {
  const originsIn = (template: Template) =>
    variablesIn(template).flatMap(([id, { CORS_ORIGINS }]) =>
      CORS_ORIGINS === undefined ? [] : [[id.startsWith('Http'), CORS_ORIGINS]],
    );

  it('pages of other origins may not call the API unless they are named', () => {
    expect(originsIn(plain)).toEqual([]);
    expect(JSON.stringify(plain)).not.toMatch(/access-control/i);
  });

  it('named origins may call every function of the API, and read the responses of API Gateway', () => {
    const template = templateOf(SHARED.production);
    const functions = resourcesOfType(template, 'AWS::Lambda::Function').filter(([id]) => id.startsWith('Http'));
    expect(originsIn(template)).toEqual(functions.map(() => [true, 'https://app.example.com,http://localhost:5173']));
    for (const { ResponseParameters } of gatewayResponsesOf(template).values())
      expect(ResponseParameters['gatewayresponse.header.access-control-allow-origin']).toBe("'*'");
  });
});

it.each([
  ['DEFAULT_4XX', '400', 'invalid_request', undefined],
  ['UNSUPPORTED_MEDIA_TYPE', '400', 'invalid_request', undefined],
  ['DEFAULT_5XX', '503', 'temporarily_unavailable', "'2'"],
  ['MISSING_AUTHENTICATION_TOKEN', '404', 'route_not_found', undefined],
  ['RESOURCE_NOT_FOUND', '404', 'route_not_found', undefined],
  ['REQUEST_TOO_LARGE', '413', 'payload_too_large', undefined],
  ['THROTTLED', '429', 'too_many_requests', "'1'"],
  ['QUOTA_EXCEEDED', '429', 'too_many_requests', "'1'"],
  ['ACCESS_DENIED', '403', 'forbidden', undefined],
  ['WAF_FILTERED', '403', 'forbidden', undefined],
])('the response %s is in the envelope, with the headers of every response', (type, status, code, retryAfter) => {
  const response = gatewayResponsesOf(plain).get(type);
  expect(response?.StatusCode).toBe(status);
  expect(response?.ResponseParameters).toEqual({
    'gatewayresponse.header.x-request-id': 'context.requestId',
    'gatewayresponse.header.cache-control': "'no-store'",
    'gatewayresponse.header.strict-transport-security': "'max-age=63072000; includeSubDomains'",
    'gatewayresponse.header.x-content-type-options': "'nosniff'",
    ...(retryAfter !== undefined && { 'gatewayresponse.header.retry-after': retryAfter }),
  });
  expect(JSON.parse(response?.ResponseTemplates['application/json'] ?? '')).toEqual({
    errors: [{ error_code: code, message: expect.stringMatching(/^[A-Z].+\.$/) }],
    request_id: '$context.requestId',
  });
});

describe('a web ACL', () => {
  const associationOf = (template: Template) => resourcesOfType(template, 'AWS::WAFv2::WebACLAssociation')[0]?.[1];

  it('the web ACL exists only if a setting asks for it', () => {
    expect(JSON.stringify(plain)).not.toContain('WAF::');
    expect(associationOf(plain)).toBeUndefined();
  });

  it('the web ACL of the stack is associated with its stage', () => {
    const template = templateWith('own', false);
    const [[id, acl] = []] = resourcesOfType(template, 'AWS::WAFv2::WebACL');
    expect(associationOf(template)).toMatchObject({ WebACLArn: { 'Fn::GetAtt': [id, 'Arn'] } });
    expect(JSON.stringify(associationOf(template)?.['ResourceArn'])).toContain('/stages/');
    expect(acl?.['Rules']).toHaveLength(8);
  });

  it('a web ACL that blocks by rate only responds with 429 and Retry-After, any other one with 403', () => {
    const arn = 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/ours/1';
    const [own, given] = [templateWith('own', false), templateWith(arn, true)];
    expect(gatewayResponsesOf(own).get('WAF_FILTERED')).toMatchObject({
      StatusCode: '429',
      ResponseParameters: { 'gatewayresponse.header.retry-after': "'30'" },
    });
    expect(gatewayResponsesOf(given).get('WAF_FILTERED')).toMatchObject({ StatusCode: '403' });
    expect(associationOf(given)).toMatchObject({ WebACLArn: arn });
    expect(resourcesOfType(given, 'AWS::WAFv2::WebACL')).toEqual([]);
  });
});

it('the next signing key is another key under another alias, so that the first still exists while the second takes over', () => {
  const [first, second] = [plain, templateOf(SHARED.production)];
  expect(keysOf(second)).toHaveLength(1);
  expect(keysOf(second)).not.toEqual(keysOf(first));
  expect(aliasesOf(second)).not.toEqual(aliasesOf(first));
});
