/**
 * The use that one stack makes of an AWS account's quotas: the table of docs/limits.md.
 * `npm run figures -- --write` writes it there after a change of the stack.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Template } from '../../bin/local/template.ts';
import { OF_QUEUES } from '../../bin/operate/waves/plan.ts';
import { templateOf } from '../kit/template.ts';

interface Quota {
  readonly name: string;
  /** In a new account; the limit of one region, except IAM's. */
  readonly limit: number;
  /** The highest value that AWS grants; the default if it cannot be raised; absent if AWS names no maximum. */
  readonly most?: number;
  /** The part of the quota that stacks may use; default: all of it. */
  readonly share?: number;
  readonly used: (template: Template) => number;
}

/** The platform's role, which fills a production stack. */
const PLATFORM = 'arn:aws:iam::123456789012:role/platform';

const ofTypes =
  (...types: string[]) =>
  ({ Resources }: Template): number =>
    Object.values(Resources).filter(({ Type }) => types.includes(Type)).length;

/** The concurrent executions that the event sources may start, whatever the load of the API. */
const processors = ({ Resources }: Template): number =>
  Object.values(Resources).reduce((sum, { Properties }) => {
    const scaling = Properties?.['ScalingConfig'] as { MaximumConcurrency?: number } | undefined;
    return sum + (scaling?.MaximumConcurrency ?? 0);
  }, 0);

/** Those that a fleet of stacks meets first. Limits are AWS's defaults; `aws service-quotas` shows an account's own. */
const QUOTAS: readonly Quota[] = [
  { name: 'IAM roles', limit: 1000, most: 5000, used: ofTypes('AWS::IAM::Role') },
  // A release halts beyond this part.
  { name: 'concurrent executions of Lambda, of queues only', limit: 1000, share: OF_QUEUES, used: processors },
  {
    name: 'saved queries of CloudWatch Logs',
    limit: 1000,
    most: 1000,
    used: ofTypes('AWS::Logs::QueryDefinition'),
  },
  { name: 'EventBridge rules of a bus', limit: 300, used: ofTypes('AWS::Events::Rule') },
  { name: 'CloudWatch alarms', limit: 5000, used: ofTypes('AWS::CloudWatch::Alarm') },
  { name: 'regional APIs', limit: 600, most: 600, used: ofTypes('AWS::ApiGateway::RestApi') },
  { name: 'DynamoDB tables', limit: 2500, most: 10_000, used: ofTypes('AWS::DynamoDB::GlobalTable') },
  { name: 'stacks of CloudFormation', limit: 2000, used: () => 1 },
  { name: 'KMS keys', limit: 100_000, used: ofTypes('AWS::KMS::Key') },
  { name: 'log groups', limit: 1_000_000, used: ofTypes('AWS::Logs::LogGroup') },
  { name: 'resources of one stack', limit: 500, most: 500, used: ({ Resources }) => Object.keys(Resources).length },
];

const WITHIN_A_STACK = 'resources of one stack';

export const LIMITS = resolve(import.meta.dirname, '../../docs/limits.md');
const TABLE = /\| quota \| default [^]*?\n(?!\|)/;

const written = (limit: number): string => limit.toLocaleString('en-US');

/** The use of a quota by each stage, and how many companies with a stack of each stage fit it: by default, at most. */
export interface Use extends Quota {
  readonly production: number;
  readonly sandbox: number;
  readonly companies: number;
  readonly companiesAtMost: number;
}

/** @param account whether the stacks are beside an account stack */
export function uses(account = false): Use[] {
  const provided = account ? {} : undefined;
  const production = templateOf({ company: 'acme', stage: 'production', platform: PLATFORM }, provided);
  const sandbox = templateOf({ company: 'acme', stage: 'sandbox' }, provided);
  return QUOTAS.map((quota) => {
    const [first, second] = [quota.used(production), quota.used(sandbox)];
    const { share = 1 } = quota;
    const fit = (limit: number) =>
      quota.name === WITHIN_A_STACK ? Infinity : Math.floor((share * limit) / (first + second));
    return {
      ...quota,
      production: first,
      sandbox: second,
      companies: fit(quota.limit),
      companiesAtMost: fit(quota.most ?? Infinity),
    };
  });
}

function quotaTable(): string {
  const count = (companies: number) => (Number.isFinite(companies) ? written(companies) : '–');
  const rows = uses().map(
    ({ name, limit, most, production, sandbox, companies, companiesAtMost }) =>
      `| ${name} | ${written(limit)} | ${most === undefined ? 'on request' : written(most)} | ${production} | ${sandbox} | ${count(companies)} | ${count(companiesAtMost)} |`,
  );
  return [
    '| quota | default | at most | production | sandbox | companies | companies at most |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

export function limitsDocument(): { readonly written: string; readonly counted: string } {
  const document = readFileSync(LIMITS, 'utf8');
  return { written: document, counted: document.replace(TABLE, quotaTable()) };
}
