/** The settings of one deployment: one entry each, which validates it and describes it in editors. */
import { createHash } from 'node:crypto';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { RESERVED_WORDS } from '../functions/records/identifiers.ts';
import { codesOf } from '../functions/shared/codes.ts';
import { ARCHIVE_YEARS, RETENTION_DAYS } from '../functions/shared/limits.ts';
import { flag, pattern, principal, range, table, text, wholeNumber } from './settings-schemas.ts';
import { SIGN_IN } from './sign-in-setting.ts';

const STAGES = ['sandbox', 'production'] as const;
export type Stage = (typeof STAGES)[number];

const listOf = <Item extends v.GenericSchema>(item: Item, rule: string, description: string) =>
  v.pipe(v.array(item, rule), v.minLength(1, rule), v.description(description));

const notified = (description: string) =>
  listOf(
    pattern(
      /^(arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]+|[^@\s:]+@[^@\s]+)$/,
      'must be an e-mail address or the ARN of an SNS topic',
    ),
    'must be e-mail addresses or ARNs of SNS topics',
    description,
  );

const RETENTION = `a whole number from ${RETENTION_DAYS.min} to ${RETENTION_DAYS.max}, or none`;
const COMPANY = new RegExp(`^(?!(?:${RESERVED_WORDS.join('|')})$)[A-Za-z0-9_-]{1,64}$`);

const REQUIRED = {
  company: text(
    COMPANY,
    `must be 1 to 64 of A-Z a-z 0-9 _ - and none of ${RESERVED_WORDS.join(', ')}`,
    'Names the stack.',
  ),
  stage: v.pipe(v.picklist(STAGES, 'must be sandbox or production'), v.description('What the stack is for.')),
};

