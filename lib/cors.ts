import { Duration } from 'aws-cdk-lib/core';
import { type CorsPreflightOptions, CorsHttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';

/** No cookie is ever used, so credentials stay off: a page presents its token itself. */
const WHAT_PAGES_NEED = {
  allowMethods: [CorsHttpMethod.GET, CorsHttpMethod.POST],
  allowHeaders: ['authorization', 'content-type', 'idempotency-key'],
  exposeHeaders: ['location', 'retry-after', 'idempotent-replayed', 'x-request-id'],
  allowCredentials: false,
  maxAge: Duration.hours(1),
} satisfies CorsPreflightOptions;

/** Closed to the pages of other origins, unless some are named. */
export function corsOf(origins: readonly string[] | undefined): { corsPreflight?: CorsPreflightOptions } {
  return origins === undefined ? {} : { corsPreflight: { ...WHAT_PAGES_NEED, allowOrigins: [...origins] } };
}
