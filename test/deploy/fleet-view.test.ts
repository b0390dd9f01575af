/** The dashboard of all stacks, for three companies of which one has a stuck import. Costs a second. */
import { expect, it, vi } from 'vitest';
import type { MetricName } from '../../functions/runtime/metrics.ts';
import { powertoolsTelemetry } from '../../functions/runtime/telemetry.ts';
import { stackName } from '../../lib/settings.ts';
import { accountTemplateOf } from '../kit/template.ts';
import { capturedLines } from '../kit/captured-lines.ts';
import { askedBy, seriesOf } from './support/fleet-queries.ts';
import { emissionsOf, isAwsMetric, searchesOf } from './support/metrics.ts';
import { reportEveryKind, SCENARIOS } from './support/scenarios.ts';

const searches = searchesOf(accountTemplateOf());
const [acme = '', globex = '', initech = ''] = ['acme', 'globex', 'initech'].map((company) =>
  stackName({ company, stage: 'production' }),
);

/** The log lines of the functions of these stacks when these metrics occur. */
async function written(happening: Readonly<Record<string, readonly MetricName[]>>) {
  const lines = capturedLines();
  for (const [stack, metrics] of Object.entries(happening)) {
    const telemetry = powertoolsTelemetry({ POWERTOOLS_SERVICE_NAME: stack });
    for (const metric of metrics) await SCENARIOS[metric]?.(telemetry, 1);
    if (metrics.includes('ImportsOpen')) reportEveryKind(telemetry);
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

it('every search asks for a metric that is emitted, under the dimensions that it has', async () => {
  const all = [...searches.values()].flat().map(askedBy);
  expect(all.length).toBeGreaterThan(15);
  const emissions = await written({ [acme]: ['ImportsOpen', ...(Object.keys(SCENARIOS) as MetricName[])] });
  const names = new Set(
    emissions.map(({ namespace, name, dimensions }) => [namespace, name, ...Object.keys(dimensions)].join(' ')),
  );
  const unknown = all.filter(
    ({ namespace, metric, dimensions }) =>
      !names.has([namespace, metric, ...dimensions].join(' ')) && !isAwsMetric(namespace, metric, dimensions),
  );
  expect(unknown).toEqual([]);
});
