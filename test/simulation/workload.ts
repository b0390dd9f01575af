/** What the clients of a simulated company send, and what else happens there; all from a seed. */
import type { Approval } from '../../functions/plans/approval.ts';
import { Dice } from '../kit/dice.ts';
import type { LongHistory } from './earlier-imports.ts';
import { changeCourse, changeLicense, growNatively, mapCourse, mapUser, type WorldChange } from './world.ts';

export interface PlannedImport {
  readonly atMs: number;
  readonly dry_run: boolean;
  readonly key?: string;
  readonly records: readonly unknown[];
  /** Number of calls with the same key at the same moment. */
  readonly racing: number;
  readonly replaysMs: readonly number[];
  /** When somebody cancels it. Only with a key, by which it is found. */
  readonly cancelsMs?: readonly number[];
  readonly run_id?: string;
  readonly replace?: boolean;
  readonly archive?: boolean;
  /** When its revert is requested, repeatedly until it has ended. Only with a key. */
  readonly revertsMs?: readonly number[];
  /** When somebody uses the key for something else. */
  readonly intruderMs?: number;
}

/** `atMs`: the platform sends the fact that erases the person. */
export interface PlannedErasure {
  readonly atMs: number;
  /** When the platform deletes the person, before the erasure. */
  readonly deletedMs?: number;
  /** Earlier facts and mappings of the person that may still be in progress then. */
  readonly beside: readonly (readonly [atMs: number, sent: 'progress' | 'mapping'])[];
}

/** `keys`: its dry runs, in their order. Those that do not exist when it is made are left out. */
export interface PlannedApplication {
  readonly plan_id: string;
  readonly run_id: string;
  readonly keys: readonly string[];
  /** When it is made; it is applied, approved, and followed by a newer one that nobody applies, so long after that. */
  readonly atMs: number;
  readonly appliesMs?: number;
  readonly approves?: { readonly ms: number; readonly user_id: number };
  readonly newerMs?: number;
  readonly cancelsMs?: number;
  /** How long after it was made it expires, unless that is after the end. */
  readonly expiresMs?: number;
}

/** Plans of a run, and what rules about them. */
interface PlannedRun {
  /** Nothing else changes what a record stores. */
  readonly isAlone: boolean;
  readonly applied: readonly PlannedApplication[];
  /** The setting `approval` from each of these moments on; before, it is `none`. */
  readonly settings?: readonly (readonly [fromMs: number, approval: Approval])[];
  /** How many imports an hour has. */
  readonly quota?: number;
  /** When the report of the dry run with this key is gone. */
  readonly gone?: readonly [atMs: number, key: string];
}

export interface Workload {
  readonly imports: readonly PlannedImport[];
  readonly changes: readonly (readonly [atMs: number, change: WorldChange])[];
  readonly chunkRecords: number;
  /** When each run is reverted. With any revert, `Simulation.bounded` holds. */
  readonly runReverts?: readonly (readonly [atMs: number, run_id: string])[];
  /** When each run is read. With any, `Simulation.bounded` holds. */
  readonly reads?: readonly (readonly [atMs: number, run_id: string])[];
  readonly backlogMs: number;
  /** Earlier contributions of `r-1` that fill items of the first pair. */
  readonly history?: LongHistory;
  /** A local restart: everything that runs dies, the queue with it, and all open imports are watched. */
  readonly restartMs?: number;
  readonly messagesAtOnce?: number;
  /** How many deliveries succeed before the queue loses all until `losesUntilMs`; without it, none is lost. */
  readonly delivers?: number;
  readonly losesUntilMs?: number;
  readonly outageMs?: readonly [from: number, until: number];
  /** Each record id belongs to one pair, so that nothing depends on which comes first. */
  readonly settledPairs: boolean;
  /** With it, `Simulation.bounded` holds. */
  readonly erasure?: PlannedErasure;
  /** With it, `Simulation.bounded` holds. */
  readonly plans?: PlannedRun;
}

/** The setting `approval`, so long after the start. */
export const settingAt = ({ plans }: Workload, ms: number): Approval =>
  plans?.settings?.findLast(([fromMs]) => fromMs <= ms)?.[1] ?? 'none';

const EMAILS = ['ann@acme.test', 'ANN@acme.test', 'bob@acme.test'];
const DATES = ['2024-001', '20240201T100000Z', '2024-W09-5T10:00:00+02'];

