import { REGION } from './template.ts';

/** Addresses of the local servers that replace AWS. `DYNAMODB_ENDPOINT` and `SQS_ENDPOINT` can name others. */
export interface Endpoints {
  readonly dynamodb: string;
  readonly sqs: string;
  readonly kms: string;
  readonly events: string;
}

/** The AWS part of a function's environment: region, credentials, and the endpoints for its clients. */
export function awsEnvironment(endpoints: Endpoints): Record<string, string> {
  return {
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    // An external engine may need real credentials; the embedded ones accept any.
    AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'] ?? 'local',
    AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'] ?? 'local',
    ...(process.env['AWS_SESSION_TOKEN'] === undefined ? {} : { AWS_SESSION_TOKEN: process.env['AWS_SESSION_TOKEN'] }),
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_KMS: endpoints.kms,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.events,
  };
}

/** Settings for this process's own clients of the local servers. */
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
