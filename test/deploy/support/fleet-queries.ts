/** Evaluates searches and queries over many stacks as CloudWatch does, as far as the account stack uses them. */
import { type Emission, STATISTICS } from './metrics.ts';

/** The value of each stack, by the dimension that names it. */
export type Series = ReadonlyMap<string, number>;

interface Asked {
  readonly namespace: string;
  readonly dimensions: readonly string[];
  readonly metric: string;
  readonly statistic: string;
  /** A resource must have these to be counted. */
  readonly tags: Readonly<Record<string, string>>;
}

const NAMES: Readonly<Record<string, string>> = { SUM: 'Sum', MAX: 'Maximum', AVG: 'Average' };

/** @throws Error for an expression of another form than `search` and `query` write */
export function askedBy(expression: string): Asked {
  const [, source, found, , statistic] =
    /^SEARCH\('\{([^}]+)\} MetricName="(\w+)"( \w+)?', '(\w+)', \d+\)$/.exec(expression) ?? [];
  if (source !== undefined) {
    const [namespace = '', ...dimensions] = source.split(',');
    return { namespace, dimensions, metric: String(found), statistic: String(statistic), tags: {} };
  }
  const [, name, metric, from, schema, where = '', group] =
    /^SELECT (\w+)\("(\w+)"\) FROM SCHEMA\("([^"]+)", ([\w, ]+)\)( WHERE [^G]*)? GROUP BY (\w+) ORDER BY \1\(\) DESC$/.exec(
      expression,
    ) ?? [];
  const dimensions = String(schema).split(', ');
  const tags = Object.fromEntries([...where.matchAll(/tag\.(\w+) = '([^']*)'/g)].map(([, key, value]) => [key, value]));
  if (name === undefined || group !== dimensions[0]) throw new Error(`nothing evaluates ${expression}`);
  return { namespace: String(from), dimensions, metric: String(metric), statistic: NAMES[name] ?? name, tags };
}

/** Evaluates the expression on the datapoints of one period. A stack that emitted nothing has no series. */
export function seriesOf(expression: string, emissions: readonly Emission[]): Series {
  const { namespace, dimensions, metric, statistic } = askedBy(expression);
  const matching = emissions.filter(
    (each) =>
      each.namespace === namespace &&
      each.name === metric &&
      Object.keys(each.dimensions).toSorted().join() === dimensions.toSorted().join(),
  );
  const byStack = Map.groupBy(matching, (each) => String(each.dimensions[String(dimensions[0])]));
  return new Map(
    [...byStack].map(([stack, each]) => [
      stack,
      statisticOf(
        statistic,
        each.flatMap(({ values }) => values),
      ),
    ]),
  );
}

/** Near the maximum for a percentile of a few values. */
const statisticOf = (name: string, values: readonly number[]): number =>
  (STATISTICS[name] ?? STATISTICS['Maximum'])?.(values) ?? Number.NaN;
