/** Laws of the join on random triples, and the reference's effective progress beside the service's. */
import { effectiveProgress, joinStates, stateOf, type ProgressState } from '../../functions/records/merge.ts';
import { versionsOf } from '../../functions/records/versions.ts';
import type { Contribution, Course, DatedField, Progress } from '../../functions/shared/model.ts';
import { contribution } from '../dynamodb/samples.ts';
import { Dice } from '../kit/dice.ts';
import { classesOf, effectiveOf, sourceOf, textOfProgress } from './effective.ts';
import { counting, saysTheSame, sourcesOf } from './record.ts';
import { progressWith } from './shape.ts';
import type { KnownRecord, ReferenceCourse } from './world.ts';

const FIELDS: readonly DatedField[] = ['certified_at', 'started_at', 'last_activity_at', 'completed_at'];
const DAYS = Array.from({ length: 5 }, (_, at) => `2024-01-0${at + 1}T00:00:00.000Z`);

export function brokenTriples(seed: number, triples: number): number {
  const dice = new Dice(seed, 6);
  let broken = 0;
  for (let done = 0; done < triples; done += 1) {
    const three = [randomContribution(dice), randomContribution(dice), randomContribution(dice)] as const;
    const course = randomCourse(dice);
    const again = dice.shuffled([...three, dice.pick(three)]);
    const isSame = shownOf(three, course) === shownOf(again, course);
    if (!lawsHold(three) || !isSame || !agreesWithReference(three, course)) broken += 1;
  }
  return broken;
}

function lawsHold(three: readonly [Contribution, Contribution, Contribution]): boolean {
  const [a, b, c] = three.map(stateOf) as [ProgressState, ProgressState, ProgressState];
  return (
    same(joinStates(joinStates(a, b), c), joinStates(a, joinStates(b, c))) &&
    same(joinStates(a, b), joinStates(b, a)) &&
    same(joinStates(a, a), a) &&
    joinStates(a, b).completion_pct >= Math.max(a.completion_pct, b.completion_pct) &&
    joinStates(a, b).classes.size >= Math.max(a.classes.size, b.classes.size)
  );
}

function same(a: ProgressState, b: ProgressState): boolean {
  return textOf(a) === textOf(b);
}

function textOf({ classes, ...rest }: ProgressState): string {
  return JSON.stringify([rest, [...classes].toSorted(([x], [y]) => x - y)]);
}

/** The progress depends neither on the order nor on the repetition of contributions, whatever they replace. */
const shownOf = (contributions: readonly Contribution[], course: Course | undefined): string =>
  JSON.stringify(effectiveProgress(null, contributions, course));

/** The contributions as if their imports had been processed in the order of acceptance. */
function inOrder(contributions: readonly Contribution[]): KnownRecord[] {
  const place = ({ imported_at, import_id }: Contribution) => `${imported_at} ${import_id}`;
  const known: KnownRecord[] = [];
  for (const each of contributions.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))) {
    const { external_record_id, import_id, content_hash: said, replaces = false } = each;
    const own = counting(known.filter((one) => one.external_record_id === external_record_id));
    if (!saysTheSame(said, own, replaces))
      known.push({ external_record_id, said, import_id, replaces, source: sourceOf(each, each) });
  }
  return known;
}

function agreesWithReference(contributions: readonly Contribution[], course: Course | undefined): boolean {
  const ours = effectiveProgress(null, contributions, course);
  const sources = sourcesOf({ native: null, records: inOrder(contributions) });
  const theirs = effectiveOf(sources, referenceCourse(course));
  const classes = ours?.classes.map(({ platform_class_id, viewed_at }) => [platform_class_id, viewed_at]);
  return (
    textOfProgress(ours) === textOfProgress(theirs) &&
    JSON.stringify(classes) === JSON.stringify([...classesOf(sources)].toSorted(([x], [y]) => x - y))
  );
}

/** Histories of one record of which the versions, or the imports that replaced them, are not those of the definition. */
export function brokenHistories(seed: number, histories: number): number {
  const dice = new Dice(seed, 7);
  const ours = (said: readonly Contribution[]) =>
    versionsOf(said).map(({ contribution: { import_id }, replaced_by }) => [import_id, replaced_by]);
  const theirs = (said: readonly Contribution[]) =>
    inOrder(said).map(({ import_id }, at, all) => [
      import_id,
      all.slice(at + 1).find(({ replaces }) => replaces)?.import_id,
    ]);
  const isBroken = (said: readonly Contribution[]) => JSON.stringify(ours(said)) !== JSON.stringify(theirs(said));
  return Array.from({ length: histories }, () => randomHistory(dice)).filter(isBroken).length;
}

const OF_ONE_RECORD = contribution({ external_record_id: 'r' });

function randomHistory(dice: Dice): Contribution[] {
  const contents = ['a', 'b', 'c', 'd'].slice(dice.below(4));
  return Array.from({ length: dice.below(20) }, (_, at) => ({
    ...OF_ONE_RECORD,
    import_id: `${dice.hex(4)}-${at}`,
    imported_at: dice.pick(DAYS),
    ...(dice.chance(0.3) && { replaces: true as const }),
    content_hash: dice.pick(contents),
  }));
}

/** Some or all of the possible classes, and others; `undefined` for a deleted course. */
function randomCourse(dice: Dice): Course | undefined {
  if (dice.chance(0.1)) return undefined;
  const ids = dice.shuffled([1, 2, 3, 4, 5]).slice(dice.below(6));
  const classes = ids.map((platform_class_id) => ({ platform_class_id, title: '' }));
  return { platform_course_id: 1, title: '', has_exam: dice.chance(0.5), classes };
}

function referenceCourse(course: Course | undefined): ReferenceCourse | undefined {
  return course && { ...course, classes: course.classes.map(({ platform_class_id }) => platform_class_id) };
}

function randomContribution(dice: Dice): Contribution {
  const date = () => (dice.chance(0.2) ? null : dice.pick(DAYS));
  const approved_course = dice.chance(0.4) ? 1 : 0;
  const classes = [1, 2, 3, 4]
    .filter(() => dice.chance(0.5))
    .map((platform_class_id) => ({ platform_class_id, viewed_at: date() }));
  return contribution({
    external_record_id: dice.pick(['r', 'r', 's']),
    import_id: dice.hex(4),
    index: 0,
    imported_at: dice.pick(DAYS),
    ...(dice.chance(0.4) && { replaces: true as const }),
    content_hash: dice.pick(['a', 'b', 'c']),
    ...(progressWith<unknown>({
      percentage: () => dice.pick([0, 33.33, 50, 66.67, 100]),
      number: () => dice.pick([null, 0, 1, 2]),
      date,
      classes: () => classes,
    }) as Progress),
    approved_course,
    certified_at: approved_course === 1 ? date() : null,
    defaulted: FIELDS.filter(() => dice.chance(0.4)),
    defaulted_classes: classes.map(({ platform_class_id }) => platform_class_id).filter(() => dice.chance(0.4)),
  });
}
