/**
 * What a stack costs in a month in which nobody uses it, line by line from its template: the table of docs/costs.md.
 * `node test/lib/idle-costs.ts --write` writes it there after a change of the stack or of the prices.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Properties, resourcesOfType, type Template } from '../../bin/local/template.ts';
import prices from '../bench/prices.json' with { type: 'json' };
import { templateOf } from '../kit/template.ts';

const MINUTES = 30 * 24 * 60;
/** An event source polls an idle queue with five connections, each for 20 seconds. */
const POLLS_A_MINUTE = 5 * 3;
/** What the idle watchdog does: one query that finds nothing, in 20 ms, and one line of 300 bytes. */
const WATCHDOG = { seconds: 0.02, readUnits: 0.5, logGb: 300 / 1e9 };
/** `ImportsOpen`, which the watchdog counts in every run. */
const IDLE_METRICS = 1;

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

function linesOf(template: Template): Line[] {
  const count = (type: string) => resourcesOfType(template, type).length;
  const alarmed = resourcesOfType(template, 'AWS::CloudWatch::Alarm').reduce(
    (sum, [, each]) => sum + metricsOf(each),
    0,
  );
  const schedules = resourcesOfType(template, 'AWS::Events::Rule').filter(([, rule]) => 'ScheduleExpression' in rule);
  const priced = (name: string, { price }: { readonly price: number }, each: number): Line => ({
    name,
    price: price.toFixed(2),
    count: each,
    dollars: each * price,
  });
  const sources = count('AWS::Lambda::EventSourceMapping');
  const polls = sources * POLLS_A_MINUTE * MINUTES;
  const runs = schedules.length * MINUTES;
  return [
    priced('dashboard', prices.dashboard_month, count('AWS::CloudWatch::Dashboard')),
    priced('metrics that alarms look at', prices.alarm_metric_month, alarmed),
    priced('signing key', prices.key_month, count('AWS::KMS::Key')),
    priced('custom metrics that an idle stack counts', prices.metric_month, IDLE_METRICS),
    { name: 'polls of the queues', price: '0.40 a million', count: polls, dollars: polls * prices.sqs_request.price },
    {
      name: 'runs of the watchdog, with reads and logs',
      price: '',
      count: runs,
      dollars: runs * watchdogRun(template),
    },
    {
      name: 'functions, API, tables, queues, rules, saved queries',
      price: '0',
      count: countFree(template),
      dollars: 0,
    },
  ];
}

/** Types that cost nothing while nobody uses them. */
const FREE =
  /^(AWS::(ApiGateway|IAM|Events|SNS|Logs)::|AWS::Lambda::(Function|Permission|EventInvokeConfig)$|AWS::SQS::|AWS::KMS::Alias$|AWS::DynamoDB::GlobalTable$|AWS::CDK::|Custom::)/;
const HAS_A_LINE = /^AWS::(CloudWatch::(Dashboard|Alarm)|KMS::Key|Lambda::EventSourceMapping)$/;

const countFree = ({ Resources }: Template): number =>
  Object.values(Resources).filter(({ Type }) => FREE.test(Type)).length;

/** Resources that are not known to be free and have no line in the table. */
export const withoutLine = ({ Resources }: Template): string[] =>
  Object.entries(Resources)
    .filter(([, { Type }]) => !FREE.test(Type) && !HAS_A_LINE.test(Type))
    .map(([id]) => id);

function idleTable(): string {
  const lines = linesOf(templateOf({ company: 'acme', stage: 'production' }));
  const sandbox = linesOf(templateOf({ company: 'acme', stage: 'sandbox' }));
  const total = (each: readonly Line[]) => each.reduce((sum, { dollars }) => sum + dollars, 0).toFixed(2);
  const rows = lines.map(({ name, price, count, dollars }, at) => {
    const other = sandbox[at];
    return `| ${name} | ${count.toLocaleString('en-US')} | ${price} | ${dollars.toFixed(2)} | ${other?.dollars.toFixed(2)} |`;
  });
  return [
    '| idle, a month | count | price | production | sandbox |',
    '|---|---|---|---|---|',
    ...rows,
    `| **all** | | | **${total(lines)}** | **${total(sandbox)}** |`,
    '',
  ].join('\n');
}

const COSTS = resolve(import.meta.dirname, '../../docs/costs.md');
const TABLE = /\| idle, a month \| [^]*?\n(?!\|)/;

/** docs/costs.md as it is, and with the table computed again. */
export function costsDocument(): { readonly written: string; readonly counted: string } {
  const written = readFileSync(COSTS, 'utf8');
  return { written, counted: written.replace(TABLE, () => idleTable()) };
}

if (import.meta.main && process.argv.includes('--write')) writeFileSync(COSTS, costsDocument().counted);
