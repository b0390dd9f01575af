/** The instances that TLC checks: those that must hold, and those without a part of the protocol, which must fail. */
import type { Guard, Instance, Property } from './configuration.ts';

const AB = ['A', 'B'];
const SAME = { shape: 'ABC', first: AB, records: 'RecordsSame' } as const;
const IN_TURN = { ...SAME, reverts: 'EachOfABC', faults: 0, workers: 1, first: ['A', 'B', 'C'] } as const;
const LATE = { reverts: 'A', faults: 0, first: [], records: 'RecordsLate' } as const;
const REPLACED = { shape: 'ABC', faults: 0, records: 'RecordsReplaced' } as const;
/** An erasure meets one import: its faults need no second one. */
const ERASED = { shape: 'A', faults: 0, erased: true } as const;
const BEGINNING = { reverts: 'AandB', faults: 0, first: AB, isLiveness: true } as const;
const LARGE = { size: 'large' } as const;
const B_ENDS_EARLY = { cancellable: ['B'], abandonable: ['B'] } as const;
const REMAPPED = ['Kills', 'Doubles', 'Remaps'] as const;

const holds = (name: string, title: string, more: Partial<Instance>): Instance => ({ name, title, ...more });

const HOLDING: readonly Instance[] = [
  holds('imports', 'two imports; mappings change', { faults: 2, kinds: REMAPPED }),
  holds('revert', 'two imports, revert of A', { reverts: 'A', atLarge: { faults: 2, kinds: REMAPPED } }),
  holds('revert-3-at-once', 'three invocations', { reverts: 'A', faults: 2, workers: 3, ...LARGE }),
  holds('two-chunks', 'A of two chunks, revert of A', { shape: 'A2B', reverts: 'A', atLarge: { faults: 2 } }),
  holds('two-reverts', 'reverts of A and of B', { reverts: 'AandB', atLarge: { faults: 2 } }),
  holds('run-and-import', 'reverts of the run A, B and of A', { reverts: 'RunAndA', atLarge: { faults: 2 } }),
  holds('cancelled', 'revert of A; B is cancelled or abandoned', {
    ...B_ENDS_EARLY,
    reverts: 'A',
    faults: 2,
    ...LARGE,
  }),
  holds('late', 'B, accepted first, is carried out last; revert of A', LATE),
  holds('replaced', 'three imports, of which some replace', { ...REPLACED, atLarge: { faults: 1 } }),
  holds('replaced-reverted', 'the same, in turn; reverts of A and of B', {
    ...REPLACED,
    reverts: 'AandB',
    workers: 1,
    atLarge: { faults: 1 },
  }),
  holds('abandoned', 'A may be abandoned', { faults: 2, abandonable: ['A'] }),
  holds('abandoned-both', 'A and B may be abandoned', { first: AB, abandonable: AB }),
  holds('liveness', 'everything ends: revert of A', {
    reverts: 'A',
    kinds: ['Losses'],
    isLiveness: true,
    atLarge: { kinds: ['Kills', 'Doubles', 'Losses'] },
  }),
  holds('begun', 'what waits is begun without the watchdog', { ...BEGINNING, off: ['Watchdog'], ...LARGE }),
  holds('in-turn', 'three reverts, one invocation at a time', IN_TURN),
  holds('erased-alone', 'one import; its person is erased', { ...ERASED, faults: 1 }),
  holds('erased', 'the person of A is erased', { erased: true, ...LARGE }),
  holds('erased-cancelled', 'the same; A is cancelled', { faults: 0, erased: true, cancellable: ['A'], ...LARGE }),
  holds('erased-abandoned', 'the same; A may be abandoned', { faults: 0, erased: true, abandonable: ['A'], ...LARGE }),
  holds('erased-reverted', 'an erasure; revert of A', { reverts: 'A', erased: true, ...LARGE }),
  holds('restored', 'two imports; the table is restored', { faults: 0, restores: true }),
  holds('restored-reverted', 'a restore; revert of A', { reverts: 'A', faults: 0, restores: true, ...LARGE }),
  holds('three', 'three imports, revert of A', { shape: 'ABC', reverts: 'A', faults: 2, size: 'largest' }),
  holds('three-run', 'three, revert of A, B', { shape: 'ABC', reverts: 'Run', first: AB, ...LARGE }),
  holds('three-run-and-import', 'three, reverts of A, B and of A', { ...SAME, reverts: 'RunAndA', ...LARGE }),
  holds('three-two-reverts', 'three, reverts of A and of B', { ...SAME, reverts: 'AandB', ...LARGE }),
  holds('liveness-erased', 'everything ends: an erasure, lost messages', {
    erased: true,
    kinds: ['Losses'],
    isLiveness: true,
    ...LARGE,
  }),
  holds('liveness-two', 'everything ends: reverts of A, B and of A', {
    reverts: 'RunAndA',
    kinds: ['Losses'],
    first: AB,
    isLiveness: true,
    ...LARGE,
  }),
];

