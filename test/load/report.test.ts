/** The arithmetic of the report of a load. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import figures from '../bench/figures.json' with { type: 'json' };
import { observe } from '../../bin/load/cloudwatch.ts';
import { dollars, DOLLARS_A_MILLION, type Load, percentile, reportLines, throughputOf } from '../../bin/load/report.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const counts = (total: number, succeeded: number) => ({
  total,
  succeeded,
  processed: total,
  failed: total - succeeded,
  with_warnings: 0,
});
const imports: Load['imports'] = [
  { created_at: at(0), completed_at: at(4), counts: counts(500, 500) },
  { created_at: at(2), completed_at: at(10), counts: counts(500, 490) },
];
const OBSERVED = {
  writeUnits: 2_136,
  readUnits: 1_544,
  requests: 10,
  throttledEvents: 3,
  clientErrors: 1,
  serverErrors: 0,
  latencyP50: 20,
  latencyP99: 250,
};

it('percentile: values in any order → the one that so many do not exceed; of none NaN', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([50, 99, 100, 0].map((percent) => percentile(values, percent))).toEqual([50, 99, 100, 1]);
  expect([percentile([7], 99), percentile([], 50)]).toEqual([7, Number.NaN]);
});

it('throughputOf: imports that overlap → records over the time from the first acceptance to the last end', () => {
  expect(throughputOf(imports)).toEqual({
    records: 1000,
    applied: 990,
    seconds: 10,
    perSecond: 99,
    toTerminal: [4000, 8000],
  });
});

describe('dollars', () => {
  it('dollars: the units of 1,000 records → list prices', () => {
    expect(dollars(OBSERVED)).toBeCloseTo(2_136 * 6.25e-7 + 1_544 * 1.25e-7 + 10 * 3.5e-6, 12);
  });

  it('the figure without CloudWatch is the counted one of a million records', () => {
    expect(DOLLARS_A_MILLION).toBeCloseTo(figures['dollars per million records, without computing'], 2);
  });
});

it('reportLines: imports, calls and metrics → throughput, percentiles, throttles and cost', () => {
  const calls = [
    { kind: 'POST imports', status: 202, ms: 100 },
    { kind: 'POST imports', status: 429, ms: 5 },
    { kind: 'GET imports', status: 503, ms: 30 },
    { kind: 'GET imports', status: 0, ms: 40_000 },
  ];
  expect(reportLines({ rate: 100, imports, calls, observed: OBSERVED })).toEqual([
    'The service: 990 of 1,000 records applied by 2 imports in 10.0 s: 99 a second, of 100 asked for.',
    '  an import ended p50 4,000 ms, p99 8,000 ms after it was accepted',
    'The client: 4 requests; 429: 1, 5xx or no response: 2',
    '  POST imports: 2, p50 5 ms, p99 100 ms',
    '  GET imports: 2, p50 30 ms, p99 40,000 ms',
    'CloudWatch: 10 requests, p50 20 ms, p99 250 ms in the slowest minute; 4xx: 1, 5xx: 0',
    '  2,136 write units, 1,544 read units, 3 throttled by the table',
    'Cost: $0.0016 for the table and the API; $1.56 a million records',
  ]);
  expect(reportLines({ rate: 100, imports, calls }).at(-1)).toBe(
    'Cost: some $0.0016, by docs/costs.md; --stack counts it',
  );
});

it('observe: series of minutes, of the table and its indexes → sums, and the slowest minute', async () => {
  const asked: string[] = [];
  const observed = await observe('the-stack', new Date(0), new Date(60_000), async (_, args) => {
    if (args[1] === 'describe-stacks')
      return { Stacks: [{ Outputs: [{ OutputKey: 'TableName', OutputValue: 'the-table' }] }] };
    asked.push(...args);
    const series = (Id: string, ...Values: number[]) => ({ Id, Values });
    return {
      MetricDataResults: [
        series('writeUnits_table', 10, 20),
        series('writeUnits_index', 1),
        series('writeUnits_index', 2),
        series('throttledWrites_index', 4),
        series('throttledReads_table', 1),
        series('latencyP99', 200, 300),
      ],
    };
  });
  expect(observed).toEqual({
    writeUnits: 33,
    readUnits: 0,
    requests: 0,
    throttledEvents: 5,
    clientErrors: 0,
    serverErrors: 0,
    latencyP50: 0,
    latencyP99: 300,
  });
  const queries = JSON.parse(asked[asked.indexOf('--metric-data-queries') + 1] ?? '') as { Expression: string }[];
  expect(queries.map(({ Expression }) => Expression)).toContain(
    `SEARCH('{AWS/ApiGateway,ApiName,Stage} MetricName="5XXError" ApiName="the-stack"', 'Sum', 60)`,
  );
});
