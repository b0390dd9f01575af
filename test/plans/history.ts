/** A company whose imports, mappings, courses and people change at random between the dry runs of a plan and its application. */
import { chunkMessages } from '../../functions/imports/lifecycle.ts';
import { commitPlanned, stagePlanned } from '../../functions/plans/accept-planned.ts';
import { newPlanId } from '../../functions/plans/plan-item.ts';
import { instant } from '../../functions/records/instants.ts';
import type { Course, RecordResult, User } from '../../functions/shared/model.ts';
import { importWorld, type ImportWorld } from '../imports/world.ts';
import { Dice } from '../kit/dice.ts';
import { planted } from '../kit/planted.ts';
import { textOfProgress } from '../reference/effective.ts';
import { appliedBatch, pairIn, plannedBatch, type PlannedBatch } from '../reference/plan.ts';
import { counting, referenceBatch, saysTheSame, type ReferenceResult } from '../reference/record.ts';
import { expectedText, storedText } from '../reference/shown.ts';
import { pairOf, type KnownRecord, type PairState } from '../reference/world.ts';
import type { ReferenceCourse, ReferenceUser } from '../reference/world.ts';

const COMPANY = 'acme';
const IDS = ['r1', 'r2', 'r3', 'r4'];
const COURSE_IDS = [101, 102];
const CLASSES = [1, 2, 3];

/** An import that stands: of each record that succeeded, what it wrote or would have written. */
interface Accepted {
  readonly import_id: string;
  readonly replaces: boolean;
  readonly entries: readonly (Pick<KnownRecord, 'external_record_id' | 'said' | 'source'> & {
    readonly pair: string;
  })[];
}

