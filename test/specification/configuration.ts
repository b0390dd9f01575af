/** An instance of the specification, and its configuration in TLC's format. */

/** Without one of these, the protocol must fail. */
const GUARDS = [
  'GateChecked',
  'CheckedAgain',
  'RequestCloses',
  'FirstFence',
  'Turns',
  'EpochChecked',
  'NotesKept',
  'NotesMoved',
  'GivenOnce',
  'HeldEarlier',
  'EarlierWritten',
  'OvertakenWritten',
  'PlanOnce',
  'FreedIfOurs',
  'AbandonedFreed',
  'MarkedFirst',
  'WaitsTwice',
  'OpenedIfOurs',
  'InTurn',
  'ErasureFence',
  'ClosedFirst',
  'HaltsFirst',
  'ErasedTwice',
  'SecondFence',
  'ErasureFrees',
  'WaitersKept',
  'AllSummaries',
  'PlanCompared',
  'OverCompared',
  'PlanAside',
  'OutcomeFree',
  'RejectedKept',
  'IdsOfPlaces',
  'CommitsInTurn',
  'StagedAgain',
  'DriverWaits',
  'ListedLate',
  'LastCancels',
  'LooksAhead',
  'EndsLast',
  'ArchiveWaits',
  'ArchivedFirst',
  'ArchiveRemoved',
  'ArchiveErased',
  'Watchdog',
] as const;
export type Guard = (typeof GUARDS)[number] | 'fairness';

const FAULTS = ['Kills', 'Doubles', 'Losses', 'Remaps', 'Recourses'] as const;
type Fault = (typeof FAULTS)[number];

const INVARIANTS = [
  'NothingForeign',
  'NothingLost',
  'LastWord',
  'IdsAreRight',
  'EndedIsComplete',
  'GateIsOpen',
  'RevertedIsGone',
  'NobodyWaits',
  'ClosedFromRequest',
  'GivenIsNeeded',
  'ErasedIsGone',
  'OnlyAsPlanned',
  'NothingOverruled',
  'PlanIsApplicable',
  'EachOnce',
  'InOrder',
  'RejectedStays',
  'RunEndsOnce',
  'CancelStops',
  'ArchiveIsRight',
] as const;
const STEP_PROPERTIES = ['ResultsStay', 'NeverOvertaken'] as const;
const LIVENESS = ['EveryImportEnds', 'EveryRevertEnds', 'EveryPlanEnds'] as const;
/** Of Covers.tla, and of RunCounts.tla. */
type OfOthers = 'PromisesKept' | 'SumIsRight' | 'RestIsWhole';
/** What must hold (Protocol.tla). `liveness`: `EveryImportEnds` and those beside it; TLC does not say which fails. */
export type Property = (typeof INVARIANTS)[number] | (typeof STEP_PROPERTIES)[number] | OfOthers | 'liveness';

/** Imports and records (Instances.tla), and the reverts that each choice has. */
const SHAPES = { A: ['A'], AB: ['A', 'B'], A2B: ['A', 'B'], ABC: ['A', 'B', 'C'] } as const;
const REVERTS = {
  None: [],
  A: ['revert A'],
  AandB: ['revert A', 'revert B'],
  Run: ['revert run'],
  EachOfABC: ['revert A', 'revert B', 'revert C'],
  RunAndA: ['revert run', 'revert A'],
} as const;

export interface Instance {
  readonly name: string;
  readonly title: string;
  readonly shape?: keyof typeof SHAPES;
  readonly reverts?: keyof typeof REVERTS;
  /** `nobody`: someone without an account. */
  readonly erased?: true | 'nobody';
  /** Imports that keep what nobody answers to. */
  readonly archives?: readonly string[];
  /** The imports that a plan makes of its dry runs, with the place of each dry run. */
  readonly plan?: Readonly<Record<string, number>>;
  /** The dry runs of the plan are made when all other imports have ended. */
  readonly isAlone?: true;
  readonly restores?: true;
  /** Name of the possible records in Instances.tla; default: that of the shape. */
  readonly records?: string;
  readonly workers?: number;
  readonly faults?: number;
  /** Default: kills and doubled messages. */
  readonly kinds?: readonly Fault[];
  readonly first?: readonly string[];
  readonly cancellable?: readonly string[];
  readonly abandonable?: readonly string[];
  readonly isLiveness?: true;
  readonly off?: readonly Guard[];
  readonly fails?: Property;
  /** Checked with `--large`; what is `large` takes three minutes or more. */
  readonly size?: 'large' | 'largest';
  /** What is different with `--large`: each has more behaviours than without it. */
  readonly atLarge?: Pick<Instance, 'faults' | 'kinds'>;
}

export const isOn = (value: boolean): string => (value ? 'TRUE' : 'FALSE');
/** The name in Instances.tla of the function that says this. */
const placesOfPlan = (plan: Readonly<Record<string, number>> | undefined): string =>
  plan === undefined ? 'PlacesOfNone' : `Places${Object.entries(plan).flat().join('')}`;
export const setOf = (names: readonly string[]): string => `{${names.map((name) => `"${name}"`).join(', ')}}`;

/** Places of concurrent invocations: model values, because a set holds them beside other values. */
export const placesOf = (count: number): string[] => Array.from({ length: count }, (_, before) => `w${before + 1}`);

