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

export const urlOfDomain = (domain: string): string => `https://${domain}`;

export interface ApiDomainProps {
  readonly api: RestApi;
  readonly domain: string;
  /** ARN of a certificate in ACM, with which the stack makes the domain name; without it, the name exists in the account. */
  readonly certificate: string | undefined;
  readonly tls: ReturnType<typeof tlsOf>;
}

export class ApiDomain extends Construct {
  readonly target: string | undefined;

  constructor(scope: Construct, id: string, { api, domain, certificate, tls }: ApiDomainProps) {
    super(scope, id);
    const [name = '', basePath] = domain.split('/');
    const own =
      certificate === undefined
        ? undefined
        : new DomainName(this, 'Name', {
            domainName: name,
            certificate: Certificate.fromCertificateArn(this, 'Certificate', certificate),
            endpointType: EndpointType.REGIONAL,
            ...tls,
          });
    this.target = own?.domainNameAliasDomainName;
    new CfnBasePathMapping(this, 'Mapping', {
      domainName: own?.domainName ?? name,
      restApiId: api.restApiId,
      stage: api.deploymentStage.stageName,
      ...(basePath === undefined ? {} : { basePath }),
    });
  }
}
