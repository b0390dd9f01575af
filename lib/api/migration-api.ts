import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnRoute,
  type CfnStage,
  CorsHttpMethod,
  type CorsPreflightOptions,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ROUTES, type Route, type RouteName } from '../../functions/shared/routes.ts';
import { ROUTE_NOT_FOUND } from '../function-sources.ts';
import { BundledFunction } from '../functions/bundled-function.ts';
import { grantsOf } from '../functions/grants.ts';
import { type Shared, permit } from '../functions/permissions.ts';

/** Just below the 30 s that an HTTP API waits for its integration. */
const API_TIMEOUT = Duration.seconds(29);

interface Throttle {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** A password hash costs a fifth of a second of CPU, and guessing passwords needs many logins. */
const AUTHENTICATING: Throttle = { requestsPerSecond: 10, burst: 20 };
/** Keeps Lambda concurrency free for the other routes while many imports are sent. */
const IMPORTING: Throttle = { requestsPerSecond: 20, burst: 50 };

/** Limits of a route below the API's own: for calls that are expensive or worth brute-forcing. */
const THROTTLES: Readonly<Partial<Record<RouteName, Throttle>>> = {
  login: AUTHENTICATING,
  'refresh-token': AUTHENTICATING,
  'start-import': IMPORTING,
};

/** Without personal data: no query string, no user agent. */
const ACCESS_LOG = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  route: '$context.routeKey',
  status: '$context.status',
  bytes: '$context.responseLength',
  ms: '$context.responseLatency',
  error: '$context.integrationErrorMessage',
};

/** Credentials stay off: the API uses no cookies, a page sends its token itself. */
const CORS = {
  allowMethods: [CorsHttpMethod.GET, CorsHttpMethod.POST],
  allowHeaders: ['authorization', 'content-type', 'idempotency-key'],
  exposeHeaders: ['location', 'retry-after', 'idempotent-replayed', 'x-request-id'],
  allowCredentials: false,
  maxAge: Duration.hours(1),
} satisfies CorsPreflightOptions;

export interface MigrationApiProps {
  /** Folder with one folder per built function. */
  readonly bundles: string;
  readonly shared: Shared;
  /** Origins whose pages may call the API from a browser; default: none. */
  readonly cors?: readonly string[] | undefined;
}

/** The HTTP API: one route and one function for every entry of the route list, and one function for every other request. */
export class MigrationApi extends Construct {
  readonly api: HttpApi;
  /** The functions by route name. */
  readonly functions: ReadonlyMap<string, BundledFunction>;

  constructor(scope: Construct, id: string, props: MigrationApiProps) {
    super(scope, id);
    const notFound = this.#function(props.bundles, ROUTE_NOT_FOUND, 256, 'Responds to every unknown path and method');
    this.api = new HttpApi(this, 'Api', {
      description: 'Course progress migration and token authentication',
      defaultIntegration: new HttpLambdaIntegration('RouteNotFound', notFound),
      createDefaultStage: false,
      ...(props.cors !== undefined && { corsPreflight: { ...CORS, allowOrigins: [...props.cors] } }),
    });
    this.functions = new Map(ROUTES.map((route) => [route.name, this.#serve(route, props)]));
    this.#stage();
  }

  #serve(route: Route, { bundles, shared }: MigrationApiProps): BundledFunction {
    const handler = this.#function(bundles, route.name, memoryMb(route), `${route.method} ${route.path}`);
    permit(handler, route.name, shared);
    this.api.addRoutes({
      path: route.path,
      methods: [HttpMethod[route.method]],
      integration: new HttpLambdaIntegration(pascalCase(route.name), handler),
    });
    return handler;
  }

  #function(bundles: string, name: string, memory: number, description: string): BundledFunction {
    return new BundledFunction(this, pascalCase(name), {
      bundle: `${bundles}/${name}`,
      description,
      memoryMb: memory,
      timeout: API_TIMEOUT,
    });
  }

  #stage(): void {
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const stage = new HttpStage(this, 'DefaultStage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: 100, burstLimit: 200 },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    throttleRoutes(stage);
    const routes = this.api.node.findAll().filter((child) => child instanceof HttpRoute);
    // CloudFormation can set the limits of a route only after it has created the route.
    stage.node.addDependency(...routes);
    for (const route of routes) acknowledgeOwnAuthorisation(route);
  }
}

/** The construct has no option for limits per route. */
function throttleRoutes(stage: HttpStage): void {
  const settings = ROUTES.flatMap(({ name, method, path }) => {
    const throttle = THROTTLES[name];
    if (throttle === undefined) return [];
    const limits = { ThrottlingRateLimit: throttle.requestsPerSecond, ThrottlingBurstLimit: throttle.burst };
    return [[`${method} ${path}`, limits] as const];
  });
  (stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries(settings);
}

function acknowledgeOwnAuthorisation(route: HttpRoute): void {
  const { routeKey } = route.node.defaultChild as CfnRoute;
  const access = ROUTES.find(({ method, path }) => `${method} ${path}` === routeKey)?.access ?? 'public';
  const reason =
    access === 'public'
      ? 'Public by design: it logs callers in, returns public data, or reports an unknown route.'
      : 'Its function verifies the token, and that session, user and company are still active. An API authoriser would cache its decision and return errors outside our envelope.';
  Validations.of(route).acknowledge({ id: 'AwsSolutions::AwsSolutions-APIG4', reason });
}

/** Lambda gives CPU in proportion to memory: password hashing and whole batches need it, single reads do not. */
function memoryMb({ name }: Route): number {
  const { signs, sendsChunks } = grantsOf(name);
  return signs || sendsChunks ? 1024 : 512;
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
