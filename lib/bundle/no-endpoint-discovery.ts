/**
 * Stands in for `@aws-sdk/middleware-endpoint-discovery` inside the bundles. DynamoDB's endpoint follows from the region, and
 * discovery is off unless somebody asks for it; the original brings caches and collections along. The operation that it would
 * call goes with it.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: (): undefined => undefined,
  configFileSelector: (): undefined => undefined,
  default: false,
};

export function resolveEndpointDiscoveryConfig<Config>(config: Config): Config {
  return config;
}

export const DescribeEndpointsCommand = undefined;
