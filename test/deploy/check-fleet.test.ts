/** The checker of the fleet, against an account with three stacks. Costs milliseconds. */
import { expect, it } from 'vitest';
import { type CallAws, checkFleet } from '../../bin/operate/verify/check-fleet.ts';
import { messageOf } from '../../bin/importer/engine/ground/errors.ts';
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
  /** Minutes since each stack was made; default: a day. */
  readonly ages?: Readonly<Record<string, number>>;
  /** The tag `quiet-days` of a company. */
  readonly quietDays?: Readonly<Record<string, string>>;
  /** Calls of each company while the alarm of refused calls rings: all of them, and those that reached a function. */
  readonly calls?: Readonly<Record<string, readonly [asked: number, reached: number]>>;
}

function account(fault: Fault, nowMs: number) {
  const { silent = [], untagged = /^$/, quiet = [], statuses = {}, ages = {}, quietDays = {} } = fault;
  const silents: string[] = [];
  const refused: Record<string, number> = {};
  const calls: string[] = [];
  const page = (input: object, token: string) => {
    const at = Number((input as Record<string, unknown>)[token] ?? 0);
    return { company: COMPANIES[at] ?? '', next: at + 1 < COMPANIES.length ? { [token]: String(at + 1) } : {} };
  };
  const replies: Readonly<Record<string, (input: object) => object>> = {
    DescribeStacks: (input) => {
      const { company, next } = page(input, 'NextToken');
      const CreationTime = new Date(nowMs - (ages[company] ?? 24 * 60) * 60_000);
      const of = (StackName: string, StackStatus: string, Tags: object[]) => ({
        StackName,
        StackStatus,
        CreationTime,
        Tags,
      });
      const status = statuses[company] ?? 'UPDATE_COMPLETE';
      const ours = of(`${APPLICATION}-${company}-production`, status, tagsOf(company));
      return {
        ...next,
        Stacks: [ours, of('another', 'CREATE_COMPLETE', []), of(`${APPLICATION}-account`, status, [])],
      };
    },
    GetResources: (input) => {
      const { company, next } = page(input, 'PaginationToken');
      const { ResourceTypeFilters, TagFilters } = input as Asked;
      const ownDays = (of: string) => (of in quietDays ? { 'quiet-days': String(quietDays[of]) } : {});
      const isAsked = (resource: string, { alarm = '' }: { readonly alarm?: string }) =>
        ResourceTypeFilters.some((type) => resource.includes(`:${type.split(':')[0]}:`)) &&
        TagFilters.every(({ Key, Values }) => Key !== 'alarm' || Values.includes(alarm));
      const arn = (service: string, name: string) => `arn:aws:${service}:eu-west-1:1:${name}`;
      const resources = [
        [arn('lambda', `function:${company}-Watchdog`), { alarm: 'WatchdogFails' }],
        [arn('lambda', `function:${company}-Canary`), { alarm: 'CanaryFails' }],
        [arn('lambda', `function:${company}-Login`), {}],
        [arn('dynamodb', `table/${company}-Table`), {}],
        [arn('sqs', `${company}-IntakeQueue6F`), { alarm: 'MessagesWait', ...ownDays(company) }],
        [`arn:aws:apigateway:eu-west-1::/restapis/${company}`, {}],
      ] as const;
      return {
        PaginationToken: '',
        ...next,
        ResourceTagMappingList: resources
          .filter(([ResourceARN, more]) => !untagged.test(ResourceARN) && isAsked(ResourceARN, more))
          .map(([ResourceARN, more]) => ({ ResourceARN, Tags: tagsOf(company, more) })),
      };
    },
    GetMetricData: (input) => {
      const { MetricDataQueries, StartTime } = input as MetricInput;
      const [{ Expression: of } = {}, ...others] = MetricDataQueries.filter(({ Expression }) => Expression);
      // As CloudWatch does.
      if (others.length > 0) throw new Error('ValidationError: more than one query');
      if (of === 'asked' || of === 'reached') {
        const at = of === 'asked' ? 0 : 1;
        const all = Object.entries(fault.calls ?? {}).filter(([, counts]) => counts[at]);
        const series = all.map(([company, counts]) => [`${APPLICATION}-${company}-production`, counts[at]]);
        return { MetricDataResults: series.map(([Label, value]) => ({ Label, Values: [value] })) };
      }
      const days = (nowMs - StartTime.getTime()) / 86_400_000;
      const series = MetricDataQueries.flatMap(({ Expression, Label }): (readonly [string | undefined, number[]])[] =>
        Expression === undefined
          ? [[Label, quiet.some((company) => Label?.startsWith(company)) && days < 30 ? [] : [0, 3]]]
          : COMPANIES.map((company) => `${company}-${Expression}`)
              .filter((name) => !silent.includes(name))
              .map((name) => [name, [15]]),
      );
      return { MetricDataResults: series.map(([name, Values]) => ({ Label: name, Values })) };
    },
    SetAlarmState: () => ({}),
    DescribeAlarms: () => ({ MetricAlarms: [{ StateValue: fault.calls === undefined ? 'OK' : 'ALARM' }] }),
    PutMetricData: (input) => {
      const { MetricData } = input as {
        MetricData: { MetricName: string; Value: number; Dimensions: { Value: string }[] }[];
      };
      for (const { MetricName, Value, Dimensions } of MetricData)
        for (const { Value: stack } of Dimensions)
          if (MetricName === 'StackSilent') silents.push(stack);
          else refused[`${MetricName} ${stack}`] = Value;
      return {};
    },
  };
  const call: CallAws = async (_, command, input) => {
    calls.push(command);
    return replies[command]?.(input);
  };
  return { calls, call, silents, refused };
}

