/** The alarms of the template that a run would have raised, among those whose metrics the model counts. */
import { resourcesOfType, type Template } from '../../bin/local/template.ts';
import type { Observations, Series } from './observations.ts';

interface AlarmProperties {
  readonly AlarmName?: string;
  readonly MetricName?: string;
  readonly Metrics?: unknown;
  readonly Threshold: number;
  readonly Period?: number;
  readonly EvaluationPeriods: number;
  readonly ComparisonOperator: string;
}

const THROTTLES = ['WriteThrottleEvents', 'ReadThrottleEvents'];
const SECONDS_OF_MATH = 300;

export function ringing(template: Template, { metrics }: Observations): string[] {
  const alarms = resourcesOfType(template, 'AWS::CloudWatch::Alarm') as unknown as [string, AlarmProperties][];
  return alarms.flatMap(([id, alarm]) => {
    const metric = alarm.MetricName ?? THROTTLES.find((name) => JSON.stringify(alarm.Metrics).includes(name)) ?? '';
    const series = metrics.get(metric);
    if (series === undefined || !alarm.ComparisonOperator.startsWith('GreaterThan')) return [];
    return rings(series, alarm) ? [nameOf(id, alarm)] : [];
  });
}

function rings(series: Series, { Threshold, Period = SECONDS_OF_MATH, EvaluationPeriods }: AlarmProperties): boolean {
  const sums = new Map<number, number>();
  for (const [minute, value] of series) {
    const period = Math.floor((minute * 60) / Period);
    sums.set(period, (sums.get(period) ?? 0) + value);
  }
  return [...sums.keys()].some((last) =>
    Array.from({ length: EvaluationPeriods }, (_, before) => sums.get(last - before) ?? 0).every(
      (sum) => sum >= Threshold,
    ),
  );
}

const nameOf = (id: string, { AlarmName }: AlarmProperties): string =>
  (AlarmName ?? id).replace(/^.*(-|Alarm)/, '').replace(/[0-9A-F]{8}$/, '');
