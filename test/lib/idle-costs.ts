/**
 * The cost of a stack in a month without use, line by line from its template: the table of docs/costs.md.
 * `npm run figures -- --write` writes it there after a change of the stack or of the prices.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Properties, resourcesOfType, type Template } from '../../bin/local/template.ts';
import prices from '../figures/prices.json' with { type: 'json' };
import { accountTemplateOf, templateOf } from '../kit/template.ts';

const MINUTES = 30 * 24 * 60;
/** An event source polls an idle queue with five connections, each for 20 seconds. */
const POLLS_A_MINUTE = 5 * 3;
/** A run of the idle watchdog: one query that finds nothing, in 20 ms, and one line of 300 bytes. */
const WATCHDOG = { seconds: 0.02, readUnits: 0.5, logGb: 300 / 1e9 };
/** The platform's role, which fills a production stack over a queue that is polled. */
const PLATFORM = 'arn:aws:iam::123456789012:role/platform';

interface Line {
  readonly name: string;
  readonly price: string;
  readonly count: number;
  readonly dollars: number;
}

/** An alarm is billed by the metrics that it looks at. */
const metricsOf = ({ Metrics }: Properties): number =>
  Array.isArray(Metrics) ? Metrics.filter((metric: object) => 'MetricStat' in metric).length : 1;

function watchdogRun(template: Template): number {
  const [, properties = {}] =
    resourcesOfType(template, 'AWS::Lambda::Function').find(([id]) => id.includes('Watchdog')) ?? [];
  const gbSeconds = (Number(properties['MemorySize']) / 1024) * WATCHDOG.seconds;
  return (
    prices.lambda_request.price +
    gbSeconds * prices.lambda_gb_second.price +
    WATCHDOG.readUnits * prices.read_unit.price +
    WATCHDOG.logGb * prices.log_gb.price
  );
}

/**
 * Of the metrics with an alarm in the account stack, an idle stack sends only the errors of its watchdog and the
 * message age of a polled queue. Dead-letter queues are not polled.
 */
function foundIdle(template: Template): number {
  const polled = JSON.stringify(resourcesOfType(template, 'AWS::Lambda::EventSourceMapping'));
  return Object.entries(template.Resources).filter(([id, { Type, Properties }]) => {
    const isWatched = JSON.stringify(Properties?.['Tags'] ?? []).includes('{"Key":"alarm"');
    return isWatched && (Type !== 'AWS::SQS::Queue' || polled.includes(`"${id}"`));
  }).length;
}

/** A run of the canary: its requests, and the function that waits for them. */
const CANARY = { requests: 9, gbSeconds: 9 * 0.5 * 0.05 + 0.25 * 2, everyMinutes: 5 };
/** Once a day it tries a login that is refused, which is counted as a refused login, and as points of two metrics. */
const COUNTED_HOURS = 30 * 3;

function canaryRun(): number {
  const calls = CANARY.requests * (prices.http_request.price + prices.lambda_request.price);
  return calls + CANARY.gbSeconds * prices.lambda_gb_second.price + prices.lambda_request.price;
}

/** @param account whether the alarms are those of an account stack */
function linesOf(template: Template, account: boolean): Line[] {
  const count = (type: string) => resourcesOfType(template, type).length;
  const alarmed = resourcesOfType(template, 'AWS::CloudWatch::Alarm').reduce(
    (sum, [, each]) => sum + metricsOf(each),
    0,
  );
  const sources = count('AWS::Lambda::EventSourceMapping');
  const scheduled = (rate: string) =>
    resourcesOfType(template, 'AWS::Events::Rule').filter(([, rule]) => rule['ScheduleExpression'] === `rate(${rate})`)
      .length;
  const priced = (name: string, { price }: { readonly price: number }, each: number): Line => ({
    name,
    price: price.toFixed(2),
    count: each,
    dollars: each * price,
  });
  const polls = sources * POLLS_A_MINUTE * MINUTES;
  const runs = scheduled('1 minute') * MINUTES;
  const canaryRuns = (scheduled('5 minutes') * MINUTES) / CANARY.everyMinutes;
  return [
    priced('signing key', prices.key_month, count('AWS::KMS::Key')),
    priced('metrics that its alarms look at', prices.alarm_metric_month, alarmed),
    priced(
      'metrics that alarms of the account stack find',
      prices.alarm_metric_month,
      account ? foundIdle(template) : 0,
    ),
    { name: 'polls of the queues', price: '0.40 a million', count: polls, dollars: polls * prices.sqs_request.price },
    {
      name: 'runs of the watchdog, with reads and logs',
      price: '',
      count: runs,
      dollars: runs * watchdogRun(template),
    },
    {
      name: 'runs of the canary, with its requests',
      price: '',
      count: canaryRuns,
      dollars: canaryRuns * canaryRun() + (canaryRuns > 0 ? COUNTED_HOURS * prices.metric_hour.price : 0),
    },
    {
      name: 'functions, API, tables, queues, rules, saved queries',
      price: '0',
      count: countFree(template),
      dollars: 0,
    },
  ];
}

