/** The instances of RunCounts.tla: the counts of a run that readers keep, complete and without each guard. */
import { isOn, type Instance } from './configuration.ts';

const GUARDS = [
  'NotedFirst',
  'DriverNotes',
  'BegunCompared',
  'PlaceNamed',
  'BegunOld',
  'AllOld',
  'AllEnded',
  'SumOld',
  'LongEnough',
  'OpenKept',
  'KeptStays',
] as const;

export interface Counted extends Pick<Instance, 'name' | 'title' | 'fails' | 'size'> {
  readonly off?: (typeof GUARDS)[number];
  readonly imports?: number;
  /** How many have ended before. */
  readonly first?: number;
  /** The import that a plan makes. */
  readonly planned?: number;
}

const without = (
  off: (typeof GUARDS)[number],
  name: string,
  fails: 'SumIsRight' | 'RestIsWhole',
  more: Partial<Counted> = {},
): Counted => ({ name, title: `without ${off}`, off, fails, ...more });

export const RUN_COUNTS: readonly Counted[] = [
  { name: 'run-counts', title: 'three imports of a run, one has ended' },
  { name: 'run-counts-plan', title: 'two imports of a run, one of a plan', imports: 2, first: 0, planned: 2 },
  { name: 'run-counts-3', title: 'three imports of a run', first: 0, size: 'large' },
  { name: 'run-counts-plan-3', title: 'three, one of a plan', planned: 3, size: 'large' },
  without('NotedFirst', 'noted-late', 'RestIsWhole'),
  without('DriverNotes', 'plan-not-noted', 'RestIsWhole', { imports: 2, planned: 2 }),
  without('BegunCompared', 'begun-not-compared', 'RestIsWhole'),
  without('PlaceNamed', 'rest-without-place', 'RestIsWhole'),
  without('BegunOld', 'rests-at-once', 'RestIsWhole'),
  without('AllOld', 'rests-after-new', 'SumIsRight'),
  without('AllEnded', 'rests-while-open', 'SumIsRight'),
  without('SumOld', 'summed-at-once', 'SumIsRight'),
  without('LongEnough', 'settled-early', 'RestIsWhole'),
  without('OpenKept', 'open-not-kept', 'SumIsRight'),
  without('KeptStays', 'clock-behind', 'SumIsRight'),
];

const numbers = (last: number): number[] => Array.from({ length: last }, (_, before) => before + 1);

export const countedConfig = ({ off, imports = 3, first = 1, planned }: Counted): string =>
  [
    'SPECIFICATION Spec',
    `CONSTANTS Imports = {${numbers(imports).join(', ')}} Planned = {${planned ?? ''}} First = ${first}`,
    `CONSTANTS Readers = {r1, r2} None = None Latest = ${imports + (planned === undefined ? 0 : 1)}`,
    ...GUARDS.map((guard) => `CONSTANT ${guard} = ${isOn(guard !== off)}`),
    'SYMMETRY Symmetric',
    'INVARIANTS SumIsRight RestIsWhole',
    '',
  ].join('\n');