export function randomWorkload(seed: number): Workload {
  const dice = new Dice(seed, 2);
  const settledPairs = dice.chance(0.5);
  const crowd = dice.chance(0.15) ? dice.pick(['backlog', 'restart', 'lossy', 'outage']) : '';
  const imports = Array.from({ length: dice.pick([1, 1, 2, 2, 3]) }, (_, at) => plannedImport(dice, at, settledPairs));
  return {
    imports,
    changes: settledPairs ? nativeChanges(dice) : [...nativeChanges(dice), ...otherChanges(dice)],
    chunkRecords: dice.pick([1, 2, 3]),
    backlogMs: crowd === 'backlog' ? dice.pick([10, 60, 600]) * 60_000 : 0,
    ...(dice.chance(0.2) && { history: { items: dice.between(1, 4), space: dice.below(400) } }),
    ...(crowd === 'restart' && { restartMs: dice.between(50, 3_000) }),
    ...(crowd === 'outage' && { outageMs: [dice.between(50, 1_000), dice.pick([1, 30, 60]) * 3_600_000] as const }),
    ...(crowd === 'lossy' && { delivers: dice.below(4) }),
    settledPairs,
  };
}

function plannedImport(dice: Dice, at: number, settledPairs: boolean): PlannedImport {
  const planned = {
    atMs: at === 0 ? 0 : dice.pick([0, 20, 200, 1_000, 90_000, 4_000_000]),
    dry_run: dice.chance(0.15),
    records: Array.from({ length: dice.between(1, 6) }, () => randomRecord(dice, settledPairs)),
  };
  return dice.chance(0.7) ? { ...planned, ...keyed(dice, at) } : { ...planned, racing: 1, replaysMs: [] };
}

function keyed(dice: Dice, at: number) {
  return {
    key: dice.chance(0.2) ? 'shared' : `key-${at}`,
    racing: dice.chance(0.3) ? dice.between(2, 3) : 1,
    replaysMs: Array.from({ length: dice.between(0, 2) }, () => dice.pick([10, 300, 5_000, 200_000])),
    ...(dice.chance(0.25) && { cancelsMs: moments(dice, 2) }),
    ...(dice.chance(0.2) && { intruderMs: dice.pick([0, 30, 2_000, 70_000]) }),
  };
}

/** Imports that meet each other, some of them reverted. Beside them only organic progress changes. */
export function revertWorkload(seed: number, most: number): Workload {
  const dice = new Dice(seed, 3);
  const settledPairs = dice.chance(0.4);
  const isRun = dice.chance(0.5);
  const isSpread = dice.chance(0.5);
  const batches = Array.from({ length: dice.between(1, 3) }, () => revertedBatch(dice, settledPairs));
  const correcting = new Dice(seed, 17);
  const hasCorrections = correcting.chance(0.4);
  const imports = Array.from({ length: dice.between(2, most) }, (_, at): PlannedImport => ({
    atMs: isSpread ? at * dice.pick([0, 300, 5_000, 40_000]) : dice.pick([0, 10, 100, 1_000, 30_000, 60_000]),
    dry_run: false,
    key: `key-${at}`,
    racing: 1,
    replaysMs: dice.chance(0.2) ? [dice.pick([300, 60_000, 200_000])] : [],
    records: dice.chance(0.5) ? dice.pick(batches) : revertedBatch(dice, settledPairs),
    ...(hasCorrections && correcting.chance(0.5) && { replace: true }),
    ...(isRun && dice.chance(0.6) && { run_id: 'run' }),
    ...(dice.chance(0.1) && { cancelsMs: moments(dice, 2) }),
    ...(dice.chance(0.4) && {
      revertsMs: Array.from({ length: dice.between(1, 2) }, () => dice.pick([500, 3_000, 20_000, 70_000, 200_000])),
    }),
  }));
  return {
    imports,
    changes: nativeChanges(dice),
    chunkRecords: dice.pick([1, 2, 3]),
    backlogMs: 0,
    ...(isRun && { runReverts: runReverts(seed, dice.pick([5_000, 60_000, 200_000])) }),
    ...(dice.chance(0.1) && { history: { items: 3, space: dice.below(400) } }),
    settledPairs,
  };
}

/** The same, in which some imports archive, among others a leaver of whom nobody knows. */
export function archiving(workload: Workload, seed: number): Workload {
  const dice = new Dice(seed, 65);
  const leaver = (at: number) => ({
    external_record_id: `gone-${at}`,
    user: { email: dice.pick(['gone@acme.test', 'GONE@acme.test', 'left@acme.test']), external_user_id: `gone-${at}` },
    content: { type: 'course', platform_course_id: dice.pick([101, 999]) },
    progress: { completion_pct: 50 },
  });
  const imports = workload.imports.map((sent, at) =>
    dice.chance(0.5) ? { ...sent, archive: true, records: [...sent.records, leaver(at)] } : sent,
  );
  return { ...workload, imports };
}

