/**
 * Histories of corrections: replacing and other imports of few records, accepted and processed in any order, some
 * twice or at the same time, with reverts between them. In the end the company must hold what the reference makes of
 * the remaining imports, in the order of acceptance.
 */
import { acceptImport } from '../../functions/imports/accept.ts';
import { processChunk } from '../../functions/imports/process.ts';
import { readResults } from '../../functions/imports/results.ts';
import { dispatch, type Message } from '../../functions/jobs/work.ts';
import { NO_PROGRESS } from '../../functions/records/merge.ts';
import {
  leftOfRun,
  previewImportRevert,
  requestImportRevert,
  requestRunRevert,
} from '../../functions/reverts/request.ts';
import { continueRevert } from '../../functions/reverts/steps.ts';
import type { ImportItem } from '../../functions/shared/model.ts';
import { Dice } from '../kit/dice.ts';
import { createWorld } from '../kit/world.ts';
import { courseOf, createCompany, referenceWorld, type NativeRow } from './company.ts';
import { COURSES, USERS } from './random-records.ts';
import { afterImports, expectedText, storedText } from './shown.ts';
import { pairOf, type ReferenceCourse } from './world.ts';

const COMPANY = 'acme';
const RUN = 'run';
const [LEARNER] = USERS as [(typeof USERS)[number]];
/** With and without an exam. */
const TWO_COURSES = COURSES.filter(({ classes }) => classes.length === 3);
const PAIRS = TWO_COURSES.map(({ platform_course_id }) => ({ user_id: LEARNER.user_id, platform_course_id }));
const RECORDS = ['r-0', 'r-1', 'r-2', 'r-3'];
const START_MS = Date.UTC(2026, 5, 1);

interface Accepted {
  readonly import_id: string;
  readonly replace: boolean;
  readonly records: readonly unknown[];
}

/** Few contents, so that histories alternate between them. */
function randomContent(dice: Dice, id: string): object {
  const course = TWO_COURSES[RECORDS.indexOf(id) % TWO_COURSES.length] as ReferenceCourse;
  const classes = course.classes.slice(0, dice.below(4)).map((platform_class_id) => ({ platform_class_id }));
  const in2031 = '2031-01-01';
  const blocks = dice.pick<object>([
    { progress: { completion_pct: 80, completed_at: null } },
    { progress: { completion_pct: 100 }, assessment: { status: 'passed' } },
    { progress: { completion_pct: 40, started_at: '2024-01-01', last_activity_at: '2024-02-01' } },
    { progress: { completion_pct: 100, completed_at: in2031 }, assessment: { status: 'passed', taken_at: in2031 } },
    { progress: { classes } },
  ]);
  const content = { type: 'course', platform_course_id: course.platform_course_id };
  return { external_record_id: id, user: { email: LEARNER.email }, content, ...blocks };
}

class History {
  readonly #dice: Dice;
  readonly #world = createWorld();
  readonly #native: readonly NativeRow[];
  readonly #accepted: Accepted[] = [];
  readonly wrong: object[] = [];

  constructor(seed: number) {
    this.#dice = new Dice(seed, 11);
    this.#world.clock.now = START_MS;
    const progress = { ...NO_PROGRESS, completion_pct: 20, started_at: '2025-01-01T00:00:00.000Z' };
    this.#native = PAIRS.filter(() => this.#dice.chance(0.3)).map((pair) => ({ ...pair, progress }));
  }

