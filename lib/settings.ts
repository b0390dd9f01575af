import { createHash } from 'node:crypto';

/** What one deployment is for, as the CDK context says: `-c company=acme -c stage=sandbox [-c data=FILE] [-c alarms=ADDRESS] [-c cors=ORIGINS] [-c signing-key=N]`. */
export interface Settings {
  readonly company: string;
  readonly stage: Stage;
  /** Sandbox data file to load; the sample where absent. */
  readonly data?: string;
  /** E-mail address that is told of alarms; without it, whoever subscribes to the topic is. */
  readonly alarms?: string;
  /** Origins whose pages may call the API from a browser, comma-separated; without them none may. */
  readonly cors?: readonly string[];
  /** Counts the signing keys there have been: the next number makes the next key. */
  readonly signingKey?: number;
}

export type Stage = 'sandbox' | 'production';

const COMPANY = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Both values default to `sandbox`, so that a bare `cdk synth` shows a template; production has to be asked for by name.
 *
 * @throws Error with one line that says what to pass
 */
export function settingsFrom(context: (name: string) => unknown): Settings {
  const stage = context('stage') ?? 'sandbox';
  const data = context('data');
  const alarms = context('alarms');
  const cors = context('cors');
  const signingKey = context('signing-key');
  if (stage !== 'sandbox' && stage !== 'production') throw new Error('-c stage=… must be sandbox or production');
  return {
    company: companyFrom(context('company'), stage),
    stage,
    ...(data === undefined ? {} : { data: dataFile(data, stage) }),
    ...(alarms === undefined ? {} : { alarms: address(alarms) }),
    ...(cors === undefined ? {} : { cors: originsFrom(cors) }),
    ...(signingKey === undefined ? {} : { signingKey: keyNumber(signingKey) }),
  };
}

function companyFrom(company: unknown, stage: Stage): string {
  if (company === undefined && stage === 'production') throw new Error('-c company=… must be given for production');
  const name = company ?? 'sandbox';
  if (typeof name !== 'string' || !COMPANY.test(name)) {
    throw new Error('-c company=… must be 1 to 64 of A-Z a-z 0-9 _ -');
  }
  return name;
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

function keyNumber(signingKey: unknown): number {
  const text = String(signingKey);
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new Error('-c signing-key=… must be a whole number from 1');
}

function dataFile(data: unknown, stage: Stage): string {
  if (typeof data !== 'string' || data === '') throw new Error('-c data=… must name a file');
  if (stage === 'production') throw new Error('-c data=… is for -c stage=sandbox only');
  return data;
}

/**
 * Stack names hold letters, digits and hyphens only. An underscore becomes a hyphen, and a mark of the original keeps
 * `a_b` and `a-b` apart.
 */
export function stackName({ company, stage }: Settings): string {
  const spelled = company.replaceAll('_', '-');
  const mark = createHash('sha256').update(company).digest('hex').slice(0, 8);
  return `course-progress-migration-${spelled === company ? company : `${spelled}-${mark}`}-${stage}`;
}