export class History {
  readonly disagreements: object[] = [];
  /** Of every record of a plan: its outcome, or its first code. */
  readonly codes: string[] = [];
  readonly #dice: Dice;
  #world!: ImportWorld;
  #users: readonly ReferenceUser[] = ['ann', 'ben', 'cid', 'dan'].map((name, at) => ({
    user_id: 7 + at,
    email: `${name}@acme.test`,
    active: true,
  }));
  #courses: readonly ReferenceCourse[] = [];
  /** An external id names a user whose address never changes. */
  readonly #userMappings = new Map([
    ['e1', 7],
    ['e2', 8],
  ]);
  readonly #courseMappings = new Map([['c1', 101]]);
  #standing: readonly Accepted[] = [];
  #made = 0;

  constructor(seed: number) {
    this.#dice = new Dice(seed, 11);
  }

  async play(): Promise<void> {
    const dice = this.#dice;
    this.#world = await importWorld();
    await planted(this.#world.stores.platform).putUsers(this.#users.map(userOf));
    for (const id of COURSE_IDS) await this.#changeCourse(id);
    await this.#putMappings();
    await this.#times(dice.below(3), () => this.#import());
    const replace = dice.oneIn(2);
    const batches: (PlannedBatch & { readonly import_id: string })[] = [];
    await this.#times(dice.between(1, 3), async () => batches.push(await this.#dryRun(replace)));
    await this.#times(dice.below(4), () => this.#change());
    await this.#apply(batches);
    if (!dice.oneIn(4)) return;
    await this.#times(dice.below(3), () => this.#change());
    await this.#apply(batches);
  }

  async #times(count: number, act: () => Promise<unknown>): Promise<void> {
    for (let done = 0; done < count; done += 1) {
      this.#world.clock.now += 60_000;
      await act();
    }
  }

  #change(): Promise<unknown> {
    const dice = this.#dice;
    const changes = [
      () => this.#import(),
      () => this.#import(),
      () => this.#revert(),
      () => this.#revert(),
      () => this.#changeCourse(dice.pick(COURSE_IDS)),
      () => this.#moveMapping(),
      () => this.#swapAddresses(),
      () => this.#changeLicense(),
    ];
    return dice.pick(changes)();
  }

  /** The company as the reference sees it: what stands, in the order of acceptance, as if nothing else had been. */
  get #reference() {
    const pairs = new Map<string, PairState & { records: KnownRecord[] }>();
    const identities = new Map<string, string>();
    for (const { import_id, replaces, entries } of this.#standing) {
      for (const { pair, ...entry } of entries) {
        const state = pairs.get(pair) ?? { native: null, records: [] };
        const own = state.records.filter(({ external_record_id }) => external_record_id === entry.external_record_id);
        pairs.set(pair, state);
        identities.set(entry.external_record_id, pair);
        if (!saysTheSame(entry.said, counting(own), replaces)) state.records.push({ ...entry, import_id, replaces });
      }
    }
    const [users, courses] = [this.#users, this.#courses];
    return {
      users,
      courses,
      userMappings: this.#userMappings,
      courseMappings: this.#courseMappings,
      pairs,
      identities,
    };
  }

  #remember(import_id: string, replaces: boolean, results: readonly ReferenceResult[]): void {
    const entries = results.flatMap((result) => {
      const { external_record_id, said, source } = result;
      if (external_record_id === null || said === undefined || source === undefined) return [];
      return [{ external_record_id, said, source, pair: pairIn(result) }];
    });
    this.#standing = [...this.#standing, { import_id, replaces, entries }];
  }

  #id(kind: string): string {
    this.#made += 1;
    return `0${kind}${this.#made}`.padEnd(26, '0');
  }

  async #import(): Promise<void> {
    const [import_id, replace, records] = [this.#id('real'), this.#dice.oneIn(2), this.#batch()];
    await this.#world.accept(records, { import_id, replace });
    await this.#world.deliver();
    const { created_at } = await this.#world.read(import_id);
    const due = referenceBatch(records, this.#reference, created_at, replace);
    this.#compare(import_id, due, await this.#world.results(import_id));
    this.#remember(import_id, replace, due);
  }

  async #dryRun(replace: boolean): Promise<PlannedBatch & { readonly import_id: string }> {
    const [import_id, records] = [this.#id('dry'), this.#batch()];
    await this.#world.accept(records, { import_id, replace, dry_run: true, run_id: 'run' });
    const { created_at } = await this.#world.read(import_id);
    const batch = plannedBatch(records, this.#reference, created_at, replace);
    this.#compare(import_id, batch.planned, await this.#world.results(import_id));
    return { ...batch, import_id };
  }

  async #apply(batches: readonly (PlannedBatch & { readonly import_id: string })[]): Promise<void> {
    const plan = { plan_id: newPlanId(this.#dice), applied_by: 1 };
    const isOther = ({ import_id }: KnownRecord): boolean => !import_id.startsWith(plan.plan_id);
    for (const [place, batch] of batches.entries()) {
      const planned = { plan, place, dryRun: await this.#world.read(batch.import_id) };
      this.#world.clock.now += 1;
      const staged = (await stagePlanned(planned, this.#world.stores, this.#world.clock.now)) ?? [];
      const created_at = instant(this.#world.clock.now);
      const item = await commitPlanned(planned, staged, { created_at }, this.#world.stores);
      this.#world.sent.push(...chunkMessages(item));
      await this.#world.deliver();
      const results = await this.#world.results(item.import_id);
      const due = appliedBatch(batch, this.#reference, created_at, isOther);
      this.#compare(item.import_id, due, results);
      this.#remember(item.import_id, batch.replace, due);
      this.codes.push(...results.map(({ outcome, errors }) => errors[0]?.error_code ?? String(outcome)));
    }
    await this.#compareStored();
  }

  async #revert(): Promise<void> {
    const chosen = this.#standing[this.#dice.below(this.#standing.length)];
    if (chosen === undefined) return;
    await this.#world.revert(chosen.import_id);
    this.#standing = this.#standing.filter((each) => each !== chosen);
  }

  async #changeCourse(id: number): Promise<void> {
    const dice = this.#dice;
    const classes = CLASSES.filter(() => dice.chance(0.6));
    const course = { platform_course_id: id, has_exam: dice.oneIn(2), classes };
    this.#courses = [...this.#courses.filter(({ platform_course_id }) => platform_course_id !== id), course];
    await planted(this.#world.stores.platform).putCourses(COMPANY, [courseOf(course)]);
  }

  async #moveMapping(): Promise<void> {
    if (this.#dice.oneIn(2)) this.#userMappings.set(this.#dice.pick(['e1', 'e2']), this.#dice.pick([7, 8]));
    else this.#courseMappings.set('c1', this.#dice.pick(COURSE_IDS));
    await this.#putMappings();
  }

  async #putMappings(): Promise<void> {
    const updated_at = instant(this.#world.clock.now);
    const { mappings } = this.#world.stores;
    const emailOf = (id: number) => this.#users.find(({ user_id }) => user_id === id)?.email ?? '';
    const ofUsers = [...this.#userMappings].map(([external_user_id, user_id]) => ({
      external_user_id,
      user_id,
      email: emailOf(user_id),
      updated_at,
    }));
    await mappings.putUserMappings(COMPANY, ofUsers);
    const ofCourses = [...this.#courseMappings].map(([external_course_id, platform_course_id]) => ({
      external_course_id,
      platform_course_id,
      updated_at,
    }));
    await mappings.putCourseMappings(COMPANY, ofCourses);
  }

  /** Cid and Dan, whom no external id names. */
  async #swapAddresses(): Promise<void> {
    const [ann, ben, cid, dan] = this.#users as [ReferenceUser, ReferenceUser, ReferenceUser, ReferenceUser];
    const platform = planted(this.#world.stores.platform);
    const between = { ...cid, email: 'between@acme.test' };
    const swapped = [
      { ...cid, email: dan.email },
      { ...dan, email: cid.email },
    ] as const;
    await platform.replaceUser(userOf(cid), userOf(between));
    await platform.replaceUser(userOf(dan), userOf(swapped[1]));
    await platform.replaceUser(userOf(between), userOf(swapped[0]));
    this.#users = [ann, ben, ...swapped];
  }

  async #changeLicense(): Promise<void> {
    const chosen = this.#dice.pick(this.#users);
    const user = { ...chosen, active: !chosen.active };
    this.#users = this.#users.map((each) => (each === chosen ? user : each));
    await planted(this.#world.stores.platform).putUsers([userOf(user)]);
  }

  #batch(): readonly unknown[] {
    return Array.from({ length: this.#dice.between(1, 3) }, () => this.#record());
  }

  #record(): unknown {
    const dice = this.#dice;
    const date = () => dice.pick(['2024-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z', null]);
    const classes = CLASSES.filter(() => dice.oneIn(2)).map((platform_class_id) => ({
      platform_class_id,
      ...(dice.oneIn(2) && { viewed_at: date() }),
    }));
    return {
      external_record_id: dice.pick(IDS),
      user: dice.pick([
        { email: dice.pick(['ann', 'ben', 'cid', 'cid', 'dan', 'nobody'].map((name) => `${name}@acme.test`)) },
        { external_user_id: dice.pick(['e1', 'e2']) },
      ]),
      content: { type: 'course', ...dice.pick([{ platform_course_id: 101 }, { external_course_id: 'c1' }]) },
      progress: {
        ...dice.pick([{ completion_pct: dice.pick([40, 100]) }, { classes }]),
        ...(dice.oneIn(3) && { completed_at: date() }),
      },
      ...(dice.oneIn(4) && { assessment: { status: dice.pick(['passed', 'failed']), taken_at: date() } }),
    };
  }

  #compare(import_id: string, due: readonly ReferenceResult[], results: readonly RecordResult[]): void {
    for (const [at, expected] of due.entries()) {
      const { outcome = null, errors = [], progress = null } = results[at] ?? {};
      const is = errors.map(({ error_code }) => error_code).join() || `${outcome} ${textOfProgress(progress)}`;
      const codes = expected.codes.map(({ error_code }) => error_code).join();
      const should = codes || `${expected.outcome} ${textOfProgress(expected.progress)}`;
      if (is !== should) this.disagreements.push({ import_id, at, is, should });
    }
  }

  /** The versions and the progress of every learner in every course. */
  async #compareStored(): Promise<void> {
    const { pairs } = this.#reference;
    for (const course of this.#courses) {
      const learners = this.#users.map(({ user_id }) => ({ ...course, user_id }));
      const stored = await this.#world.stores.progress.courseHistories(COMPANY, learners);
      for (const history of stored.values()) {
        const state = pairs.get(pairOf(history.user_id, history.platform_course_id));
        const is = storedText(history, courseOf(course));
        const should = expectedText(state ?? { native: null, records: [] }, course);
        if (is !== should) this.disagreements.push({ is, should });
      }
    }
  }
}

const userOf = ({ user_id, email, active }: ReferenceUser): User => ({
  company_id: COMPANY,
  user_id,
  email,
  name: '',
  role: 'customer',
  avatar: '',
  license: active ? 'active' : 'inactive',
});

const courseOf = (course: ReferenceCourse): Course => ({
  ...course,
  title: '',
  classes: course.classes.map((id) => ({ platform_class_id: id, title: '' })),
});
