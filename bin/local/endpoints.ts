import { REGION } from './physical-resources.ts';

/** Addresses of the servers that stand in for AWS; the two that may be others are named by the environment. */
export interface Endpoints {
  readonly dynamodb: string;
  readonly sqs: string;
  readonly kms: string;
}

/** The AWS part of a function's environment: where its clients find the stand-ins, and credentials for them. */
export function awsEnvironment(endpoints: Endpoints): Record<string, string> {
  return {
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    // An engine given by the environment may ask for real credentials; the embedded ones take any.
    AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'] ?? 'local',
    AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'] ?? 'local',
    ...(process.env['AWS_SESSION_TOKEN'] === undefined ? {} : { AWS_SESSION_TOKEN: process.env['AWS_SESSION_TOKEN'] }),
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_KMS: endpoints.kms,
  };
}

/** Settings for this process's own clients of the stand-ins. */
export function clientSettings(endpoint: string) {
  return {
    endpoint,
    region: REGION,
    credentials: {
      accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? 'local',
      secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? 'local',
      ...(process.env['AWS_SESSION_TOKEN'] === undefined ? {} : { sessionToken: process.env['AWS_SESSION_TOKEN'] }),
    },
  };
}