/** By default the protocol with every fault. Each value is written as it follows the name. */
function constants(
  places: readonly string[],
  values: Readonly<Record<string, string>>,
  { kinds = FAULTS, off = [] }: Pick<Instance, 'kinds' | 'off'> = {},
): string[] {
  const all = {
    Workers: `= {${places.join(', ')}}`,
    ...Object.fromEntries(places.map((place) => [place, `= ${place}`])),
    ErasedPair: '= "p"',
    AcceptedFirst: '= {}',
    Restores: '= FALSE',
    RemovedAtOnce: '= 2',
    Plans: '= {}',
    PlaceOfDryRun: '<- PlacesOfNone',
    Alone: '= FALSE',
    Archives: '= {}',
    ...values,
    ...Object.fromEntries(FAULTS.map((fault) => [fault, `= ${isOn(kinds.includes(fault))}`])),
    ...Object.fromEntries(GUARDS.map((guard) => [guard, `= ${isOn(!off.includes(guard))}`])),
  };
  return ['CONSTANTS', ...Object.entries(all).map(([name, value]) => `  ${name} ${value}`)];
}

const DEFAULTS = {
  shape: 'AB',
  reverts: 'None',
  erased: false,
  restores: false,
  workers: 2,
  faults: 1,
  kinds: ['Kills', 'Doubles'],
  first: ['A'],
  cancellable: [],
  abandonable: [],
  archives: [],
} as const;

export function configOf(instance: Instance): string {
  const all = { ...DEFAULTS, ...instance };
  const { off = [] } = instance;
  const isLiveness = instance.isLiveness === true;
  return [
    `SPECIFICATION ${isLiveness && !off.includes('fairness') ? 'FairSpec' : 'Spec'}`,
    ...constants(
      placesOf(all.workers),
      {
        Imports: `= ${setOf(SHAPES[all.shape])}`,
        ChunksOf: `<- Chunks${all.shape}`,
        IdOf: `<- Ids${all.shape}`,
        RecordChoices: `<- ${all.records ?? `Records${all.shape}`}`,
        Reverts: `= ${setOf(REVERTS[all.reverts])}`,
        RevertOf: `<- Revert${all.reverts}`,
        RunReverts: `= ${setOf(REVERTS[all.reverts].filter((name) => name === 'revert run'))}`,
        Erasures: `= ${setOf(all.erased ? ['erasure'] : [])}`,
        ErasedPair: `= "${all.erased === 'nobody' ? 'none' : 'p'}"`,
        Archives: `= ${setOf(all.archives)}`,
        AcceptedFirst: `= ${setOf(all.first)}`,
        Cancellable: `= ${setOf(all.cancellable)}`,
        Abandonable: `= ${setOf(all.abandonable)}`,
        Restores: `= ${isOn(all.restores)}`,
        Plans: `= ${setOf(instance.plan === undefined ? [] : ['plan'])}`,
        PlaceOfDryRun: `<- ${placesOfPlan(instance.plan)}`,
        Alone: `= ${isOn(instance.isAlone === true)}`,
        MaxFaults: `= ${all.faults}`,
      },
      { kinds: all.kinds, off },
    ),
    ...propertiesOf(isLiveness, all.workers),
    '',
  ].join('\n');
}

/** Covers.tla alone: complete, and without each of its guards. */
const COVERS_GUARDS = ['FinishChecked', 'CoverChecked'] as const;
type Covers = Pick<Instance, 'name' | 'title' | 'fails' | 'size'> & {
  readonly off?: (typeof COVERS_GUARDS)[number];
  readonly imports?: number;
};
const COVERING = 'requests of a run while it is reverted';
export const COVERS: readonly Covers[] = [
  { name: 'covers', title: COVERING },
  { name: 'covers-5', title: 'the same, five imports', imports: 5, size: 'large' },
  { name: 'covers-not-seen', title: COVERING, off: 'FinishChecked', fails: 'PromisesKept' },
  { name: 'covers-by-ended', title: COVERING, off: 'CoverChecked', fails: 'PromisesKept' },
];

export const coversConfig = ({ off, imports = 3 }: Covers): string =>
  [
    'SPECIFICATION Spec',
    `CONSTANTS MostImports = ${imports} Callers = {c1, c2}`,
    ...COVERS_GUARDS.map((guard) => `CONSTANT ${guard} = ${isOn(guard !== off)}`),
    'INVARIANT PromisesKept',
    '',
  ].join('\n');

/** TLC's symmetry reduction is not sound for liveness, and needs several places. */
function propertiesOf(isLiveness: boolean, workers: number): string[] {
  if (isLiveness) return [`PROPERTIES ${LIVENESS.join(' ')}`];
  return [
    ...(workers > 1 ? ['SYMMETRY Symmetric'] : []),
    `INVARIANTS ${INVARIANTS.join(' ')}`,
    `PROPERTIES ${STEP_PROPERTIES.join(' ')}`,
  ];
}

/** More than any history uses. */
export const TRACE_PLACES = placesOf(12);

/** The configuration of the traces: every guard, any fault; a deadlock is a rejected history. */
const tracesConfig = (planned: Readonly<Record<string, string>>): string =>
  [
    'SPECIFICATION TraceSpec',
    ...constants(TRACE_PLACES, {
      Imports: '= {"A", "B", "C"}',
      ChunksOf: '<- TraceChunks',
      IdOf: '<- TraceIds',
      RecordChoices: '<- TraceRecords',
      Reverts: '<- TraceRevertNames',
      RevertOf: '<- TraceReverts',
      RemovedAtOnce: '= 4',
      RunReverts: '<- TraceRunReverts',
      Erasures: '= {"erasure"}',
      Cancellable: '= {"A", "B", "C", "plan"}',
      Abandonable: '= {"A", "B", "C"}',
      MaxFaults: '= 10000',
      ...planned,
    }),
    '',
  ].join('\n');

/** Of histories in which a plan makes these imports, if any. */
export const tracesConfigOf = (planned: string): string =>
  tracesConfig(planned === '' ? {} : { Plans: '= {"plan"}', PlaceOfDryRun: `<- TracePlaces${planned}` });
