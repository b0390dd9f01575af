/** When each alarm rings after the start of a fault, by its own definition, for datapoints of each minute. */
import { askedBy } from './fleet-queries.ts';
import { STATISTICS } from './metrics.ts';

/** The members of an alarm in CloudFormation that decide when it rings. */
export interface AlarmDefinition {
  readonly AlarmName: string;
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly EvaluateLowSampleCountPercentile?: string;
  readonly Period?: number;
  readonly EvaluationPeriods: number;
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  readonly TreatMissingData: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
  readonly Metrics?: readonly {
    readonly Id?: string;
    readonly Expression?: string;
    readonly Period?: number;
    readonly MetricStat?: {
      readonly Metric: { readonly Namespace: string; readonly MetricName: string };
      readonly Period: number;
      readonly Stat?: string;
    };
  }[];
}

/**
 * The values of a minute, counted from the start of the fault; before it, those of a healthy stack. Metrics are
 * `namespace metric`, or `namespace metric of NAME` for the resources that one alarm watches.
 */
export type Datapoints = (metric: string, minute: number) => readonly number[];

/** CloudWatch evaluates p90 from 10 / (1 - 0.9) values on. */
const FEWEST_OF_P90 = 100;

/** A missing value counts as the alarm treats it. */
function breaches(alarm: AlarmDefinition, value: number | undefined): boolean {
  if (value === undefined) return alarm.TreatMissingData === 'breaching';
  return alarm.ComparisonOperator === 'LessThanThreshold' ? value < alarm.Threshold : value >= alarm.Threshold;
}

const statistic = (name: string, values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : STATISTICS[name]?.(values);

function ofValues(alarm: AlarmDefinition, values: readonly number[]): number | undefined {
  if (alarm.EvaluateLowSampleCountPercentile === 'ignore' && values.length < FEWEST_OF_P90) return undefined;
  return statistic(alarm.Statistic ?? String(alarm.ExtendedStatistic), values);
}

/** How to find the value of the period from a minute on. The alarm's expression is parsed once. */
function valueIn(
  alarm: AlarmDefinition,
  minutes: number,
  datapoints: Datapoints,
): (from: number) => number | undefined {
  // Each minute is in as many periods as there are offsets.
  const known = new Map<string, readonly number[]>();
  const valuesAt = (metric: string, minute: number): readonly number[] => {
    const key = `${minute} ${metric}`;
    const values = known.get(key) ?? datapoints(metric, minute);
    known.set(key, values);
    return values;
  };
  const valuesOf = (metric: string, from: number): number[] => {
    const values: number[] = [];
    for (let at = 0; at < minutes; at += 1) for (const value of valuesAt(metric, from + at)) values.push(value);
    return values;
  };
  const expression = alarm.Metrics?.find(({ Expression }) => Expression)?.Expression;
  if (expression === undefined) {
    const metric = `${alarm.Namespace} ${alarm.MetricName}${watchedBy(alarm)}`;
    return (from) => ofValues(alarm, valuesOf(metric, from));
  }
  const [, whole, part] = /^(\w+) - FILL\((\w+), 0\)$/.exec(expression) ?? [];
  if (whole !== undefined) {
    const of = (id: string | undefined, from: number): number | undefined => {
      const { Metric, Stat = '' } = alarm.Metrics?.find(({ Id }) => Id === id)?.MetricStat ?? {};
      return statistic(Stat, valuesOf(`${Metric?.Namespace} ${Metric?.MetricName}`, from));
    };
    return (from) => {
      const asked = of(whole, from);
      return asked === undefined ? undefined : asked - (of(part, from) ?? 0);
    };
  }
  const { namespace, metric, statistic: name, dimensions, tags } = askedBy(expression);
  const watched = tags['alarm'] === undefined ? '' : ` of ${tags['alarm']}`;
  const index = dimensions.includes('GlobalSecondaryIndexName') ? ' of an index' : '';
  return (from) => statistic(name, valuesOf(`${namespace} ${metric}${watched}${index}`, from));
}

/**
 * Names the resource where two queues, or two scheduled functions, have the same metric. The functions have the tags
 * of their alarms in the account stack.
 */
function watchedBy({ AlarmName, Namespace, MetricName }: AlarmDefinition): string {
  const name = AlarmName.split('-').at(-1);
  if (Namespace === 'AWS/SQS') return ` of ${name}`;
  return MetricName === 'Errors' ? ` of ${name === 'WatchdogSilent' ? 'WatchdogFails' : name}` : '';
}

const periodOf = ({ Period, Metrics = [] }: AlarmDefinition): number =>
  (Period ?? Metrics.map((each) => each.Period ?? each.MetricStat?.Period).find((each) => each !== undefined) ?? 0) /
  60;

/**
 * Minutes from the fault to the alarm, for the worst offset in a period; `undefined` if it does not ring in time.
 * @param watched the minutes from the first that the fault changes to the last that is looked at
 */
export function ringsAfter(
  alarm: AlarmDefinition,
  datapoints: Datapoints,
  watched: readonly [first: number, last: number],
): number | undefined {
  const minutes = periodOf(alarm);
  const valueOf = valueIn(alarm, minutes, datapoints);
  const worst = Array.from({ length: minutes }, (_, offset) => {
    let lasting = 0;
    const before = Math.floor(watched[0] / minutes) * minutes;
    for (let from = before - offset; from < watched[1]; from += minutes) {
      lasting = breaches(alarm, valueOf(from)) ? lasting + 1 : 0;
      if (lasting === alarm.EvaluationPeriods) return from + minutes;
    }
    return Number.POSITIVE_INFINITY;
  });
  const most = Math.max(...worst);
  return Number.isFinite(most) ? most : undefined;
}
