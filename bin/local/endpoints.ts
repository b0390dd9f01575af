/** The addresses of the local servers, and the settings of their clients. */
import { REGION } from './template.ts';

export type ClientSettings = ReturnType<typeof clientSettings>;

/** The engines accept any credentials. Some keep the data of each access key apart. */
export const ENGINE_KEY = process.env['AWS_ACCESS_KEY_ID'] ?? 'local';

/** The bundles look for no endpoint of all services. */
const SERVICES = ['DYNAMODB', 'SQS', 'KMS', 'EVENTBRIDGE', 'SSM', 'SESV2'];

/** The AWS part of a function's environment: region, credentials, and the endpoint of its clients. */
export function awsEnvironment(endpoint: string, accessKeyId = ENGINE_KEY): Record<string, string> {
  return {
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
    ...Object.fromEntries(SERVICES.map((service) => [`AWS_ENDPOINT_URL_${service}`, endpoint])),
  };
}

/** Settings for clients of the servers at this endpoint; by default of an engine itself. */
export function clientSettings(endpoint: string, accessKeyId = ENGINE_KEY) {
  return { endpoint, region: REGION, credentials: { accessKeyId, secretAccessKey: 'local' } };
}

const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/** Whether the host is this machine: a page by DNS rebinding names its own. Any port: there may be a tunnel. */
export const isLoopbackHost = (host = ''): boolean => LOOPBACK_HOST.test(host);