const FREE =
  /^(AWS::(ApiGateway|IAM|Events|SNS|Logs|SSM|Budgets)::|AWS::Lambda::(Function|Permission|EventInvokeConfig)$|AWS::SQS::|AWS::KMS::Alias$|AWS::DynamoDB::GlobalTable$|AWS::CDK::|Custom::)/;
const HAS_A_LINE = /^AWS::(CloudWatch::Alarm|KMS::Key|Lambda::EventSourceMapping)$/;

const countFree = ({ Resources }: Template): number =>
  Object.values(Resources).filter(({ Type }) => FREE.test(Type)).length;

export const withoutLine = ({ Resources }: Template): string[] =>
  Object.entries(Resources)
    .filter(([, { Type }]) => !FREE.test(Type) && !HAS_A_LINE.test(Type))
    .map(([id]) => id);

const KINDS = {
  production: { stage: 'production', account: false },
  sandbox: { stage: 'sandbox', account: false },
  'production beside an account stack': { stage: 'production', account: true },
  'sandbox beside an account stack': { stage: 'sandbox', account: true },
} as const;

type Kind = keyof typeof KINDS;

export function templateOfKind(kind: Kind): Template {
  const { stage, account } = KINDS[kind];
  const platform = stage === 'production' ? { platform: PLATFORM } : {};
  return templateOf({ company: 'acme', stage, ...platform }, account ? {} : undefined);
}

const kinds = Object.keys(KINDS) as Kind[];
const totalOf = (lines: readonly Line[]): number => lines.reduce((sum, { dollars }) => sum + dollars, 0);
const allLines = () =>
  new Map(kinds.map((kind) => [kind, linesOf(templateOfKind(kind), KINDS[kind].account)] as const));

/** The monthly cost in dollars that the gate compares. */
export const idleDollars = (): Record<string, number> =>
  Object.fromEntries([...allLines()].map(([kind, lines]) => [`idle dollars a month: ${kind}`, round(totalOf(lines))]));

const round = (dollars: number): number => Math.round(dollars * 1e4) / 1e4;

/** A run of the checker of the fleet: two seconds. For each stack it analyses a metric, at 0.01 a thousand. */
const CHECKER = { everyMinutes: 15, gbSeconds: 2 * 0.25 };

/** A dashboard, the checker, and alarms on metrics of the account; alarms on queries are in the lines of the stacks. */
export function accountDollars(): number {
  const template = accountTemplateOf();
  const plain = resourcesOfType(template, 'AWS::CloudWatch::Alarm').filter(([, { Metrics }]) => Metrics === undefined);
  const checker = resourcesOfType(template, 'AWS::Lambda::Function').length;
  const dashboards = resourcesOfType(template, 'AWS::CloudWatch::Dashboard').length;
  return (
    dashboards * prices.dashboard_month.price +
    plain.length * prices.alarm_metric_month.price +
    checker * (MINUTES / CHECKER.everyMinutes) * CHECKER.gbSeconds * prices.lambda_gb_second.price
  );
}

/** What the settings for signals cost a production stack in a month in which nobody else calls. */
export function signalDollars(): Readonly<Record<'objectives' | 'sign-in' | 'canary' | 'tracing', number>> {
  const dollars = (settings: object) =>
    totalOf(linesOf(templateOf({ company: 'acme', stage: 'production', ...settings }), false));
  return {
    objectives: dollars({ objectives: true }) - dollars({}),
    'sign-in': dollars({ signIn: { issuer: 'https://acme.okta.com', client_id: 'a' } }) - dollars({}),
    canary: dollars({}) - dollars({ canary: false }),
    // Each run of the watchdog is a trace.
    tracing: MINUTES * prices.trace.price,
  };
}

function idleTable(): string {
  const lines = allLines();
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rows = (lines.get('production') ?? []).map(({ name, price }, at) => {
    const cells = kinds.map((kind) => {
      const { count = 0, dollars = 0 } = lines.get(kind)?.[at] ?? {};
      return `${dollars.toFixed(2)} (${count.toLocaleString('en-US')})`;
    });
    return row([name, price, ...cells]);
  });
  const totals = kinds.map((kind) => `**${totalOf(lines.get(kind) ?? []).toFixed(2)}**`);
  return [
    row(['idle, a month (count)', 'price', ...kinds]),
    row(['---', '---', ...kinds.map(() => '---')]),
    ...rows,
    row(['**all**', '', ...totals]),
    row(['the account stack itself, once', '', '', '', accountDollars().toFixed(2), '']),
    '',
  ].join('\n');
}

export const COSTS = resolve(import.meta.dirname, '../../docs/costs.md');
const TABLE = /\| idle, a month [^]*?\n(?!\|)/;

export function costsDocument(): { readonly written: string; readonly counted: string } {
  const written = readFileSync(COSTS, 'utf8');
  return { written, counted: written.replace(TABLE, () => idleTable()) };
}
