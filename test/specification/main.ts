/**
 * Checks every instance of the specification with TLC: `npm run test:specification`. Skips where Java is missing, fails there in CI.
 *
 *   --large        the large instances too, and more faults in others: about half an hour on two cores
 *   --share K/N    of the instances, the Kth of N parts
 *   --only NAME    this instance alone; prints the counterexample where there is one
 */
import { parseArgs } from 'node:util';
import { skipped } from '../kit/skipped.ts';
import { counterexample } from './counterexample.ts';
import { configOf, COVERS, coversConfig, type Instance } from './configuration.ts';
import { INSTANCES } from './instances.ts';
import { countedConfig, RUN_COUNTS } from './run-counts.ts';
import { check, hasTlc, tlcJar, type Checked } from './tlc.ts';

const { values } = parseArgs({
  options: { large: { type: 'boolean' }, share: { type: 'string' }, only: { type: 'string' } },
});

type Named = Pick<Instance, 'name' | 'title' | 'fails' | 'size'> & { readonly module: string; readonly config: string };
const asLarge = (instance: Instance): Instance =>
  values.large === true && instance.atLarge !== undefined
    ? { ...instance, ...instance.atLarge, size: 'large' }
    : instance;
const ALL: readonly Named[] = [
  ...INSTANCES.map(asLarge).map((each) => ({ ...each, module: 'Instances', config: configOf(each) })),
  ...COVERS.map((instance) => ({ ...instance, module: 'Covers', config: coversConfig(instance) })),
  ...RUN_COUNTS.map((instance) => ({ ...instance, module: 'RunCounts', config: countedConfig(instance) })),
];

function selected(): readonly Named[] {
  if (values.only !== undefined) return ALL.filter(({ name }) => name === values.only);
  const [part = 1, parts = 1] = (values.share ?? '1/1').split('/').map(Number);
  const sized = ALL.filter(({ size }) => size === undefined || values.large === true);
  return sized.filter((_, position) => position % parts === part - 1);
}

const isExpected = ({ fails }: Named, { outcome, failed }: Checked): boolean =>
  fails === undefined ? outcome === 'holds' : outcome === 'fails' && failed === fails;

function line(instance: Named, checked: Checked): string {
  const { states, depth, trace, seconds, failed = 'no end' } = checked;
  const found = checked.outcome === 'holds' ? `holds, depth ${depth}` : `${failed}, trace of ${trace} states`;
  const mark = isExpected(instance, checked) ? 'ok' : `NOT AS EXPECTED (${instance.fails ?? 'holds'})`;
  return `${mark}  ${instance.name.padEnd(24)}${instance.title.padEnd(44)}${String(states).padStart(9)} states  ${seconds.toFixed(0).padStart(4)} s  ${found}`;
}

/** TLC's output if a check did not end. */
const complaints = ({ outcome, output }: Checked): string[] => (outcome === undefined ? [output] : []);

if (!hasTlc()) {
  skipped('The specification is checked by TLC, which needs Java 11 or newer, and Python 3 to download it.');
} else {
  const jar = tlcJar();
  const startedMs = performance.now();
  for (const instance of selected()) {
    const checked = await check(jar, { ...instance, isLong: instance.size !== undefined });
    console.log(line(instance, checked));
    if (!isExpected(instance, checked)) process.exitCode = 1;
    if (!isExpected(instance, checked) || values.only !== undefined)
      console.log([...counterexample(checked.output), ...complaints(checked)].join('\n'));
  }
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(0)} s in all`);
}