const without = (off: Guard, name: string, fails: Property, more: Partial<Instance>): Instance => ({
  name,
  title: `without ${off}`,
  off: [off],
  fails,
  ...more,
});

const FAILING: readonly Instance[] = [
  without('GateChecked', 'no-gate-check', 'IdsAreRight', { reverts: 'A' }),
  without('CheckedAgain', 'not-checked-again', 'IdsAreRight', {
    reverts: 'A',
    faults: 2,
    cancellable: ['B'],
    ...LARGE,
  }),
  without('RequestCloses', 'late-gate', 'ClosedFromRequest', { reverts: 'A', faults: 0 }),
  without('FirstFence', 'no-first-fence', 'RevertedIsGone', { reverts: 'A' }),
  without('Turns', 'no-turns', 'GateIsOpen', { reverts: 'A' }),
  without('EpochChecked', 'no-epoch', 'IdsAreRight', { reverts: 'A' }),
  without('NotesKept', 'no-notes', 'NothingLost', { reverts: 'A', faults: 0 }),
  without('PlanOnce', 'plan-again', 'ResultsStay', { reverts: 'A' }),
  without('FreedIfOurs', 'free-any', 'IdsAreRight', { reverts: 'A', faults: 0 }),
  without('OpenedIfOurs', 'open-any', 'ClosedFromRequest', { ...SAME, reverts: 'AandB', kinds: ['Doubles'], ...LARGE }),
  without('AbandonedFreed', 'abandoned-bound', 'IdsAreRight', { abandonable: ['A'] }),
  without('MarkedFirst', 'abandoned-free-at-once', 'IdsAreRight', { abandonable: ['A'] }),
  without('WaitsTwice', 'abandoned-waits-once', 'NothingForeign', { faults: 2, abandonable: ['A'], ...LARGE }),
  without('AllSummaries', 'first-summary-ends', 'EndedIsComplete', { shape: 'A2B', reverts: 'A', faults: 0 }),
  without('NotesMoved', 'notes-stay', 'NothingLost', { ...SAME, reverts: 'AandB', faults: 0, ...LARGE }),
  without('GivenOnce', 'given-to-all', 'GivenIsNeeded', { ...SAME, reverts: 'A', faults: 0 }),
  without('HeldEarlier', 'held-later', 'LastWord', { ...SAME, reverts: 'A', faults: 0, first: ['A', 'B', 'C'] }),
  without('EarlierWritten', 'late-relies', 'LastWord', LATE),
  without('OvertakenWritten', 'overtaken', 'LastWord', REPLACED),
  without('ErasureFence', 'no-erasure-fence', 'NothingForeign', ERASED),
  without('HaltsFirst', 'not-halted', 'NothingForeign', { ...ERASED, faults: 1 }),
  without('ErasedTwice', 'erased-once', 'ErasedIsGone', { ...ERASED, cancellable: ['A'] }),
  without('SecondFence', 'no-second-fence', 'ErasedIsGone', { ...ERASED, cancellable: ['A'] }),
  without('ErasureFrees', 'erased-bound', 'IdsAreRight', { ...ERASED, faults: 1 }),
  without('ClosedFirst', 'restored-open', 'NothingForeign', { faults: 0, restores: true }),
  without('InTurn', 'out-of-turn', 'NeverOvertaken', IN_TURN),
  without('WaitersKept', 'nobody-begins', 'liveness', { ...BEGINNING, off: ['WaitersKept', 'Watchdog'] }),
  without('Watchdog', 'no-watchdog', 'liveness', { reverts: 'A', kinds: ['Losses'], isLiveness: true }),
  without('fairness', 'no-fairness', 'liveness', { faults: 0, isLiveness: true }),
];

const PLAN_OF_B = { plan: { B: 1 }, faults: 0 } as const;
const PLAN_OF_A = { shape: 'A', plan: { A: 1 }, faults: 0, first: [] } as const;
const PLAN_OF_BOTH = { plan: { A: 1, B: 2 }, faults: 0, first: [] } as const;
const CANCELLED = { ...PLAN_OF_BOTH, cancellable: ['plan'] } as const;
const PLAN_ALONE = { shape: 'ABC', plan: { B: 1, C: 2 }, faults: 0, workers: 1, records: 'RecordsPlanned' } as const;
const PLAN_REVERTED = { ...PLAN_OF_B, reverts: 'A', records: 'RecordsReplacing' } as const;
const PLAN_ERASED = { ...PLAN_OF_A, erased: true } as const;

