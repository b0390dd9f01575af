/** The figures that repeat exactly, lower being better. The gate compares them with `figures.json`. */
import { idleDollars } from '../lib/idle-costs.ts';
import { measureAbuse } from './abuse.ts';
import { bundleFigures } from './bundles.ts';
import { type Engines, worldOf } from './cloud.ts';
import { costPerMillion, dryRunPerMillion } from './cost.ts';
import { measureDeepPair } from './measure-deep-pair.ts';
import { measureRevert } from './measure-revert.ts';
import { figuresOf, type Measured, measureScenarios, PLATFORM } from './scenarios.ts';

export interface Exact {
  readonly measured: Measured;
  readonly figures: Readonly<Record<string, number>>;
}

export async function measureExact(engines: Engines): Promise<Exact> {
  const world = await worldOf(engines, PLATFORM);
  const measured = await measureScenarios(world);
  await world.destroy();
  const { total } = costPerMillion(measured.distinct, engines, { accept: 0, process: 0 });
  const figures = {
    ...figuresOf(measured),
    'dollars per million records, without computing': total,
    'dollars per million records of a dry run, without computing': dryRunPerMillion(measured['dry run'], engines),
    ...(await measureRevert(engines)),
    ...(await measureDeepPair(engines)),
    ...idleDollars(),
    ...(await bundleFigures()),
    ...(await measureAbuse(engines)),
  };
  return { measured, figures };
}
