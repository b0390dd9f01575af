import { PhysicalResources, resolveIntrinsics, resourcesOfType, type Template } from '../../../bin/local/template.ts';

/** Metrics as CloudWatch reads them from log lines in embedded metric format. */
export interface Emission {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly values: readonly number[];
}

interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string }[];
}

export function emissionsOf(lines: readonly string[]): Emission[] {
  return lines
    .filter((line) => line.includes('"_aws"'))
    .map((line) => JSON.parse(line))
    .flatMap((document) =>
      (document._aws.CloudWatchMetrics as Directive[]).flatMap(({ Namespace, Dimensions, Metrics }) =>
        Dimensions.flatMap((names) =>
          Metrics.map(({ Name }) => ({
            namespace: Namespace,
            name: Name,
            dimensions: Object.fromEntries(names.map((name) => [name, String(document[name])])),
            values: [document[Name]].flat() as number[],
          })),
        ),
      ),
    );
}

export function identityOf({ namespace, name, dimensions }: Omit<Emission, 'values'>): string {
  return JSON.stringify([namespace, name, Object.keys(dimensions).toSorted(), Object.values(dimensions)]);
}

export const STATISTICS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  SampleCount: (values) => values.length,
  Maximum: (values) => Math.max(...values),
  Minimum: (values) => Math.min(...values),
  p90: (values) => values.toSorted((a, b) => a - b)[Math.ceil(0.9 * values.length) - 1] ?? Number.NaN,
  Average: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
};

/** Metrics of AWS that we use, with the sets of dimensions in its documentation. */
const AWS_METRICS: Readonly<Record<string, readonly string[]>> = {
  'AWS/SQS ApproximateNumberOfMessagesVisible': ['QueueName'],
  'AWS/SQS ApproximateAgeOfOldestMessage': ['QueueName'],
  'AWS/Lambda Errors': ['FunctionName', ''],
  'AWS/Lambda Invocations': ['FunctionName'],
  'AWS/Lambda ConcurrentExecutions': [''],
  'AWS/Lambda Throttles': ['FunctionName', ''],
  'AWS/ApiGateway 4XXError': ['ApiName,Stage'],
  'AWS/ApiGateway 5XXError': ['ApiName,Stage'],
  'AWS/ApiGateway Latency': ['ApiName,Stage'],
  'AWS/ApiGateway Count': ['ApiName,Stage'],
  'AWS/ApiGateway IntegrationLatency': ['ApiName,Stage'],
  'AWS/DynamoDB WriteThrottleEvents': ['TableName', 'GlobalSecondaryIndexName,TableName'],
  'AWS/DynamoDB ReadThrottleEvents': ['TableName', 'GlobalSecondaryIndexName,TableName'],
};

export function isAwsMetric(namespace: string, name: string, dimensions: readonly string[]): boolean {
  return AWS_METRICS[`${namespace} ${name}`]?.includes(dimensions.toSorted().join()) === true;
}

interface Drawn {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

interface Widget {
  readonly properties: { readonly title?: string; readonly metrics?: readonly (readonly unknown[])[] };
}

/** The widgets of the dashboard after the console has replaced its variable by a name. */
function widgetsOf(template: Template, chosen: string): Widget[] {
  return resourcesOfType(template, 'AWS::CloudWatch::Dashboard').flatMap(([, { DashboardBody }]) => {
    const text = String(resolveIntrinsics(DashboardBody, new PhysicalResources()));
    const { variables } = JSON.parse(text) as { variables: { pattern: string }[] };
    const named = variables.reduce((body, { pattern }) => body.replaceAll(pattern, chosen), text);
    return (JSON.parse(named) as { widgets: Widget[] }).widgets;
  });
}

/** The metrics that the dashboard names individually. */
export function drawnBy(template: Template, chosen: string): Drawn[] {
  return widgetsOf(template, chosen).flatMap(({ properties: { metrics = [] } }) => metrics.flatMap(drawn));
}

export const searchesOf = (template: Template): ReadonlyMap<string, readonly string[]> =>
  new Map(
    widgetsOf(template, 'any').map(({ properties: { title = '', metrics = [] } }) => [
      title,
      metrics.flatMap(([options]) => (options as { expression?: string }).expression ?? []),
    ]),
  );

/** The queries of the alarms. */
export const queriesOf = (template: Template): string[] =>
  resourcesOfType(template, 'AWS::CloudWatch::Alarm').flatMap(([, { Metrics = [] }]) =>
    (Metrics as { readonly Expression?: string }[]).flatMap(({ Expression }) => Expression ?? []),
  );

/** `[namespace, name, dimension, value, …, options]`; an expression is `[options]`, and draws metrics beside it. */
function drawn(metric: readonly unknown[]): Drawn[] {
  const [namespace, name, ...rest] = metric.filter((part) => typeof part === 'string');
  if (namespace === undefined || name === undefined) return [];
  const pairs = Array.from({ length: rest.length / 2 }, (_, at) => [rest[2 * at], rest[2 * at + 1]]);
  return [{ namespace, name, dimensions: Object.fromEntries(pairs) }];
}
