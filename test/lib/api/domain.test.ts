/** The addresses of an API: their TLS versions, and a domain name of the deployer’s own. Costs three seconds. */
import { describe, expect, it } from 'vitest';
import { type Properties, resourcesOfType, type Template } from '../../../bin/local/template.ts';
import type { Settings } from '../../../lib/settings.ts';
import { templateOf } from '../../kit/template.ts';

const CERTIFICATE = 'arn:aws:acm:eu-west-1:111122223333:certificate/1-2-3';
const TLS = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', EndpointAccessMode: 'BASIC' };

const templateWith = (settings: Partial<Settings> = {}) =>
  templateOf({ company: 'acme', stage: 'production', ...settings }) as Template & {
    readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
  };
const only = (template: Template, type: string): Properties | undefined => {
  const all = resourcesOfType(template, `AWS::ApiGateway::${type}`);
  expect(all.length).toBeLessThanOrEqual(1);
  return all[0]?.[1];
};

it('the API’s own address accepts TLS 1.2 and 1.3 only, whose default accepts TLS 1.0', () => {
  const template = templateWith();
  expect(only(template, 'RestApi')).toMatchObject({ ...TLS, DisableExecuteApiEndpoint: false });
  expect([only(template, 'DomainName'), only(template, 'BasePathMapping')]).toEqual([undefined, undefined]);
});

it('access becomes strict by a setting, after a deployment with basic access; AWS’s default is neither', () => {
  const strict = { domain: 'acme.example.com', certificate: CERTIFICATE, endpointAccess: 'strict' } as const;
  for (const type of ['RestApi', 'DomainName'])
    expect(only(templateWith(strict), type)).toMatchObject({ ...TLS, EndpointAccessMode: 'STRICT' });
});

describe('an API with a domain and a certificate', () => {
  const template = templateWith({ domain: 'acme.example.com', certificate: CERTIFICATE });

  it('the stack makes the domain name, with the same TLS versions, and maps it to its stage', () => {
    expect(only(template, 'DomainName')).toMatchObject({
      DomainName: 'acme.example.com',
      RegionalCertificateArn: CERTIFICATE,
      EndpointConfiguration: { Types: ['REGIONAL'] },
      ...TLS,
    });
    expect(JSON.stringify(only(template, 'BasePathMapping'))).toContain('Stage');
    expect(only(template, 'BasePathMapping')).not.toHaveProperty('BasePath');
  });

  it('the address of API Gateway is switched off, and the outputs name the domain and the target of its DNS record', () => {
    expect(only(template, 'RestApi')).toMatchObject({ DisableExecuteApiEndpoint: true });
    expect(template.Outputs['BaseUrl']?.Value).toBe('https://acme.example.com');
    expect(JSON.stringify(template.Outputs['DomainTarget'])).toContain('RegionalDomainName');
  });
});

it('an API with a domain alone is mapped to a path of a domain name that exists', () => {
  const template = templateWith({ domain: 'api.example.com/acme' });
  expect(only(template, 'DomainName')).toBeUndefined();
  expect(only(template, 'BasePathMapping')).toMatchObject({ DomainName: 'api.example.com', BasePath: 'acme' });
  expect(template.Outputs['BaseUrl']?.Value).toBe('https://api.example.com/acme');
  expect(template.Outputs).not.toHaveProperty('DomainTarget');
});
