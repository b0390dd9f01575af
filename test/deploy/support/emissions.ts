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

/** What tells one metric from another. */
export function identityOf({ namespace, name, dimensions }: Omit<Emission, 'values'>): string {
  return JSON.stringify([namespace, name, Object.keys(dimensions).toSorted(), Object.values(dimensions)]);
}

export const STATISTICS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  SampleCount: (values) => values.length,
  Maximum: (values) => Math.max(...values),
};
