/** The dashboard of all stacks, for three companies of which one has a stuck import. Costs a second. */
import { expect, it, vi } from 'vitest';
import {
  METRICS,
  type MetricName,
  POINTS,
  REJECTIONS,
  WARNINGS,
  METRIC_DIMENSION,
  METRIC_NAMESPACE,
  GATEWAY_METRIC,
  SILENT_METRIC,
} from '../../functions/runtime/metrics.ts';
import { powertoolsTelemetry } from '../../functions/runtime/telemetry.ts';
import { stackName } from '../../lib/settings.ts';
import { accountTemplateOf } from '../kit/template.ts';
import { capturedLines } from '../kit/captured-lines.ts';
import { askedBy, seriesOf } from './support/fleet-queries.ts';
import { drawnBy, emissionsOf, isAwsMetric, queriesOf, searchesOf } from './support/metrics.ts';
import { reportEveryKind, SCENARIOS } from './support/scenarios.ts';

const account = accountTemplateOf();
const searches = searchesOf(account);
const [acme = '', globex = '', initech = ''] = ['acme', 'globex', 'initech'].map((company) =>
  stackName({ company, stage: 'production' }),
);

/** Counted by a running service alone, as `telemetry.test.ts` sees. */
const OF_RUNNING: readonly MetricName[] = ['ImportsAccepted', 'ImportsReplayed', 'DryRunsAnswered', 'LoginsSucceeded'];

/** The log lines of the functions of these stacks when these metrics occur. */
async function written(happening: Readonly<Record<string, readonly MetricName[]>>) {
  const lines = capturedLines();
  for (const [stack, metrics] of Object.entries(happening)) {
    const telemetry = powertoolsTelemetry({ POWERTOOLS_SERVICE_NAME: stack });
    for (const metric of metrics) await SCENARIOS[metric]?.(telemetry, 1);
    for (const metric of metrics.filter((each) => OF_RUNNING.includes(each))) telemetry.count(metric);
    if (metrics.includes('ImportsOpen')) reportEveryKind(telemetry);
    telemetry.flush();
  }
  vi.restoreAllMocks();
  return emissionsOf(lines);
}

it('a stuck import of one of three companies is shown with its company, and an idle company is not shown', async () => {
  const emissions = await written({
    [acme]: ['ImportsOpen'],
    [globex]: ['ImportsOpen', 'ImportsStuck'],
  });
  const shown = (title: string) =>
    (searches.get(title) ?? []).map((expression) => Object.fromEntries(seriesOf(expression, emissions)));
  expect(shown('Imports stuck')).toEqual([{ [globex]: 1 }]);
  expect(shown('Imports open')).toEqual([{ [acme]: 1, [globex]: 1 }]);
  expect(shown('Imports failed (status error)')).toEqual([{ [acme]: 1, [globex]: 1 }]);
  expect(Object.keys(shown('Time to terminal, p95 (ms)')[0] ?? {})).toEqual([acme, globex]);
  expect(JSON.stringify([...searches])).not.toContain(initech);
});

it('every search, alarm and drawn line is of an emitted metric, under its dimensions; every metric is among them', async () => {
  const emissions = await written({
    [acme]: ['ImportsOpen', ...(Object.keys(SCENARIOS) as MetricName[]), ...OF_RUNNING],
  });
  const schemaOf = (namespace: string, name: string, dimensions: readonly string[]) =>
    [namespace, name, ...dimensions].join(' ');
  const emitted = new Set(emissions.map((each) => schemaOf(each.namespace, each.name, Object.keys(each.dimensions))));
  // The checker sends them (check-fleet.test.ts).
  for (const metric of [SILENT_METRIC, GATEWAY_METRIC])
    emitted.add(schemaOf(METRIC_NAMESPACE, metric, [METRIC_DIMENSION]));
  const drawn = drawnBy(account, acme);
  const asked = [
    ...[...searches.values()].flat().map(askedBy),
    ...queriesOf(account).map(askedBy),
    ...drawn.map(({ name, dimensions, ...each }) => ({ ...each, metric: name, dimensions: Object.keys(dimensions) })),
  ];
  expect(asked.length).toBeGreaterThan(60);
  const unknown = asked.filter(
    ({ namespace, metric, dimensions }) =>
      !emitted.has(schemaOf(namespace, metric, dimensions)) && !isAwsMetric(namespace, metric, dimensions),
  );
  expect(unknown).toEqual([]);
  const names = new Set(asked.map(({ metric }) => metric));
  // Sums of points are for the alarms of a stack alone.
  const sums = POINTS.map(([sum]) => sum);
  expect([...REJECTIONS, ...WARNINGS, ...METRICS].filter((name) => !names.has(name))).toEqual(sums);
});
