/** Read when services are built, never at import. One constant a name, so that a bundle has only those it reads. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Value of a variable that the stack sets; its absence is a fault of the deployment. */
export function variable(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** Name of the table, in every function that has a store. */
export const table = 'TABLE_NAME';
export const chunkQueueUrl = 'CHUNK_QUEUE_URL';
/** Of the intake, in a stack with a queue for the platform. */
export const intakeQueueUrl = 'INTAKE_QUEUE_URL';
export const intakeDeadLettersUrl = 'INTAKE_DEAD_LETTERS_URL';
/** Id of the KMS key that signs tokens; only the functions that sign have it. */
export const signingKeyId = 'SIGNING_KEY_ID';
/** Id of the KMS key that signs evidence (§4.10), another one than that of tokens. */
export const evidenceKeyId = 'EVIDENCE_KEY_ID';
export const issuer = 'TOKEN_ISSUER';
export const audience = 'TOKEN_AUDIENCE';
/** `sandbox` or `production`, as events name it. */
export const stage = 'STAGE';
/** Origins whose pages may call the API, separated by commas. */
export const corsOrigins = 'CORS_ORIGINS';
/** What the API has beside the routes of every stack, separated by commas: `evidence`, `page`. */
export const apiParts = 'API_PARTS';
/** Where the document for clients is, for the links of the API description. */
export const documentation = 'DOCUMENTATION_URL';
/** Hourly quotas of a company, as JSON (`Quotas`). */
export const quotas = 'HOURLY_QUOTAS';
/** For how many days results of imports are kept; they are kept for good if it is absent. */
export const retentionDays = 'RETENTION_DAYS';
/** For how many years what imports archive is kept, if it is not ten. */
export const archiveYears = 'ARCHIVE_YEARS';
/** `second` where nothing is imported without the approval of a second person. */
export const approval = 'APPROVAL';
/** The identity provider of the company, as JSON (`SignInSettings`), in the functions that serve the sign-in. */
export const signIn = 'SIGN_IN';
/** `off` where nobody logs in by a password. */
export const passwords = 'PASSWORDS';
export const takesPasswords = (environment: Environment): boolean => environment[passwords] !== 'off';
export const settingsParameter = 'SETTINGS_PARAMETER';
export const baseUrl = 'BASE_URL';
/** Of the checker of an account stack: what it looks for, and the alarm that it lets ring. */
export const runsQueries = 'RUNS_QUERIES';
export const callsQueries = 'CALLS_QUERIES';
export const refusedAlarm = 'REFUSED_ALARM';
export const application = 'APPLICATION';
export const heartbeatAlarm = 'HEARTBEAT_ALARM';
export const quietDays = 'QUIET_DAYS';
/** The sender of notices, where the stack mails them. */
export const mailFrom = 'MAIL_FROM';
/** Of the function that mails notices: the address of the page, if the stack serves one. */
export const pageUrl = 'PAGE_URL';
export const sandboxDataFile = 'SANDBOX_DATA_FILE';
/** Read by the logger: the service in its lines, and the dimension of its metrics. */
export const service = 'POWERTOOLS_SERVICE_NAME';
/** The release, in log lines and in the tags of cached responses. */
export const version = 'SERVICE_VERSION';
/** Set by Lambda in every function that it starts. */
export const initializationType = 'AWS_LAMBDA_INITIALIZATION_TYPE';
