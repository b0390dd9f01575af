/**
 * Stands in for the SDK's search through `~/.aws` and the metadata of an EC2 machine. Lambda has neither and says all in the
 * environment, where the SDK looks first: these are the answers that it gets there, without looking.
 */
interface ConfigFiles {
  readonly configFile: Readonly<Record<string, never>>;
  readonly credentialsFile: Readonly<Record<string, never>>;
}

export const CONFIG_PREFIX_SEPARATOR = '.';

export const loadSharedConfigFiles = (): Promise<ConfigFiles> =>
  Promise.resolve({ configFile: {}, credentialsFile: {} });

export const getInstanceMetadataRegion = (): Promise<undefined> => Promise.resolve(undefined);
