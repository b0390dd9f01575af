/** The checker of the fleet, against an account with three stacks. Costs milliseconds. */
import { expect, it } from 'vitest';
import { type CallAws, checkFleet } from '../../bin/operate/verify/check-fleet.ts';
import { recordingTelemetry } from '../kit/recording-telemetry.ts';

const APPLICATION = 'course-progress-migration';
const NOON = Date.UTC(2026, 0, 2, 12);
const MIDNIGHT = Date.UTC(2026, 0, 2, 0, 7);
const COMPANIES = ['acme', 'globex', 'initech'];
const tagsOf = (company: string, more: Record<string, string> = {}) =>
  Object.entries({ application: APPLICATION, company, stage: 'production', ...more }).map(([Key, Value]) => ({
    Key,
    Value,
  }));

interface Fault {
  readonly silent?: readonly string[];
  readonly untagged?: RegExp;
  /** Companies whose platform sends nothing. */
  readonly quiet?: readonly string[];
  readonly statuses?: Readonly<Record<string, string>>;
}

function account({ silent = [], untagged = /^$/, quiet = [], statuses = {} }: Fault) {
  const calls: string[] = [];
  const page = (input: object, token: string) => {
    const at = Number((input as Record<string, unknown>)[token] ?? 0);
    return { company: COMPANIES[at] ?? '', next: at + 1 < COMPANIES.length ? { [token]: String(at + 1) } : {} };
  };
  const replies: Readonly<Record<string, (input: object) => object>> = {
    DescribeStacks: (input) => {
      const { company, next } = page(input, 'NextToken');
      const of = (StackName: string, StackStatus: string, Tags: object[]) => ({ StackName, StackStatus, Tags });
      const status = statuses[company] ?? 'UPDATE_COMPLETE';
      const ours = of(`${APPLICATION}-${company}-production`, status, tagsOf(company));
      return {
        ...next,
        Stacks: [ours, of('another', 'CREATE_COMPLETE', []), of(`${APPLICATION}-account`, status, [])],
      };
    },
    GetResources: (input) => {
      const { company, next } = page(input, 'PaginationToken');
      const arn = (service: string, name: string) => `arn:aws:${service}:eu-west-1:1:${name}`;
      const resources = [
        [arn('lambda', `function:${company}-Watchdog`), { alarm: 'WatchdogFails' }],
        [arn('lambda', `function:${company}-Canary`), { alarm: 'CanaryFails' }],
        [arn('lambda', `function:${company}-Login`), {}],
        [arn('dynamodb', `table/${company}-Table`), {}],
        [arn('sqs', `${company}-IntakeQueue6F`), { alarm: 'MessagesWait' }],
        [`arn:aws:apigateway:eu-west-1::/restapis/${company}`, {}],
      ] as const;
      return {
        PaginationToken: '',
        ...next,
        ResourceTagMappingList: resources
          .filter(([ResourceARN]) => !untagged.test(ResourceARN))
          .map(([ResourceARN, more]) => ({ ResourceARN, Tags: tagsOf(company, more) })),
      };
    },
    GetMetricData: (input) => {
      const { MetricDataQueries } = input as { MetricDataQueries: readonly { Expression?: string; Label?: string }[] };
      const series = MetricDataQueries.flatMap(({ Expression, Label }): (readonly [string | undefined, number[]])[] =>
        Expression === undefined
          ? [[Label, quiet.some((company) => Label?.startsWith(company)) ? [] : [0, 3]]]
          : COMPANIES.map((company) => `${company}-${Expression}`)
              .filter((name) => !silent.includes(name))
              .map((name) => [name, [15]]),
      );
      return { MetricDataResults: series.map(([name, Values]) => ({ Label: name, Values })) };
    },
    SetAlarmState: () => ({}),
  };
  const call: CallAws = async (_, command, input) => {
    calls.push(command);
    return replies[command]?.(input);
  };
  return { calls, call };
}

async function faultsOf(fault: Fault, nowMs = NOON): Promise<{ message: string | undefined; calls: string[] }> {
  const { calls, call } = account(fault);
  const { lines, ...telemetry } = recordingTelemetry();
  const services = { call, telemetry, nowMs, runsQueries: ['Watchdog', 'Canary'], application: APPLICATION };
  const failure = await checkFleet({ ...services, heartbeatAlarm: 'Heartbeat', quietDays: 7 }).catch((error) => error);
  expect(lines.map(({ error }) => error)).toEqual(failure === undefined ? [] : [failure]);
  return { message: failure?.message, calls };
}

it('a fleet that runs: the check succeeds, over all pages, and once a day the alarm Heartbeat rings', async () => {
  const noon = await faultsOf({});
  expect(noon.message).toBeUndefined();
  expect(noon.calls.filter((call) => call === 'DescribeStacks')).toHaveLength(3);
  const midnight = await faultsOf({}, MIDNIGHT);
  expect([noon, midnight].map(({ calls }) => calls.includes('SetAlarmState'))).toEqual([false, true]);
});

it.each<[string, Fault, RegExp, number?]>([
  [
    'a watchdog that was never started',
    { silent: ['globex-Watchdog'] },
    /^globex-Watchdog of globex \(production\) did not run/,
  ],
  ['a canary that does not run', { silent: ['acme-Canary'] }, /^acme-Canary of acme/],
  [
    'no tags of metrics',
    { silent: COMPANIES.flatMap((each) => [`${each}-Watchdog`, `${each}-Canary`]) },
    /acme.*globex.*initech/,
  ],
  [
    'a table without tags',
    { untagged: /table\/acme/ },
    /^The table of course-progress-migration-acme-production has no tags\.$/,
  ],
  ['an API without tags', { untagged: /restapis\/acme/ }, /^The API of/],
  [
    'a platform that sends nothing',
    { quiet: ['acme'] },
    /^The platform of acme \(production\) sent nothing for 7 days\.$/,
    MIDNIGHT,
  ],
  ['the same, at noon', { quiet: ['acme'] }, /^nothing$/],
  [
    'a stack that is being created',
    { silent: ['acme-Watchdog'], statuses: { acme: 'CREATE_IN_PROGRESS' } },
    /^nothing$/,
  ],
])('%s is found', async (_, fault, expected, nowMs) => {
  const { message } = await faultsOf(fault, nowMs);
  expect(message ?? 'nothing').toMatch(expected);
});
