/** All exact figures of one run: this service, the baseline, growth over imports, bundles. */
import { baseline } from './baseline/baseline.ts';
import { idleDollars } from '../lib/idle-costs.ts';
import { bundleSizes } from './bundles.ts';
import { type Engines, worldOf } from './cloud.ts';
import type { Design } from './design.ts';
import { measureRevert } from './measure-revert.ts';
import { figuresOf, type Measured, measureScenarios, PLATFORM, type ScenarioName } from './scenarios.ts';
import { service } from './service.ts';

export async function measureService(engines: Engines): Promise<Measured> {
  return measureOn(engines, service);
}

export async function measureBaseline(engines: Engines, names?: readonly ScenarioName[]): Promise<Measured> {
  return measureOn(engines, baseline, names);
}

/** What the gate compares: this service alone, the bundles in whole bytes, and what an idle stack costs. */
export async function gatedFigures(engines: Engines): Promise<Record<string, number>> {
  const sizes = await bundleSizes();
  return {
    ...figuresOf(await measureService(engines)),
    ...(await measureRevert(engines)),
    ...idleDollars(),
    ...Object.fromEntries([...sizes].map(([name, { bytes }]) => [`bundle bytes: ${name}`, bytes])),
  };
}

async function measureOn(
  engines: Engines,
  build: (cloud: Parameters<typeof service>[0]) => Promise<Design>,
  names?: readonly ScenarioName[],
): Promise<Measured> {
  const world = await worldOf(engines, build, PLATFORM);
  try {
    return await measureScenarios(world, names);
  } finally {
    await world.destroy();
  }
}
