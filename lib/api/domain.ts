/** The address of an API under a name of the deployer’s own, which outlives the stack. */
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

/** TLS 1.2 and 1.3, with ciphers of forward secrecy only. AWS’s default for the endpoint of an API accepts TLS 1.0. */
export const TLS = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.STRICT,
} as const;

export type DomainSettings = Pick<Settings, 'domain' | 'certificate'>;

/** The base URL of `domain`: `api.example.com`, or `api.example.com/acme`. */
export const urlOfDomain = (domain: string): string => `https://${domain}`;

export interface ApiDomainProps {
  readonly api: RestApi;
  readonly domain: string;
  /** ARN of a certificate in ACM, with which the stack makes the domain name; without it, the name exists in the account. */
  readonly certificate: string | undefined;
}

/** Maps a domain name to the stage of an API. */
export class ApiDomain extends Construct {
  /** The name to which a DNS record of the domain leads. */
  readonly target: string | undefined;

  constructor(scope: Construct, id: string, { api, domain, certificate }: ApiDomainProps) {
    super(scope, id);
    const [name = '', basePath] = domain.split('/');
    const own =
      certificate === undefined
        ? undefined
        : new DomainName(this, 'Name', {
            domainName: name,
            certificate: Certificate.fromCertificateArn(this, 'Certificate', certificate),
            endpointType: EndpointType.REGIONAL,
            ...TLS,
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