/** Some come a second time: while the first one waits, works, opens the gate, or has ended. */
function runReverts(seed: number, atMs: number): NonNullable<Workload['runReverts']> {
  const dice = new Dice(seed, 16);
  const again = dice.chance(0.5) ? [atMs + dice.pick([0, 2_000, 26_000, 40_000, 90_000])] : [];
  return [atMs, ...again].map((ms) => [ms, 'run'] as const);
}

/** Imports that name learners by external ids, which are linked to others shortly before or meanwhile. */
export function mappedWorkload(seed: number): Workload {
  const dice = new Dice(seed, 4);
  const imports = Array.from({ length: dice.between(1, 3) }, (_, at) => ({
    ...once,
    atMs: dice.pick([0, 100, 15_000, 70_000, 200_000]),
    records: ['9001', '9002'].map((external_user_id) => ({
      ...record(`r-${at}-${external_user_id}`, '', 50),
      user: { external_user_id },
    })),
  }));
  const changes = imports.flatMap(({ atMs }) =>
    Array.from({ length: dice.between(0, 2) }, (): Workload['changes'][number] => [
      Math.max(0, atMs + dice.pick([-40_000, -10_000, -1_000, -1, 50, 300])),
      mapUser(dice.pick(['9001', '9002']), dice.between(1, 2)),
    ]),
  );
  return { imports, changes, chunkRecords: dice.pick([1, 2]), backlogMs: 0, settledPairs: false };
}

/** Few ids and contents, so that records meet earlier ones of the same content, of another, and of another pair. */
function revertedBatch(dice: Dice, settledPairs: boolean): unknown[] {
  return Array.from({ length: dice.between(1, 4) }, () => {
    const id = dice.between(1, 4);
    const pair = settledPairs ? id : dice.pick([1, 1, 1, 2, 3]);
    return {
      external_record_id: `r-${id}`,
      user: { email: pair % 2 === 1 ? 'ann@acme.test' : 'bob@acme.test' },
      content: { type: 'course', platform_course_id: pair <= 2 ? 101 : 102 },
      progress: {
        completion_pct: dice.pick([50, 50, 80]),
        ...(dice.chance(0.3) && { started_at: '2024-001' }),
      },
    };
  });
}

/** A record on one of four pairs, sometimes with an error. */
export function randomRecord(dice: Dice, settledPairs: boolean): unknown {
  const id = dice.between(1, 5);
  const pair = settledPairs ? id : dice.between(1, 4);
  const flawed = dice.chance(0.12);
  return {
    external_record_id: dice.chance(0.03) ? 7 : `r-${id}`,
    user: flawed && dice.chance(0.5) ? { email: 'gone@acme.test' } : randomUser(dice, pair),
    content: randomCourse(dice, pair, settledPairs),
    ...(dice.chance(0.9) && { progress: randomProgress(dice, flawed) }),
    ...(dice.chance(0.4) && { assessment: randomAssessment(dice) }),
  };
}

function randomUser(dice: Dice, pair: number): unknown {
  const isAnn = pair % 2 === 1;
  if (dice.chance(0.25)) return { external_user_id: isAnn ? 9001 : '9002' };
  return { email: isAnn ? dice.pick(EMAILS.slice(0, 2)) : EMAILS[2] };
}

function randomCourse(dice: Dice, pair: number, settledPairs: boolean): unknown {
  const course = pair <= 2 ? 101 : 102;
  if (!settledPairs && dice.chance(0.05)) return { type: 'course', platform_course_id: 999 };
  return dice.chance(0.25)
    ? { type: 'course', external_course_id: `x-${course}` }
    : { type: 'course', platform_course_id: course, ...(dice.chance(0.3) && { external_ref: `ref ${dice.below(3)}` }) };
}

