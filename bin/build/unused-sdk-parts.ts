/** Instead of two parts of the AWS SDK that no function uses: endpoint discovery and event streams. */
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
