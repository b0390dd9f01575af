import { createHash } from 'node:crypto';

/** What one deployment is for, as the CDK context says: `-c company=acme -c stage=sandbox [-c data=FILE]`. */
export interface Settings {
  readonly company: string;
  readonly stage: Stage;
  /** Sandbox data file to load; the sample where absent. */
  readonly data?: string;
}

export type Stage = 'sandbox' | 'production';

const COMPANY = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Both values default to `sandbox`, so that a bare `cdk synth` shows a template.
 *
 * @throws Error with one line that says what to pass
 */
export function settingsFrom(context: (name: string) => unknown): Settings {
  const company = context('company') ?? 'sandbox';
  const stage = context('stage') ?? 'sandbox';
  const data = context('data');
  if (typeof company !== 'string' || !COMPANY.test(company)) {
    throw new Error('-c company=… must be 1 to 64 of A-Z a-z 0-9 _ -');
  }
  if (stage !== 'sandbox' && stage !== 'production') throw new Error('-c stage=… must be sandbox or production');
  return data === undefined ? { company, stage } : { company, stage, data: dataFile(data, stage) };
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
