/**
 * What one stack uses of the quotas that an AWS account has: the table of docs/limits.md. `node test/lib/quotas.ts --write` writes it
 * there after a change of the stack.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Template } from '../../bin/local/template.ts';
import { templateOf } from '../kit/template.ts';

interface Quota {
  readonly name: string;
  /** In a new account; the limit of one region, except IAM's. */
  readonly limit: number;
  readonly used: (template: Template) => number;
}

const ofTypes =
  (...types: string[]) =>
  ({ Resources }: Template): number =>
    Object.values(Resources).filter(({ Type }) => types.includes(Type)).length;

/** What the event sources may start: what queues take of it, whatever the API does. */
const processors = ({ Resources }: Template): number =>
  Object.values(Resources).reduce((sum, { Properties }) => {
    const scaling = Properties?.['ScalingConfig'] as { MaximumConcurrency?: number } | undefined;
    return sum + (scaling?.MaximumConcurrency ?? 0);
  }, 0);

/** The ones that a fleet of stacks meets first. Limits are AWS's defaults; `aws service-quotas` shows an account's own. */
const QUOTAS: readonly Quota[] = [
  { name: 'IAM roles', limit: 1000, used: ofTypes('AWS::IAM::Role') },
  { name: 'concurrent executions of Lambda, of queues only', limit: 1000, used: processors },
  { name: 'saved queries of CloudWatch Logs', limit: 1000, used: ofTypes('AWS::Logs::QueryDefinition') },
  { name: 'EventBridge rules of a bus', limit: 300, used: ofTypes('AWS::Events::Rule') },
  { name: 'CloudWatch alarms', limit: 5000, used: ofTypes('AWS::CloudWatch::Alarm') },
  { name: 'APIs', limit: 600, used: ofTypes('AWS::ApiGatewayV2::Api', 'AWS::ApiGateway::RestApi') },
  { name: 'DynamoDB tables', limit: 2500, used: ofTypes('AWS::DynamoDB::GlobalTable') },
  { name: 'stacks of CloudFormation', limit: 2000, used: () => 1 },
  { name: 'KMS keys', limit: 100_000, used: ofTypes('AWS::KMS::Key') },
  { name: 'log groups', limit: 1_000_000, used: ofTypes('AWS::Logs::LogGroup') },
  { name: 'resources of one stack', limit: 500, used: ({ Resources }) => Object.keys(Resources).length },
];

/** Of one stack, not of the account. */
const WITHIN_A_STACK = 'resources of one stack';

const LIMITS = resolve(import.meta.dirname, '../../docs/limits.md');
const TABLE = /\| quota \| default [^]*?\n(?!\|)/;

/** Companies are those with a production stack and a sandbox each that fit an account and region. */
function quotaTable(): string {
  const production = templateOf({ company: 'acme', stage: 'production' });
  const sandbox = templateOf({ company: 'acme', stage: 'sandbox' });
  const rows = QUOTAS.map(({ name, limit, used }) => {
    const [first, second] = [used(production), used(sandbox)];
    const companies = name === WITHIN_A_STACK ? '–' : Math.floor(limit / (first + second)).toLocaleString('en-US');
    return `| ${name} | ${limit.toLocaleString('en-US')} | ${first} | ${second} | ${companies} |`;
  });
  return ['| quota | default | production | sandbox | companies |', '|---|---|---|---|---|', ...rows, ''].join('\n');
}

/** docs/limits.md as it is, and with the table counted again. */
export function limitsDocument(): { readonly written: string; readonly counted: string } {
  const written = readFileSync(LIMITS, 'utf8');
  return { written, counted: written.replace(TABLE, quotaTable()) };
}

if (import.meta.main && process.argv.includes('--write')) writeFileSync(LIMITS, limitsDocument().counted);