function randomProgress(dice: Dice, flawed: boolean): unknown {
  const classes = [1001, 1002, 1003, 2001, 2002].filter(() => dice.chance(0.4));
  return {
    ...(dice.chance(0.7) && { completion_pct: flawed ? 101 : dice.pick([0, 10, 33.33, 50, 80, 100]) }),
    ...(dice.chance(0.5) && {
      classes: classes.map((platform_class_id) => ({
        platform_class_id,
        ...(dice.chance(0.6) && { viewed_at: dice.pick(DATES) }),
      })),
    }),
    ...(dice.chance(0.4) && { started_at: dice.pick(DATES) }),
    ...(dice.chance(0.4) && { last_activity_at: dice.pick(DATES) }),
    ...(dice.chance(0.3) && { completed_at: dice.pick([...DATES, null]) }),
  };
}

function randomAssessment(dice: Dice): unknown {
  return {
    status: dice.pick(['passed', 'failed', 'not_taken']),
    ...(dice.chance(0.5) && { taken_at: dice.pick(DATES) }),
  };
}

type Changes = (readonly [number, WorldChange])[];

function moments(dice: Dice, most: number): number[] {
  return Array.from({ length: dice.between(0, most) }, () =>
    dice.pick([0, 50, 120, 200, 300, 500, 1_000, 60_000, 130_000]),
  );
}

function nativeChanges(dice: Dice): Changes {
  return moments(dice, 2).map((atMs) => {
    const [user_id, course, pct] = [dice.between(1, 2), dice.pick([101, 102]), dice.pick([5, 45, 90])];
    return [atMs, growNatively(user_id, course, pct, dice.chance(0.5) ? [dice.pick([1001, 1002, 2001])] : [])];
  });
}

function otherChanges(dice: Dice): Changes {
  return moments(dice, 2).map((atMs) => {
    const choices = [
      changeLicense(dice.between(1, 2), dice.pick(['active', 'inactive'])),
      mapUser(dice.pick(['9001', '9002']), dice.between(1, 2)),
      mapCourse(dice.pick(['x-101', 'x-102']), dice.pick([101, 102])),
      changeCourse(dice.pick([101, 102]), dice.chance(0.5), dice.between(1, 4)),
    ];
    return [atMs, dice.pick(choices)];
  });
}

const record = (id: string, email: string, completion_pct: number) => ({
  external_record_id: id,
  user: { email },
  content: { type: 'course', platform_course_id: 101 },
  progress: { completion_pct, classes: [{ platform_class_id: 1001 }] },
});

const once = { dry_run: false, racing: 1, replaysMs: [] };
const ann = (pct: number) => record('r-1', 'ann@acme.test', pct);
const bob = (pct: number) => record('r-2', 'bob@acme.test', pct);

type Tiny = Pick<Workload, 'imports' | 'settledPairs' | 'delivers' | 'history'>;

const sending = (atMs: number, records: readonly unknown[], more: Partial<PlannedImport> = {}): PlannedImport => ({
  ...once,
  atMs,
  records,
  ...more,
});

const SHAPES: readonly Tiny[] = [
  { settledPairs: true, imports: [sending(0, [ann(50)], { key: 'key' })] },
  // The same record twice at once, with other content.
  { settledPairs: true, imports: [sending(0, [ann(50)]), sending(40, [ann(80)])] },
  // Two imports claim one id for different learners.
  { settledPairs: false, imports: [sending(0, [ann(50)]), sending(10, [record('r-1', 'bob@acme.test', 80)])] },
  { settledPairs: true, imports: [sending(0, [ann(50)], { dry_run: true, key: 'key', racing: 2 })] },
  // Cancelled twice, while its two chunks are processed.
  {
    settledPairs: true,
    imports: [sending(0, [ann(50), bob(80), ann(60)], { key: 'key', cancelsMs: [120, 200] })],
  },
  // The queue loses all deliveries, or all but one: what the watchdog closes, and who wakes after it.
  { settledPairs: true, delivers: 0, imports: [sending(0, [ann(50)])] },
  { settledPairs: true, delivers: 1, imports: [sending(0, [ann(50), bob(80)])] },
  // Two imports race for a new item beside one that is full.
  { settledPairs: true, history: { items: 1, space: 100 }, imports: [sending(0, [ann(50)]), sending(10, [ann(80)])] },
];

export const FULL_ITEM = SHAPES.length - 1;

export const TINY_SHAPES = SHAPES.length;
/** The two with the fewest steps. */
export const TINIEST = [0, 3] as const;

export function tinyWorkload(seed: number): Workload {
  const shape = SHAPES[seed % SHAPES.length] as Tiny;
  return { ...shape, changes: [], chunkRecords: 2, backlogMs: 0 };
}

/** Its client has no key, so nobody sends it again. */
export const loneImport: Workload = { ...tinyWorkload(0), imports: [sending(0, [ann(50)])] };
