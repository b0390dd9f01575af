import {
  CfnBasePathMapping,
  DomainName,
  EndpointAccessMode,
  EndpointType,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** Without the default's TLS 1.0. An API with callers goes to strict by way of basic: strict refuses other hosts. */
export const tlsOf = ({ endpointAccess }: Pick<Settings, 'endpointAccess'>) => ({
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: endpointAccess === 'strict' ? EndpointAccessMode.STRICT : EndpointAccessMode.BASIC,
});

/** Of a domain with a certificate, the stack makes the name; without one, it exists in the account. @returns where a DNS record leads */
export function mapDomain(scope: Construct, api: RestApi, settings: Settings): string | undefined {
  const { domain, certificate } = settings;
  if (domain === undefined) return undefined;
  const part = new Construct(scope, 'Domain');
  const [name = '', basePath] = domain.split('/');
  const own =
    certificate === undefined
      ? undefined
      : new DomainName(part, 'Name', {
          domainName: name,
          certificate: Certificate.fromCertificateArn(part, 'Certificate', certificate),
          endpointType: EndpointType.REGIONAL,
          ...tlsOf(settings),
        });
  new CfnBasePathMapping(part, 'Mapping', {
    domainName: own?.domainName ?? name,
    restApiId: api.restApiId,
    stage: api.deploymentStage.stageName,
    ...(basePath === undefined ? {} : { basePath }),
  });
  return own?.domainNameAliasDomainName;
}
