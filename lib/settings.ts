import { createHash } from 'node:crypto';
import { isCompanyId } from '../functions/records/identifiers.ts';

/** The settings of one deployment, from the CDK context: `-c company=acme -c stage=sandbox [-c data=FILE] [-c alarms=ADDRESS] [-c cors=ORIGINS] [-c signing-key=N] [-c platform=ARN]`. */
export interface Settings {
  readonly company: string;
  readonly stage: Stage;
  /** Path of the sandbox data file to load; default: the sample. */
  readonly data?: string;
  /** E-mail address that alarms notify. Without it, only subscribers of the topic are notified. */
  readonly alarms?: string;
  /** Origins whose pages may call the API from a browser; default: none. */
  readonly cors?: readonly string[];
  /** ARN of the role or user that may send facts to the intake; default: nobody outside. */
  readonly platform?: string;
  /** Number of the signing key, from 1: the next number creates the next key. */
  readonly signingKey?: number;
  /** `own`, or the ARN of a regional web ACL; default: none. */
  readonly webAcl?: string;
}

export type Stage = 'sandbox' | 'production';

/**
 * Company and stage default to `sandbox`, so that a bare `cdk synth` works. Production must be named.
 *
 * @throws Error with a one-line message that says what to pass
 */
export function settingsFrom(context: (name: string) => unknown): Settings {
  const stage = context('stage') ?? 'sandbox';
  const data = context('data');
  const alarms = context('alarms');
  const cors = context('cors');
  const signingKey = context('signing-key');
  const platform = context('platform');
  const webAcl = context('web-acl');
  if (stage !== 'sandbox' && stage !== 'production') throw new Error('-c stage=… must be sandbox or production');
  return {
    company: companyFrom(context('company'), stage),
    stage,
    ...(data === undefined ? {} : { data: dataFile(data, stage) }),
    ...(alarms === undefined ? {} : { alarms: address(alarms) }),
    ...(cors === undefined ? {} : { cors: originsFrom(cors) }),
    ...(platform === undefined ? {} : { platform: principal(platform) }),
    ...(signingKey === undefined ? {} : { signingKey: keyNumber(signingKey) }),
    ...(webAcl === undefined ? {} : { webAcl: webAclFrom(webAcl) }),
  };
}

function companyFrom(company: unknown, stage: Stage): string {
  if (company === undefined && stage === 'production') throw new Error('-c company=… must be given for production');
  const name = company ?? 'sandbox';
  if (isCompanyId(name)) return name;
  throw new Error('-c company=… must be 1 to 64 of A-Z a-z 0-9 _ -, and no reserved word');
}

function address(alarms: unknown): string {
  if (typeof alarms === 'string' && /^[^@\s]+@[^@\s]+$/.test(alarms)) return alarms;
  throw new Error('-c alarms=… must be an e-mail address');
}

const ORIGIN = /^(https:\/\/[a-z0-9.-]+|http:\/\/localhost)(:\d{1,5})?$/;

function originsFrom(cors: unknown): readonly string[] {
  const origins = typeof cors === 'string' ? cors.split(',').map((origin) => origin.trim()) : [];
  if (origins.length > 0 && origins.every((origin) => ORIGIN.test(origin))) return origins;
  throw new Error('-c cors=… must be origins such as https://app.example.com, separated by commas');
}

function principal(platform: unknown): string {
  if (typeof platform === 'string' && /^arn:aws[a-z-]*:iam::\d{12}:(role|user)\/[\w+=,.@/-]+$/.test(platform))
    return platform;
  throw new Error('-c platform=… must be the ARN of an IAM role or user');
}

function keyNumber(signingKey: unknown): number {
  const text = String(signingKey);
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new Error('-c signing-key=… must be a whole number from 1');
}

function webAclFrom(webAcl: unknown): string {
  if (typeof webAcl === 'string' && /^(own|arn:[\w-]+:wafv2:[\w-]+:\d{12}:regional\/webacl\/.+)$/.test(webAcl))
    return webAcl;
  throw new Error('-c web-acl=… must be own, or the ARN of a regional web ACL');
}

function dataFile(data: unknown, stage: Stage): string {
  if (typeof data !== 'string' || data === '') throw new Error('-c data=… must name a file');
  if (stage === 'production') throw new Error('-c data=… is for -c stage=sandbox only');
  return data;
}

/**
 * Stack names may only contain letters, digits and hyphens. An underscore becomes a hyphen, and a hash of the original
 * distinguishes `a_b` from `a-b`.
 */
export function stackName({ company, stage }: Settings): string {
  const spelled = company.replaceAll('_', '-');
  const hash = createHash('sha256').update(company).digest('hex').slice(0, 8);
  return `course-progress-migration-${spelled === company ? company : `${spelled}-${hash}`}-${stage}`;
}
