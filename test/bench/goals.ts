/** The goals of this service, and the measured figure of each. */
import type { Abuse } from './abuse.ts';
import type { ColdStarts } from './cold-start.ts';
import type { BundleSize } from './bundles.ts';
import type { Cost } from './cost.ts';
import type { Cpu } from './cpu.ts';
import type { Growth } from './growth.ts';

export interface Goal {
  readonly figure: string;
  readonly goal: string;
  readonly measured: number;
  readonly met: boolean;
}

export interface Results {
  readonly service: Readonly<Record<string, number>>;
  readonly baseline: Readonly<Record<string, number>>;
  readonly cost: { readonly service: Cost; readonly baseline: Cost };
  readonly bundles: ReadonlyMap<string, BundleSize>;
  readonly growth: Growth;
  readonly cpu: Cpu;
  readonly cold: ColdStarts;
  readonly abuse: Abuse;
}

const KB = 1000;
/** `process-chunk` alone has three clients of AWS, the rules of a record, reverts and erasures. */
const LARGEST_BUNDLE_KB = 365;

export function goalsOf(results: Results): Goal[] {
  return [...unitGoals(results), ...growthGoals(results.growth), ...bundleGoals(results), ...abuseGoals(results.abuse)];
}

function unitGoals({ service, cost, cpu }: Results): Goal[] {
  const of = (figure: string): number => service[figure] ?? Number.NaN;
  return [
    atMost('write units per accepted record', 2.2, of('distinct: write units per record')),
    atMost('read units per record, 500 learners', 2.8, of('distinct: read units per record')),
    atMost('read units per record, 100 learners in 5 courses', 2.4, of('shared: read units per record')),
    atMost('write units per record sent again', 0.16, of('sent again: write units per record')),
    atMost('write units per record of a dry run', 0.16, of('dry run: write units per record')),
    atMost('AWS calls of an import, accept to terminal', 120, of('distinct: AWS calls')),
    atMost('JSON written per byte of a body of 2 MB', 2.2, of('100 classes: JSON bytes written per byte of the body')),
    atMost('sequential depth of POST', 4, of('distinct: depth of POST')),
    atMost('sequential depth of a chunk', 9, of('distinct: depth of a chunk')),
    atMost('dollars per million records, all in', 1.6, cost.service.total),
    atMost('calls of a poll', 2, of('distinct: calls of a poll')),
    atMost('read units of a poll, authorisation included', 4, of('distinct: read units of a poll')),
    atMost('bytes of a poll’s response', 600, of('distinct: answer bytes of a poll')),
    atMost('bytes of a row without classes', 350, of('distinct: learner-course row bytes')),
    atMost('write units of a row with 100 classes', 3, Math.ceil(of('100 classes: learner-course row bytes') / 1024)),
    atMost('processor time per record against the baseline', 0.25, cpu.ratio),
  ];
}

function growthGoals({ points, slopes }: Growth): Goal[] {
  const heaps = points.map(({ heap_mb }) => heap_mb);
  const heapSpread = (Math.max(...heaps) - Math.min(...heaps)) / (Math.max(...heaps) + Math.min(...heaps));
  return [
    ...Object.entries(slopes).map(([figure, slope]) => ({
      figure: `slope of ${figure}`,
      goal: '1.00 ± 0.01',
      measured: slope,
      met: Math.abs(slope - 1) <= 0.01,
    })),
    atMost('heap, ± around its middle', 0.05, heapSpread),
    atMost('bytes of the status item', 2048, Math.max(...points.map(({ status_item_bytes }) => status_item_bytes))),
  ];
}

/** Dollars that somebody can make the account pay in an hour. */
export const abuseGoals = ({ anonymous, token }: Abuse): Goal[] => [
  atMost('dollars an hour of an anonymous caller', 5, anonymous),
  atMost('dollars an hour of one stolen admin token', 30, token),
];

function bundleGoals({ bundles, cold }: Results): Goal[] {
  return [...bundles].flatMap(([name, { bytes, database }]) => [
    atMost(`KB of ${name}`, database ? LARGEST_BUNDLE_KB : 60, bytes / KB),
    atMost(
      `cold start of ${name}, × empty`,
      database ? 3.4 : 1.6,
      cold.functions.get(name)?.['deployed']?.ratio ?? Number.NaN,
    ),
  ]);
}

function atMost(figure: string, goal: number, measured: number): Goal {
  const rounded = Math.round(measured * 1e4) / 1e4;
  return { figure, goal: `≤ ${goal}`, measured: rounded, met: measured <= goal };
}