  async run(): Promise<void> {
    await createCompany(this.#world.services.stores, this.#native);
    for (let step = this.#dice.between(4, 14); step > 0; step -= 1) {
      await (this.#dice.chance(0.6) ? this.#accept() : this.#dice.chance(0.6) ? this.#deliver() : this.#revert());
    }
    await this.#settle();
    await this.#compare('in the end');
    if (this.#dice.chance(0.5)) await this.#revertAsPreviewed();
  }

  async #accept(): Promise<void> {
    const { services, clock } = this.#world;
    clock.now += this.#dice.between(1, 90_000);
    const import_id = `${this.#dice.hex(2)}-${this.#accepted.length}`;
    const ids = this.#dice.shuffled(RECORDS).slice(0, this.#dice.between(1, 3));
    const records = ids.map((id) => randomContent(this.#dice, id));
    const replace = this.#dice.chance(0.4);
    this.#accepted.push({ import_id, replace, records });
    const run_id = this.#dice.chance(0.3) ? RUN : null;
    const request = { company_id: COMPANY, import_id, run_id, dry_run: false, replace, records };
    await acceptImport({ ...request, created_by: 1, attempt_id: import_id, fingerprint: import_id }, services);
  }

  /** Delivers some of the messages, in any order, some twice, some at the same time. */
  async #deliver(odds = 0.6): Promise<void> {
    const { messages, revertMessages, clock, services } = this.#world;
    const taken: Message[] = this.#dice.shuffled([...messages.splice(0), ...revertMessages.splice(0)]);
    const now = taken.filter(() => this.#dice.chance(odds));
    await services.queue.send(taken.filter((message) => !now.includes(message)));
    if (now.some(({ delaySeconds = 0 }) => delaySeconds > 0)) clock.now += 31_000;
    const all = [...now, ...now.filter(() => this.#dice.chance(0.2))];
    while (all.length > 0) await Promise.all(all.splice(0, this.#dice.between(1, 3)).map((each) => this.#work(each)));
  }

  #work(message: Message): Promise<unknown> {
    const { services } = this.#world;
    return dispatch<unknown>(message, {
      chunk: (chunk) => processChunk(chunk, services),
      revert: (revert) => continueRevert(revert, services),
      erasure: async () => undefined,
    });
  }

  async #settle(): Promise<void> {
    const { messages, revertMessages } = this.#world;
    for (let round = 0; messages.length + revertMessages.length > 0; round += 1) {
      if (round > 500) throw new Error('The history does not end.');
      await this.#deliver(1);
    }
  }

  async #items(): Promise<ImportItem[]> {
    const { imports } = this.#world.stores;
    const read = this.#accepted.map(({ import_id }) => imports.read(COMPANY, import_id));
    return (await Promise.all(read)).filter((item) => item !== undefined);
  }

  /** Reverts an import that has ended, or the run if all of its imports have. */
  async #revert(): Promise<void> {
    const { services } = this.#world;
    const run = { company_id: COMPANY, run_id: RUN };
    const ofRun = (await leftOfRun(run, services.stores)) ?? [];
    const isRunOver = ofRun.length > 0 && ofRun.every(({ status }) => status !== 'processing');
    const left = (await this.#items()).filter((item) => item.status !== 'processing' && item.reverted_at === null);
    if (isRunOver && this.#dice.chance(0.4)) await requestRunRevert({ kind: 'run', ...run }, ofRun, 1, services);
    else if (left.length > 0) await requestImportRevert(this.#dice.pick(left), 1, services);
  }

  async #revertAsPreviewed(): Promise<void> {
    const { services, stores } = this.#world;
    const left = (await this.#items()).filter(({ reverted_at }) => reverted_at === null);
    if (left.length === 0) return;
    const item = this.#dice.pick(left);
    const { records: preview } = await previewImportRevert(item, 1, services);
    const isShown = (await this.#stored()).includes(` ${item.import_id} `);
    const results = (await readResults(item, services)) ?? [];
    const isApplied = results.some(({ result: { outcome } }) => outcome === 'applied' || outcome === 'updated');
    if (preview.some(({ outcome }) => outcome === 'reverted') !== (isShown || isApplied))
      this.wrong.push({ item, preview });
    await requestImportRevert(item, 1, services);
    await this.#settle();
    const report = (await stores.reverts.readReport(item))?.records;
    if (JSON.stringify(report) !== JSON.stringify(preview)) this.wrong.push({ item, preview, report });
    await this.#compare(`after the revert of ${item.import_id}`);
  }

  async #compare(when: string): Promise<void> {
    const [is, due] = [await this.#stored(), await this.#expected()];
    if (is !== due) this.wrong.push({ when, is, due, imports: this.#accepted });
  }

  async #stored(): Promise<string> {
    const histories = await this.#world.stores.progress.courseHistories(COMPANY, PAIRS);
    return shown((pair, course) => storedText(histories.get(pair) ?? NOTHING, courseOf(course)));
  }

  async #expected(): Promise<string> {
    const left = (await this.#items()).filter(({ reverted_at }) => reverted_at === null);
    const imports = left.map((item) => ({
      records: [],
      ...this.#accepted.find((each) => each.import_id === item.import_id),
      ...item,
    }));
    const pairs = afterImports(referenceWorld(this.#native), imports);
    return shown((pair, course) => expectedText(pairs.get(pair) ?? NOTHING, course));
  }
}

const NOTHING = { native: null, contributions: [], records: [] };

const shown = (textOf: (pair: string, course: ReferenceCourse) => string): string =>
  TWO_COURSES.map((course) => textOf(pairOf(LEARNER.user_id, course.platform_course_id), course)).join('\n');

export async function wrongInCorrections(seed: number): Promise<object[]> {
  const history = new History(seed);
  await history.run();
  return history.wrong;
}
