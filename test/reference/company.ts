/** A company in memory behind the real handlers, and the same company for the reference. */
import * as polling from '../../functions/handlers/get-import.ts';
import * as accepting from '../../functions/handlers/start-import.ts';
import { processChunks } from '../../functions/handlers/process-chunk.ts';
import { effectiveProgress } from '../../functions/records/merge.ts';
import type { Course, CourseHistory, Progress, RecordResult } from '../../functions/shared/model.ts';
import { CONTEXT, operationRequest, withBody } from '../kit/api-event.ts';
import { limitChunks } from '../kit/chunk-limits.ts';
import { Dice } from '../kit/dice.ts';
import { delivery } from '../kit/sqs-event.ts';
import { createWorld, type World } from '../kit/world.ts';
import { COURSE_MAPPINGS, COURSES, USER_MAPPINGS, USERS } from './random-records.ts';
import { sourceOf } from './effective.ts';
import { progressWith } from './shape.ts';
import type { PairState, ReferenceCourse, ReferenceWorld } from './world.ts';
import { planted } from '../kit/planted.ts';

const COMPANY = 'acme';
const PAIRS = USERS.flatMap(({ user_id }) =>
  COURSES.map(({ platform_course_id }) => ({ user_id, platform_course_id })),
);
const EPOCH = '2026-01-01T00:00:00.000Z';

const startImport = accepting.handler.operation;
const getImport = polling.handler.operation;

interface NativeRow {
  readonly user_id: number;
  readonly platform_course_id: number;
  readonly progress: Progress;
}

export class ReferenceCompany {
  readonly #dice: Dice;
  readonly #world: World;
  readonly #services: World['services'];

  constructor(seed: number) {
    this.#dice = new Dice(seed, 5);
    this.#world = createWorld({ random: this.#dice });
    this.#world.clock.now = Date.UTC(2026, 5, 1);
    this.#services = this.#world.services;
  }

  async create(native: readonly NativeRow[]): Promise<void> {
    const { platform, mappings } = this.#services.stores;
    await planted(platform).putUsers(
      USERS.map(({ user_id, email, active }) => ({
        company_id: COMPANY,
        user_id,
        email,
        name: '',
        role: 'customer' as const,
        avatar: '',
        license: active ? ('active' as const) : ('inactive' as const),
      })),
    );
    await planted(platform).putCourses(COMPANY, COURSES.map(courseOf));
    await mappings.putUserMappings(
      COMPANY,
      [...USER_MAPPINGS].map(([external_user_id, user_id]) => ({
        external_user_id,
        user_id,
        email: USERS[user_id - 1]?.email ?? '',
        updated_at: EPOCH,
      })),
    );
    await mappings.putCourseMappings(
      COMPANY,
      [...COURSE_MAPPINGS].map(([external_course_id, platform_course_id]) => ({
        external_course_id,
        platform_course_id,
        updated_at: EPOCH,
      })),
    );
    await planted(platform).putNativeProgress(native.map((row) => ({ company_id: COMPANY, ...row })));
  }

  /** Sends an import and carries it out; chunks are delivered in any order, some of them twice. */
  async import(
    records: readonly unknown[],
    dry_run: boolean,
    { replace = false, archive = false } = {},
  ): Promise<{ created_at: string; results: RecordResult[]; kept: unknown[][] }> {
    const attemptId = this.#dice.hex(8);
    // Small imports have several chunks too.
    limitChunks(records.length < 10 ? 3 : undefined);
    const posted = operationRequest({ attemptId, ...withBody({ dry_run, replace, archive, records }) });
    const { import_id } = (await startImport(posted, this.#services)).body as { import_id: string };
    await this.#deliver();
    const item = await this.#services.stores.imports.read({ company_id: COMPANY, import_id });
    const polled = operationRequest({ import: item });
    const response = await getImport(polled, this.#services);
    const { records: results, created_at } = response.body as { records: RecordResult[]; created_at: string };
    const chunks = [...(item?.chunks.keys() ?? [])].map((chunk) => ({ import_id, chunk }));
    const archived = await this.#services.stores.archive.readArchived(COMPANY, chunks);
    return { created_at, results, kept: archived.flatMap((each) => Object.entries(each?.archived ?? {})) };
  }

  /** The effective progress of every pair. */
  async progress(): Promise<string> {
    const stored = await this.#services.stores.progress.courseHistories(COMPANY, PAIRS);
    return JSON.stringify([...stored].map(([pair, history]) => [pair, effectiveIn(history)]));
  }

  /** Moves the clock: later imports have other default dates. */
  later(): void {
    this.#world.clock.now += 60_000;
  }

  async #deliver(): Promise<void> {
    const messages = this.#world.messages.splice(0);
    const twice = this.#dice.shuffled([...messages, ...messages.filter(() => this.#dice.chance(0.3))]);
    for (const message of twice) await processChunks(delivery([message]), CONTEXT, this.#services);
  }
}

/** Results without what §4.12 adds to them. */
export const withoutArchived = (results: readonly RecordResult[]): RecordResult[] =>
  results.map(({ archived: _, ...result }) => result);

/** A dry run's results as the real run returns them. */
export const withoutBefore = (results: readonly RecordResult[]): RecordResult[] =>
  results.map(({ before: _, ...result }) => result);

function courseOf(course: ReferenceCourse): Course {
  return { ...course, title: '', classes: course.classes.map((id) => ({ platform_class_id: id, title: '' })) };
}

function effectiveIn({ platform_course_id, native, contributions }: CourseHistory): Progress | null {
  const course = COURSES.find((each) => each.platform_course_id === platform_course_id);
  return effectiveProgress(native, contributions, course && courseOf(course));
}

export function referenceWorld(
  native: readonly NativeRow[],
): ReferenceWorld & { pairs: Map<string, PairState>; identities: Map<string, string> } {
  const pairs = new Map<string, PairState>(
    native.map(({ user_id, platform_course_id, progress }) => [
      `${user_id}/${platform_course_id}`,
      { native: sourceOf(progress), records: [] },
    ]),
  );
  return {
    users: USERS,
    courses: COURSES,
    userMappings: USER_MAPPINGS,
    courseMappings: COURSE_MAPPINGS,
    pairs,
    identities: new Map(),
  };
}

/** Organic progress of some pairs. */
export function randomNative(dice: Dice): NativeRow[] {
  const date = () => dice.pick([null, '2024-01-15T00:00:00.000Z', '2025-05-05T05:05:05.005Z']);
  const chosen = dice.shuffled(PAIRS).slice(0, dice.below(40));
  return chosen.map((pair) => {
    const classes = COURSES.find((course) => course.platform_course_id === pair.platform_course_id)?.classes ?? [];
    const approved_course = dice.chance(0.3) ? (1 as const) : (0 as const);
    const members = progressWith<unknown>({
      percentage: () => dice.pick([0, 20, 66.67, 100]),
      number: () => dice.pick([null, 0, 1, 2]),
      date,
      classes: () =>
        classes.filter(() => dice.chance(0.3)).map((platform_class_id) => ({ platform_class_id, viewed_at: date() })),
    });
    const certified_at = approved_course === 1 ? date() : null;
    return { ...pair, progress: { ...members, approved_course, certified_at } as Progress };
  });
}