interface Asked {
  readonly ResourceTypeFilters: readonly string[];
  readonly TagFilters: readonly { readonly Key: string; readonly Values: readonly string[] }[];
}

interface MetricInput {
  readonly MetricDataQueries: readonly { readonly Expression?: string; readonly Label?: string }[];
  readonly StartTime: Date;
}

const SERVICES = {
  application: APPLICATION,
  callsQueries: ['asked', 'reached'],
  refusedAlarm: 'CallsRefused',
  heartbeatAlarm: 'Heartbeat',
  quietDays: 7,
};

async function faultsOf(fault: Fault, nowMs = NOON) {
  const { calls, call, silents, refused } = account(fault, nowMs);
  const { lines, ...telemetry } = recordingTelemetry();
  await checkFleet({ ...SERVICES, call, telemetry, nowMs, runsQueries: ['Watchdog', 'Canary'] });
  expect(lines).toHaveLength(silents.length);
  const message = lines.length === 0 ? undefined : lines.map(({ error }) => messageOf(error)).join(' ');
  return { message, calls, silents, refused };
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
    'a platform that may be quiet for thirty days, and is for ten',
    { quiet: ['acme'], quietDays: { acme: '30' } },
    /^nothing$/,
    MIDNIGHT,
  ],
  ['a stack that was made ten minutes ago', { silent: ['acme-Watchdog'], ages: { acme: 10 } }, /^nothing$/],
  ['a stack that was made an hour ago', { silent: ['acme-Watchdog'], ages: { acme: 60 } }, /^acme-Watchdog/],
  [
    'a stack that is being created',
    { silent: ['acme-Watchdog'], statuses: { acme: 'CREATE_IN_PROGRESS' } },
    /^nothing$/,
  ],
])('%s is found', async (_, fault, expected, nowMs) => {
  const { message } = await faultsOf(fault, nowMs);
  expect(message ?? 'nothing').toMatch(expected);
});

it('two silent stacks are two names, each counted in a metric of its own', async () => {
  const { silents, message } = await faultsOf({ silent: ['acme-Watchdog', 'globex-Canary'], untagged: /table\/acme/ });
  expect(silents).toEqual([`${APPLICATION}-acme-production`, `${APPLICATION}-globex-production`]);
  expect(message).toMatch(/The table of .*acme-production has no tags\. acme-Watchdog.* globex-Canary/);
});