/** Written with hyphens in a file and after `-c`, in camel case in code. A further setting is one further entry. */
const OPTIONAL = {
  account: text(
    /^\d{12}$/,
    'must be the 12 digits of an AWS account',
    'AWS account. A deployment with credentials of another account is refused.',
  ),
  region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be an AWS region such as eu-west-1', 'AWS region.'),
  data: text(/./, 'must name a file', 'Data file of a sandbox, relative to the file with the settings.'),
  alarms: notified('E-mail addresses and SNS topics that alarms notify.'),
  tickets: notified(
    'E-mail addresses and SNS topics of the alarms that can wait until the morning. Default: as `alarms`.',
  ),
  runbook: text(
    /^https:\/\/[^\s"<>#]{1,500}$/,
    'must be an address such as https://wiki.example.com/runbook',
    'Address of the runbook. Each alarm links its section there.',
  ),
  cors: listOf(
    pattern(
      /^(https:\/\/[a-z0-9.-]+|http:\/\/localhost)(:\d{1,5})?$/,
      'must be an origin such as https://app.example.com',
    ),
    'must be origins such as https://app.example.com',
    'Origins whose pages may call the API from a browser.',
  ),
  documentation: text(
    /^https:\/\/[^\s"<>]{1,500}$/,
    'must be an address such as https://docs.example.com/',
    'Address of the documentation, which the OpenAPI document of the deployment names.',
  ),
  domain: text(
    // A name, and a path of one segment below it.
    /^(?=[^/]{4,253}(?:\/|$))(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}(?:\/[A-Za-z0-9_-]{1,64})?$/,
    'must be a domain name such as acme.example.com, or one with a path, such as api.example.com/acme',
    'Domain name of the API, with or without a path. The address of API Gateway is switched off.',
  ),
  certificate: text(
    /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
    'must be the ARN of a certificate in ACM',
    'Certificate for the domain, which the stack then makes. Without it, the domain name exists in the account.',
  ),
  'endpoint-access': v.pipe(
    v.picklist(['basic', 'strict'], 'must be basic or strict'),
    v.description('strict: only connections that name the host of the API, after a time with basic, the default.'),
  ),
  page: flag('Whether `GET /` serves the page for people. Default: in a sandbox.'),
  evidence: flag('Whether the stack signs evidence of runs, for 1.00 a month.'),
  'mail-from': text(
    /^[\w.+-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    'must be an e-mail address such as migrations@acme.example',
    'Address, verified in Amazon SES, from which notices of runs are mailed.',
  ),
  objectives: flag(
    'Whether the stack’s own alarms also watch its objectives of success and latency, and refused calls.',
  ),
  canary: flag(
    'Whether a function calls the API every five minutes, as anyone may, and checks the responses. Default: in production.',
  ),
  tracing: flag('Whether the API and its functions send traces to X-Ray.'),
  'sign-in': SIGN_IN,
  passwords: v.pipe(
    v.picklist(['on', 'off'], 'must be on or off'),
    v.description('off: nobody logs in by a password, and sessions that began so are over. Default: on.'),
  ),
  platform: principal('ARN of the IAM role or user that may send facts to the intake.'),
  'access-logs': text(
    /^arn:aws[a-z-]*:firehose:[a-z0-9-]+:\d{12}:deliverystream\/amazon-apigateway-[\w.-]+$/,
    'must be the ARN of a Firehose stream whose name begins with amazon-apigateway-',
    'ARN of the Firehose stream that gets a line for each request, also a throttled or blocked one.',
  ),
  operator: principal('ARN of the IAM role or user that may move dead letters of the intake back to its queue.'),
  qualifier: text(
    /^[A-Za-z0-9_-]{1,10}$/,
    'must be the qualifier of a CDK bootstrap, such as hnb659fds',
    'Qualifier of the CDK bootstrap that deploys the stack.',
  ),
  'permissions-boundary': text(
    /^[\w+=,.@-]{1,128}$/,
    'must be the name of a managed policy of the account',
    'Name of the managed policy that bounds every role of the stack.',
  ),
  tags: v.pipe(
    v.record(
      pattern(
        /^(?!(?:aws:|application$|company$|stage$|alarm$))[\w .:/=+@-]{1,128}$/,
        'must be names of tags, apart from application, company, stage and alarm',
      ),
      pattern(/^[\w .:/=+@-]{0,256}$/, 'must be texts of at most 256 characters'),
      'must be names and values of tags',
    ),
    v.description('Further tags of every resource, such as a cost centre.'),
  ),
  'web-acl': text(
    /^(own|account|none|arn:[\w-]+:wafv2:[\w-]+:\d{12}:regional\/webacl\/.+)$/,
    'must be own, account, the ARN of a regional web ACL, or none',
    'own: a web ACL with limits for each address. account: that of the account stack. Otherwise the ARN of a regional web ACL, or none. Production names one.',
  ),
  'signing-key': wholeNumber(1, 9999, 'Number of the key that signs tokens. The next number makes the next key.'),
  'hourly-imports': wholeNumber(
    1,
    144_000,
    'Imports, dry runs and mapping requests that a company may send in an hour.',
  ),
  'hourly-upload-mb': wholeNumber(1, 1_000_000, 'Megabytes of records that a company may send in an hour.'),
  'hourly-download-mb': wholeNumber(
    1,
    1_000_000,
    'Megabytes of lists and of large reports that a company may fetch in an hour.',
  ),
  approval: v.pipe(
    v.picklist(['none', 'second'], 'must be none or second'),
    v.description(
      'second: nothing is imported without a plan that a second person approved. Without it, or none: approving is possible.',
    ),
  ),
  'retention-days': v.pipe(
    v.union([range(RETENTION_DAYS.min, RETENTION_DAYS.max), v.literal('none')], `must be ${RETENTION}`),
    v.description(
      'For how many days the results of an import, and what was sent, are kept. none, or without it: for good. Production names it.',
    ),
  ),
  'archive-years': wholeNumber(
    ARCHIVE_YEARS.min,
    ARCHIVE_YEARS.max,
    `For how many years what imports archive is kept. Without it: ${ARCHIVE_YEARS.fallback}.`,
  ),
  processors: wholeNumber(2, 1000, 'How many batches of chunks are processed at once.'),
  warm: wholeNumber(
    4000,
    40_000,
    'Writes a second that the table was raised to (docs/runbook.md). Sets the rates of the API and the processors.',
  ),
  'leading-keys': flag('false: roles are limited to the table, not to the keys of their items.'),
  table: table('Existing table to use, such as a replica, in place of the stack’s own.'),
  'restored-table': table(
    'Restored table (docs/runbook.md) that becomes the stack’s own. The first deployment imports it.',
  ),
};

const NAMES = codesOf(OPTIONAL);

const FORGET = listOf(
  v.picklist(NAMES, `must be one of ${NAMES.join(', ')}`),
  'must be names of settings',
  'Settings of the last deployment that this one may leave out.',
);

type Optional<Entries> = {
  [Name in keyof Entries]: Entries[Name] extends v.GenericSchema
    ? v.ExactOptionalSchema<Entries[Name], undefined>
    : never;
};

const entries = {
  ...REQUIRED,
  ...(Object.fromEntries(
    Object.entries(OPTIONAL).map(([name, schema]) => [name, v.exactOptional(schema as v.GenericSchema)]),
  ) as Optional<typeof OPTIONAL>),
  forget: v.exactOptional(FORGET),
};

/** The settings of one deployment, as they are written: names with hyphens. */
export const SETTINGS = v.strictObject(entries, 'is not a setting');

export const SETTING_NAMES = codesOf(entries);

/** A JSON Schema of the files, for editors. */
export function settingsSchema(): object {
  const { properties, ...schema } = toJsonSchema(SETTINGS, { target: 'draft-2020-12', typeMode: 'input' });
  return { ...schema, properties: { $schema: { type: 'string' }, ...properties } };
}

type WrittenSettings = v.InferOutput<typeof SETTINGS>;
type CamelCase<Name> = Name extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

/** The same as the code reads them: names in camel case. */
export type Settings = { readonly [Name in keyof WrittenSettings as CamelCase<Name>]: WrittenSettings[Name] };

type SettingProblem = readonly [name: string, rule: string];

/** Every problem of what is written by the dotted name of its setting. Of unknown settings, valibot reports the first only. */
export function problemsIn<Entries extends v.ObjectEntries>(
  { entries: known, message }: v.StrictObjectSchema<Entries, string>,
  written: Readonly<Record<string, unknown>>,
  issues: readonly v.BaseIssue<unknown>[],
): SettingProblem[] {
  const unknown = Object.keys(written).filter((name) => !Object.hasOwn(known, name));
  return [
    ...issues
      .filter(({ expected, path = [] }) => expected !== 'never' || path.length > 1)
      .map((issue) => [v.getDotPath(issue) ?? '', issue.message] as const),
    ...unknown.map((name) => [name, message] as const),
  ];
}

/** Settings as they are written, validated; or every problem by the dotted name of its setting. */
export function parseSettings(written: Readonly<Record<string, unknown>>) {
  const { success, output, issues } = v.safeParse(SETTINGS, written);
  const problems = success ? conflicts(output) : problemsIn(SETTINGS, written, issues);
  if (!success || problems.length > 0) return { problems };
  const settings = Object.entries(output).map(([name, value]) => [camelCase(name), value]);
  return { settings: Object.fromEntries(settings) as Settings };
}

const camelCase = (name: string): string => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Rules about settings that do not go together. A production stack is neither unprotected nor keeps records for good without a decision. */
function conflicts(settings: WrittenSettings): SettingProblem[] {
  const { stage, forget = [] } = settings;
  const has = (name: keyof WrittenSettings): boolean => settings[name] !== undefined;
  const without = (name: keyof WrittenSettings, needed: keyof WrittenSettings) =>
    [has(name) && !has(needed), name, `needs ${needed}: add ${needed}, or remove ${name}`] as const;
  const isProduction = stage === 'production';
  const ofProduction = (name: keyof WrittenSettings, values: string) =>
    [isProduction && !has(name), name, `is required in production: ${values}`] as const;
  const rules: readonly (readonly [isBroken: boolean, name: string, rule: string])[] = [
    ofProduction('web-acl', 'own, account, the ARN of a regional web ACL, or none'),
    ofProduction('retention-days', RETENTION),
    [isProduction && has('data'), 'data', 'is for a sandbox only'],
    without('certificate', 'domain'),
    without('operator', 'platform'),
    [
      settings.passwords === 'off' && !has('sign-in'),
      'passwords',
      'needs sign-in to be off: add sign-in, or remove passwords',
    ],
    [
      has('table') && has('restored-table'),
      'restored-table',
      'replaces table: remove table, and write "forget": ["table"]',
    ],
    [
      has('account') !== has('region'),
      has('account') ? 'region' : 'account',
      'is required: account and region go together',
    ],
    ...forget.map((name) => [has(name), 'forget', `names ${name}, which is set: remove one of them`] as const),
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, name, rule]) => [name, rule]);
}

/** The folder of the settings files, unless `-c companies=…` names another one. */
export const settingsFile = ({ company, stage }: Pick<Settings, 'company' | 'stage'>): string =>
  `companies/${company}.${stage}.json`;

/** Settings that identify a stack. They cannot be left out. */
const IDENTIFYING: ReadonlySet<string> = new Set(['account', 'region']);

/** The settings of a deployment that a later one must not lose without notice. */
export const setNames = (settings: Settings): readonly string[] =>
  NAMES.filter((name) => !IDENTIFYING.has(name) && settings[camelCase(name) as keyof Settings] !== undefined);

/** Letters, digits and hyphens. An underscore becomes a hyphen, and a hash distinguishes `a_b` from `a-b`. */
export function stackName({ company, stage }: Pick<Settings, 'company' | 'stage'>): string {
  const spelled = company.replaceAll('_', '-');
  const hash = createHash('sha256').update(company).digest('hex').slice(0, 8);
  return `course-progress-migration-${spelled === company ? company : `${spelled}-${hash}`}-${stage}`;
}
