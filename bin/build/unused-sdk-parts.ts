/**
 * Replaces two parts of the AWS SDK that no function uses. Endpoint discovery: DynamoDB's endpoint follows from the region.
 * Event streams: no operation of DynamoDB, SQS or KMS has one.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: (): undefined => undefined,
  configFileSelector: (): undefined => undefined,
  default: false,
};

export function resolveEndpointDiscoveryConfig<Config>(config: Config): Config {
  return config;
}

const unsupported = (): never => {
  throw new Error('The build leaves out event streams: see bin/build/unused-sdk-parts.ts.');
};

export { unsupported as EventStreamSerde, unsupported as eventStreamSerdeProvider };
