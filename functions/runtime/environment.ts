/**
 * Names of the environment variables that the stack and Lambda set and the functions read: one constant, shared by all. No
 * variable is read at import, except the one that shows that Lambda is starting the function (`connected` in dynamodb).
 */
export const ENV = {
  table: 'TABLE_NAME',
  chunkQueueUrl: 'CHUNK_QUEUE_URL',
  signingKeyId: 'SIGNING_KEY_ID',
  issuer: 'TOKEN_ISSUER',
  audience: 'TOKEN_AUDIENCE',
  /** `sandbox` or `production`, as events name it. */
  stage: 'STAGE',
  /** Origins whose pages may call the API, separated by commas. */
  corsOrigins: 'CORS_ORIGINS',
  /** Address of the documentation. */
  documentation: 'DOCUMENTATION_URL',
  /** Hourly quotas of a company, as JSON (`Quotas`). */
  quotas: 'HOURLY_QUOTAS',
  /** For how many days results of imports are kept; they are kept for good if it is absent. */
  retentionDays: 'RETENTION_DAYS',
  /** Name of the parameter in SSM with the settings of the last deployment. */
  settingsParameter: 'SETTINGS_PARAMETER',
  /** Where the canary reaches the API. */
  baseUrl: 'BASE_URL',
  sandboxDataFile: 'SANDBOX_DATA_FILE',
  /** Name of the deployed stack in its logs and metrics. */
  service: 'POWERTOOLS_SERVICE_NAME',
  /** Version of the deployed service. */
  version: 'SERVICE_VERSION',
  /** Set by Lambda in every function that it starts. */
  initializationType: 'AWS_LAMBDA_INITIALIZATION_TYPE',
} as const;

/** The environment of a function, as an argument: it is read when the services are built, never at import. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Value of a variable that the stack sets; its absence is a fault of the deployment. */
export function variable(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
