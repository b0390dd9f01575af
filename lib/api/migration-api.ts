import { Duration, Fn, Size, Stack, Validations } from 'aws-cdk-lib/core';
import { AccessLogFormat, type CfnRestApi, EndpointType, LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import * as ENV from '../../functions/runtime/variables.ts';
import { EVIDENCE_ROUTES, PAGE_PATHS, routePath, ROUTES, type Route } from '../../functions/shared/routes.ts';
import type { FunctionName } from '../function-sources.ts';
import type { BundledFunction } from '../functions/bundled-function.ts';
import { grantsOf } from '../functions/grants.ts';
import { functionOf, type Shared } from '../functions/permissions.ts';
import type { Settings } from '../settings.ts';
import { mapDomain, tlsOf } from './domain.ts';
import type { Outputs } from '../landing-zone.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { OTHERS, PREFLIGHTS, rateOf } from './rates.ts';
import type { WebAclSetting } from './web-acl.ts';

const API_TIMEOUT = Duration.seconds(29);

const COMPRESSED_FROM = Size.kibibytes(2);

/** It takes all content as binary: a body arrives in base64, whose size does not depend on its content. */
export class MigrationApi extends Construct {
  readonly api: RestApi;
  readonly baseUrl: string;
  /** Of the page, if the API serves one. */
  readonly pageUrl: string | undefined;
  readonly #domainTarget: string | undefined;
  readonly functions: ReadonlyMap<string, BundledFunction>;
  readonly #shared: Shared;

  /** @param webAcl the web ACL in front of it, which decides what a blocked caller reads */
  constructor(scope: Construct, shared: Shared, webAcl: WebAclSetting | undefined) {
    super(scope, 'Http');
    this.#shared = shared;
    const { settings } = shared;
    // The stage is the name of the API's stage too: the first segment of every path at its own address.
    const { stage, domain } = settings;
    const { stackName, region, urlSuffix } = Stack.of(this);
    const routes = ROUTES.filter(({ name }) => shared.evidenceKey !== undefined || !EVIDENCE_ROUTES.has(name));
    this.api = new RestApi(this, 'Api', {
      restApiName: stackName,
      description: 'Course progress migration and token authentication',
      endpointTypes: [EndpointType.REGIONAL],
      binaryMediaTypes: ['*/*'],
      minCompressionSize: COMPRESSED_FROM,
      cloudWatchRole: false,
      disableExecuteApiEndpoint: domain !== undefined,
      deployOptions: {
        stageName: stage,
        ...accessLogTo(settings.accessLogs),
        ...(settings.tracing === true && { tracingEnabled: true }),
        ...OTHERS,
        methodOptions: methodThrottles(routes, settings),
      },
    });
    // The construct's own output ends in a slash; the stack has one that does not.
    this.api.node.tryRemoveChild('Endpoint');
    Object.assign(this.api.node.defaultChild as CfnRestApi, tlsOf(settings));
    const host = Fn.join('.', [this.api.restApiId, 'execute-api', region, urlSuffix]);
    this.baseUrl = domain === undefined ? Fn.join('', ['https://', host, '/', stage]) : `https://${domain}`;
    this.#domainTarget = mapDomain(this, this.api, settings);
    this.functions = new Map(routes.map((route) => [route.name, this.#serve(route)]));
    const hasPage = settings.page ?? stage === 'sandbox';
    this.pageUrl = hasPage ? `${this.baseUrl}/` : undefined;
    const parts = [...(shared.evidenceKey === undefined ? [] : ['evidence']), ...(hasPage ? ['page'] : [])];
    if (hasPage) this.#servePage();
    this.#serveTheRest(parts);
    addGatewayResponses(this.api, { webAcl, cors: settings.cors !== undefined });
    acknowledge(this);
  }

  get outputs(): Outputs {
    const target = this.#domainTarget;
    return {
      BaseUrl: [this.baseUrl, 'Both base URLs of the interface'],
      JwksUrl: [`${this.baseUrl}${routePath('get-jwks', {})}`, 'The public keys of the tokens'],
      ...(target !== undefined && { DomainTarget: [target, 'A DNS record of the domain leads here'] }),
      ApiStageArn: [this.api.deploymentStage.stageArn, 'The stage of the API, which a web ACL protects'],
    };
  }

  #serve(route: Route): BundledFunction {
    const handler = this.#function(route.name, memoryMb(route), `${route.method} ${route.path}`);
    this.api.root.resourceForPath(route.path).addMethod(route.method, this.#integration(handler));
    return handler;
  }

  #servePage(): void {
    const page = this.#integration(this.#function('serve-page', 256, 'The page for people, and its files'));
    for (const path of PAGE_PATHS) this.api.root.resourceForPath(path).addMethod('GET', page);
  }

  /** A known path without the requested method falls through to the greedy path. */
  #serveTheRest(parts: readonly string[]): void {
    const handler = this.#function('route-not-found', 256, 'Responds to every unknown path and method');
    if (parts.length > 0) handler.addEnvironment(ENV.apiParts, parts.join(','));
    const { root } = this.api;
    const rest = root.addResource('{proxy+}');
    for (const resource of [root, rest]) resource.addMethod('ANY', this.#integration(handler));
    // Preflights of pages share no rate with unknown paths, which scanners use up.
    if (this.#shared.settings.cors !== undefined) rest.addMethod('OPTIONS', this.#integration(handler));
  }

  #integration(handler: BundledFunction): LambdaIntegration {
    // One permission for the whole API: a policy of a function is limited to 20 KB.
    return new LambdaIntegration(handler, { scopePermissionToMethod: false });
  }

  #function(name: FunctionName, memory: number, description: string): BundledFunction {
    const { cors, documentation } = this.#shared.settings;
    const handler = functionOf(this, pascalCase(name), name, this.#shared, {
      description,
      memoryMb: memory,
      timeout: API_TIMEOUT,
    });
    if (cors !== undefined) handler.addEnvironment(ENV.corsOrigins, cors.join(','));
    if (name === 'get-openapi' && documentation !== undefined) handler.addEnvironment(ENV.documentation, documentation);
    return handler;
  }
}

function methodThrottles(routes: readonly Route[], { cors, warm }: Settings) {
  const ofRoutes = routes.map(({ name, method, path }) => [`${path}/${method}`, rateOf(name, warm)] as const);
  return Object.fromEntries([...ofRoutes, ...(cors === undefined ? [] : [['/{proxy+}/OPTIONS', PREFLIGHTS] as const])]);
}

/** Findings of cdk-nag that do not apply, each with its reason. */
const ACKNOWLEDGED = {
  APIG1:
    'The functions log every request. Access logs are a setting (`access-logs`), because they need a Firehose stream, which has a price.',
  APIG2:
    'The functions validate every request with the schema that documents it. A validator here would accept less and respond without naming the field.',
  APIG3: 'A web ACL is a setting (`web-acl`), because it has a price of its own.',
  APIG4:
    'The functions verify the token, and that session, user and company are still active. An authoriser would cache its decision.',
  APIG6: 'Execution logs would need the same shared role, and could hold bodies and tokens.',
  COG4: 'Users are those of the platform, which logs them in through this API; there is no user pool.',
} as const;

function acknowledge(scope: Construct): void {
  for (const [rule, reason] of Object.entries(ACKNOWLEDGED)) {
    Validations.of(scope).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
  }
}

/** A line for each request, also one that no function saw: with its address and the reason. It names no caller and no query. */
const ACCESS_LOG = {
  time: '$context.requestTimeEpoch',
  request_id: '$context.requestId',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  path: '$context.path',
  status: '$context.status',
  refused: '$context.error.responseType',
  web_acl: '$context.wafResponseCode',
  tls: '$context.tlsVersion',
  latency_ms: '$context.responseLatency',
} as const;

/** To Firehose: a log group would need a role that all APIs of an account and region share. */
function accessLogTo(destinationArn: string | undefined) {
  if (destinationArn === undefined) return {};
  const accessLogFormat = AccessLogFormat.custom(JSON.stringify(ACCESS_LOG));
  return { accessLogDestination: { bind: () => ({ destinationArn }) }, accessLogFormat };
}

/** Lambda gives CPU in proportion to memory: password hashing and whole batches need it, single reads and waiting do not. */
function memoryMb({ name }: Route): number {
  const { signs, sendsChunks, knowsSignIn } = grantsOf(name);
  return (signs && !knowsSignIn) || sendsChunks ? 1024 : 512;
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
