import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { BundledFunction } from './bundled-function.ts';
import { ROUTE_NOT_FOUND } from './function-sources.ts';
import { type Shared, permit, permitAccess } from './permissions.ts';
import { ROUTES, type Route } from './routes.ts';

/** Just under the 30 s that an HTTP API waits. */
const API_TIMEOUT = Duration.seconds(29);

/** Names without a personal word in them: no query string, no user agent. */
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

/** The HTTP API: one route and one function for every entry of the route list; everything else is answered by one more. */
export class MigrationApi extends Construct {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, props: { bundles: string; shared: Shared }) {
    super(scope, id);
    const notFound = this.#function(props.bundles, ROUTE_NOT_FOUND, 256, 'Answers every unknown path and method');
    this.api = new HttpApi(this, 'Api', {
      description: 'Course progress migration and token authentication',
      defaultIntegration: new HttpLambdaIntegration('RouteNotFound', notFound),
      createDefaultStage: false,
    });
    this.#stage();
    for (const route of ROUTES) {
      const handler = this.#function(props.bundles, route.name, memoryMb(route), `${route.method} ${route.path}`);
      permitAccess(handler, route.access, props.shared);
      permit(handler, route.may, props.shared);
      this.api.addRoutes({
        path: route.path,
        methods: [HttpMethod[route.method]],
        integration: new HttpLambdaIntegration(pascalCase(route.name), handler),
      });
    }
  }

  #function(bundles: string, name: string, memory: number, description: string): LambdaFunction {
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
    new HttpStage(this, 'DefaultStage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: 100, burstLimit: 200 },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
  }
}

/** CPU comes with memory: password hashing and whole batches want it, single reads do not. */
function memoryMb(route: Route): number {
  if (route.may.includes('sign') || route.may.includes('send-chunks')) return 1024;
  return 512;
}

export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