const PLANS: readonly Instance[] = [
  holds('plan', 'A, and B of a plan', { ...PLAN_OF_B, atLarge: { faults: 1 } }),
  holds('plan-of-both', 'A and B of a plan', { ...PLAN_OF_BOTH, isAlone: true, atLarge: { faults: 1 } }),
  holds('plan-remapped', 'the same; mappings and courses change', {
    ...PLAN_OF_BOTH,
    faults: 1,
    kinds: ['Remaps', 'Recourses'],
    atLarge: { faults: 2 },
  }),
  holds('plan-replaced', 'A, then B and C of a plan, which replace', { ...PLAN_ALONE, isAlone: true }),
  holds('plan-overruled', 'B of a plan replaces; revert of A', { ...PLAN_REVERTED }),
  holds('plan-unknown', 'A of a plan, planned to be rejected', {
    ...PLAN_OF_A,
    records: 'RecordsUnknown',
    faults: 1,
    kinds: ['Remaps'],
  }),
  holds('plan-cancelled', 'A and B of a plan, which is cancelled', { ...CANCELLED, ...LARGE }),
  holds('plan-erased', 'A of a plan; its person is erased', PLAN_ERASED),
  holds('plan-liveness', 'everything ends: a plan that may be cancelled', {
    ...PLAN_OF_A,
    cancellable: ['plan'],
    kinds: ['Losses'],
    faults: 1,
    isLiveness: true,
  }),
  without('PlanCompared', 'plan-not-compared', 'OnlyAsPlanned', {
    ...PLAN_OF_A,
    faults: 1,
    kinds: ['Remaps', 'Recourses'],
  }),
  without('OverCompared', 'plan-overrules', 'NothingOverruled', PLAN_REVERTED),
  without('PlanAside', 'plan-not-aside', 'PlanIsApplicable', { ...PLAN_ALONE, isAlone: true }),
  without('OutcomeFree', 'plan-outcome', 'PlanIsApplicable', { ...PLAN_OF_BOTH, isAlone: true }),
  without('RejectedKept', 'plan-rejected-again', 'RejectedStays', {
    ...PLAN_OF_A,
    records: 'RecordsUnknown',
    faults: 1,
    kinds: ['Remaps'],
  }),
  without('IdsOfPlaces', 'plan-random-ids', 'EachOnce', {
    ...PLAN_OF_BOTH,
    plan: { A: 1, B: 1 },
    faults: 1,
    kinds: ['Kills'],
  }),
  without('CommitsInTurn', 'plan-side-by-side', 'InOrder', PLAN_OF_BOTH),
  without('StagedAgain', 'plan-staged-once', 'ErasedIsGone', { ...PLAN_ERASED, faults: 1, kinds: ['Kills'] }),
  without('DriverWaits', 'plan-passes', 'ErasedIsGone', PLAN_ERASED),
  without('ListedLate', 'plan-listed-early', 'ErasedIsGone', PLAN_ERASED),
  without('LastCancels', 'plan-not-cancelled', 'CancelStops', CANCELLED),
  without('LooksAhead', 'plan-looks-back', 'CancelStops', CANCELLED),
  without('Turns', 'plan-no-turns', 'CancelStops', { ...CANCELLED, faults: 1 }),
  without('EndsLast', 'plan-ends-early', 'RunEndsOnce', PLAN_OF_A),
  without('Watchdog', 'plan-no-watchdog', 'liveness', { ...PLAN_OF_A, faults: 1, kinds: ['Losses'], isLiveness: true }),
];

const ARCHIVED = { shape: 'A', records: 'RecordsUnknown', archives: ['A'] } as const;
const ARCHIVED_REVERTED = { ...ARCHIVED, reverts: 'A' } as const;
const ARCHIVED_ERASED = { ...ARCHIVED, erased: 'nobody' } as const;

const ARCHIVE: readonly Instance[] = [
  holds('archived', 'A archives; revert of A', { ...ARCHIVED_REVERTED, atLarge: { faults: 2 } }),
  holds('archived-cancelled', 'the same; A may be cancelled or abandoned', {
    ...ARCHIVED_REVERTED,
    cancellable: ['A'],
    abandonable: ['A'],
  }),
  holds('archived-erased', 'A archives; its person has no account and is erased', ARCHIVED_ERASED),
  holds('archived-both', 'the same; revert of A', { ...ARCHIVED_ERASED, reverts: 'A', atLarge: { faults: 2 } }),
  holds('archived-abandoned', 'A may be abandoned; its person is erased', {
    ...ARCHIVED_ERASED,
    abandonable: ['A'],
  }),
  holds('archived-plan', 'A of a plan archives; its person is erased', {
    ...PLAN_ERASED,
    ...ARCHIVED_ERASED,
    faults: 0,
  }),
  without('ArchiveWaits', 'archive-passes', 'ErasedIsGone', ARCHIVED_ERASED),
  without('ArchivedFirst', 'archived-last', 'ArchiveIsRight', ARCHIVED_REVERTED),
  without('ArchiveRemoved', 'archive-stays', 'RevertedIsGone', { ...ARCHIVED_REVERTED, faults: 0 }),
  without('ArchiveErased', 'archive-not-erased', 'ErasedIsGone', { ...ARCHIVED_ERASED, faults: 0 }),
  without('SecondFence', 'archive-no-second-fence', 'ErasedIsGone', { ...ARCHIVED_ERASED, abandonable: ['A'] }),
  without('ErasedTwice', 'archive-erased-once', 'ErasedIsGone', { ...ARCHIVED_ERASED, abandonable: ['A'] }),
];

export const INSTANCES: readonly Instance[] = [...HOLDING, ...FAILING, ...PLANS, ...ARCHIVE];