it('a checker that cannot look fails, which Lambda counts', async () => {
  const call = () => Promise.reject(new Error('denied'));
  const services = { ...SERVICES, call, telemetry: recordingTelemetry(), nowMs: NOON, runsQueries: [] };
  await expect(checkFleet(services)).rejects.toThrow('denied');
});

it('calls that reached no function are counted for each stack, and asked for only while calls are refused', async () => {
  const calls = { acme: [2000, 1990], globex: [900, 0], initech: [1, 1] } as const;
  const of = (company: string) => `GatewayRefuses ${APPLICATION}-${company}-production`;
  expect((await faultsOf({ calls })).refused).toEqual({ [of('acme')]: 10, [of('globex')]: 900 });
  const quiet = await faultsOf({});
  expect(quiet.calls.filter((call) => call === 'GetMetricData')).toHaveLength(2);
});

it('200 companies with both stages are looked at in 20 calls, and one for the alarm of refused calls', async () => {
  const stacks = Array.from({ length: 200 }, (_, at) => `c${at}`).flatMap((company) =>
    ['sandbox', 'production'].map((stage) => ({ company, stage, Tags: tagsOf(company, { stage }) })),
  );
  const named = stacks.map(({ company, stage, Tags }) => ({ name: `${company}-${stage}`, stage, Tags }));
  const resources = named.flatMap(({ name, stage, Tags }) => [
    { type: 'lambda:function', ResourceARN: `arn:aws:lambda:r:1:function:${name}-Watchdog`, Tags },
    ...(stage === 'production'
      ? [{ type: 'lambda:function', ResourceARN: `arn:aws:lambda:r:1:function:${name}-Canary`, Tags }]
      : []),
    { type: 'dynamodb:table', ResourceARN: `arn:aws:dynamodb:r:1:table/${name}`, Tags },
    { type: 'apigateway:restapis', ResourceARN: `arn:aws:apigateway:r::/restapis/${name}`, Tags },
  ]);
  let calls = 0;
  /** As AWS does, so many at a time. */
  const paged = <T>(all: readonly T[], most: number, token = '0') => {
    const next = Number(token) + most;
    return { items: all.slice(Number(token), next), next: next < all.length ? String(next) : undefined };
  };
  const call: CallAws = async (_, command, input) => {
    calls += 1;
    const { NextToken, PaginationToken, ResourceTypeFilters } = input as Partial<Asked> & Record<string, string>;
    if (command === 'DescribeStacks') {
      const { items, next } = paged(named, 100, NextToken);
      const Stacks = items.map(({ name, Tags }) => ({
        StackName: `${APPLICATION}-${name}`,
        StackStatus: 'UPDATE_COMPLETE',
        Tags,
      }));
      return { Stacks, NextToken: next };
    }
    if (command === 'GetResources') {
      const asked = resources.filter(({ type }) => ResourceTypeFilters?.includes(type));
      const { items, next = '' } = paged(asked, 100, PaginationToken || '0');
      return { ResourceTagMappingList: items, PaginationToken: next };
    }
    if (command === 'DescribeAlarms') return {};
    const [{ Expression = '' } = {}] = (input as MetricInput).MetricDataQueries;
    const names = resources.flatMap(({ type, ResourceARN }) =>
      type === 'lambda:function' && ResourceARN.endsWith(Expression) ? [ResourceARN.split(':').at(-1) ?? ''] : [],
    );
    const { items, next } = paged(names, 500, NextToken);
    return { MetricDataResults: items.map((Label) => ({ Label, Values: [1] })), NextToken: next };
  };
  const { lines, ...telemetry } = recordingTelemetry();
  await checkFleet({ ...SERVICES, call, telemetry, nowMs: NOON, runsQueries: ['Watchdog', 'Canary'] });
  expect([lines, calls]).toEqual([[], 21]);
});
