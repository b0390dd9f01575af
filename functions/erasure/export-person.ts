/** All that the stack holds of a person, page by page (§13.2). Nothing is stored of an export: its cursor says where it is. */
import * as v from 'valibot';
import { chunksOf, namesInImport, type StoredChunk } from './erase-import.ts';
import { mappingsOf, namesOfMappings, ownNames, personNamed, union, type Names } from './names.ts';
import type { SessionStore } from '../auth/access-store.ts';
import type { DirectoryStore } from '../catalog/directory-store.ts';
import type { MappingStore } from '../catalog/mapping-store.ts';
import type { ArchiveReader } from '../imports/archive.ts';
import type { ImportStore } from '../imports/import-store.ts';
import type { ProgressReader } from '../imports/progress-store.ts';
import { externalRecordIdOf } from '../records/identifiers.ts';
import { jsonBytes } from '../records/json.ts';
import { aboutPerson, type IsAbout } from '../records/person.ts';
import { errorResult, overridden } from '../records/result.ts';
import { pendingIn } from '../records/staged.ts';
import { courseOfLearner } from '../records/transcript.ts';
import type { RevertStore } from '../reverts/store.ts';
import type { Clock } from '../runtime/system.ts';
import { MAX_RESPONSE_BYTES } from '../shared/limits.ts';
import type { ImportItem, RecordResult, User } from '../shared/model.ts';

export interface ExportServices {
  readonly clock: Clock;
  readonly stores: {
    readonly directory: Pick<DirectoryStore, 'users' | 'courses'>;
    readonly mappings: Pick<MappingStore, 'listUserMappings' | 'userMappings'>;
    readonly sessions: Pick<SessionStore, 'listOf' | 'identityOf'>;
    readonly progress: Pick<ProgressReader, 'historiesOf'>;
    readonly imports: Pick<ImportStore, 'walk' | 'readAll' | 'readPlans' | 'readPayloads' | 'readNameless'>;
    readonly archive: Pick<ArchiveReader, 'readStored'>;
    readonly reverts: Pick<RevertStore, 'readReport'>;
  };
}

/** Whose data: `user` is absent where the user was deleted. `names`: those that the stack may not know, too. */
export interface Exported {
  readonly company_id: string;
  readonly user_id: number;
  readonly user?: User | undefined;
  readonly names: Names;
}

/** A page begins no step after this time, of a minute that the function has. */
const WORKING_MS = 20_000;
const COURSES_IN_A_STEP = 20;
const IMPORTS_IN_A_STEP = 24;

const texts = v.pipe(v.array(v.string()), v.readonly());
const place = v.object({ created_at: v.string(), import_id: v.string() });
const names = v.object({ emails: texts, external_ids: texts });
/** `naming` looks through all imports for further names of the person, then `records` for the records. */
const cursor = v.variant('part', [
  v.object({ part: v.literal('progress'), names, course: v.number(), shown: v.optional(v.number()) }),
  v.object({ part: v.literal('naming'), names, after: v.optional(place) }),
  v.object({ part: v.literal('records'), names, after: v.optional(place), shown: v.number() }),
]);
type Position = v.InferOutput<typeof cursor>;

export type ExportCursor = Position;

/** Reads the cursor of an earlier page; `undefined` if it is none. */
export function exportCursor(text: unknown): ExportCursor | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const parsed = v.safeParse(cursor, JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (position: Position): string => Buffer.from(JSON.stringify(position)).toString('base64url');

type Course = ReturnType<typeof courseOfLearner>;
type ExportedRecord = ReturnType<typeof recordsIn>[number];

interface Page {
  profile?: ReturnType<typeof profileOf> | null;
  former_emails?: readonly string[];
  sessions?: object[];
  identity?: object | null;
  mappings?: object[];
  readonly courses: Course[];
  readonly imports: {
    readonly import_id: string;
    readonly created_at: string;
    readonly sent_by_person: boolean;
    readonly records: ExportedRecord[];
  }[];
}

/** One page of an export. `cursor`: the next one; `null` on the last page. A page may hold nothing but its cursor. */
export async function exportPerson(of: Exported, from: ExportCursor | undefined, services: ExportServices) {
  const { clock } = services;
  const startedMs = clock.nowMs();
  const page: Page = { courses: [], imports: [] };
  const budget = { bytes: MAX_RESPONSE_BYTES };
  let position: Position | undefined = from ?? (await begun(of, page, budget, services));
  while (position !== undefined && budget.bytes > 0 && clock.nowMs() - startedMs < WORKING_MS)
    position = await STEPS[position.part](of, position as never, page, budget, services);
  return { export: page, cursor: position === undefined ? null : textOf(position) };
}

interface Budget {
  bytes: number;
}

type StepOf<Part> = (
  of: Exported,
  position: Extract<Position, { part: Part }>,
  page: Page,
  budget: Budget,
  services: ExportServices,
) => Promise<Position | undefined>;

const STEPS: { readonly [Part in Position['part']]: StepOf<Part> } = {
  progress: addCourses,
  async naming(of, position, _, budget, { stores }) {
    const items = await nextImports(of, position.after, stores);
    const last = items.last;
    if (last === undefined) {
      const own = await ownNames({ ...of, names: position.names }, stores);
      return { part: 'records', names: own, shown: 0 };
    }
    let found = position.names;
    for (const item of items.items)
      found = union(found, await namesInImport(item, personNamed({ ...of, names: found }), stores));
    // The cursor is a part of the answer.
    budget.bytes -= jsonBytes(found) - jsonBytes(position.names);
    return { part: 'naming', names: found, after: last };
  },
  records: addRecords,
};

async function begun(of: Exported, page: Page, budget: Budget, { stores }: ExportServices): Promise<Position> {
  const { company_id, user_id, user } = of;
  const mappings = await mappingsOf(of, stores);
  page.profile = user === undefined ? null : profileOf(user);
  page.former_emails = of.names.emails.filter((email) => email !== user?.email.toLowerCase());
  page.sessions = (await stores.sessions.listOf(company_id, user_id)).map(
    ({ began_at, email, revoked, expires_at_seconds }) => ({ began_at, email, revoked, expires_at_seconds }),
  );
  page.identity = (await stores.sessions.identityOf(company_id, user_id)) ?? null;
  page.mappings = mappings.map(({ external_user_id, email, updated_at }) => ({ external_user_id, email, updated_at }));
  budget.bytes -= jsonBytes(page);
  return { part: 'progress', names: union(of.names, namesOfMappings(mappings)), course: 0, shown: 0 };
}

/** Without the hash of the password. */
function profileOf({ company_id, user_id, email, name, avatar, role, license }: User) {
  return { company_id, user_id, email, name, avatar, role, license };
}

/** Courses by id. A course whose contributions do not fit is on the next page again, with the further ones. */
async function addCourses(
  { company_id, user_id }: Exported,
  { names: known, course, shown }: Extract<Position, { part: 'progress' }>,
  page: Page,
  budget: Budget,
  { stores }: ExportServices,
): Promise<Position> {
  const from = { platform_course_id: course, isAfter: shown === undefined };
  const histories = await stores.progress.historiesOf(company_id, user_id, { limit: COURSES_IN_A_STEP, from });
  const ids = histories.map(({ platform_course_id }) => platform_course_id);
  const courses = await stores.directory.courses(company_id, ids, false);
  for (const history of histories) {
    const { platform_course_id } = history;
    const whole = courseOfLearner(history, courses.get(platform_course_id));
    const before = platform_course_id === course ? (shown ?? 0) : 0;
    const contributions = taken(whole.contributions.slice(before), budget);
    budget.bytes -= jsonBytes({ ...whole, contributions: [] });
    page.courses.push({ ...whole, contributions });
    const next = before + contributions.length;
    const at = { part: 'progress', names: known, course: platform_course_id } as const;
    if (next < whole.contributions.length) return { ...at, shown: next };
    if (budget.bytes <= 0) return at;
  }
  const last = histories.at(-1);
  if (last === undefined) return { part: 'naming', names: known };
  return { part: 'progress', names: known, course: last.platform_course_id };
}

/** As many of them as fit; at least one, so that every page makes progress. */
function taken<Each>(all: readonly Each[], budget: Budget): Each[] {
  const fitting: Each[] = [];
  for (const each of all) {
    if (fitting.length > 0 && budget.bytes <= 0) break;
    fitting.push(each);
    budget.bytes -= jsonBytes(each);
  }
  return fitting;
}

async function nextImports(
  { company_id }: Exported,
  after: v.InferOutput<typeof place> | undefined,
  { imports }: ExportServices['stores'],
) {
  const page = await imports.walk(company_id, IMPORTS_IN_A_STEP, after);
  const last = page.at(-1);
  const ids = page.map(({ import_id }) => import_id);
  const items = await imports.readAll(company_id, ids);
  return { items, last: last && { created_at: last.created_at, import_id: last.import_id } };
}

async function addRecords(
  of: Exported,
  { names: known, after, shown }: Extract<Position, { part: 'records' }>,
  page: Page,
  budget: Budget,
  { stores, clock }: ExportServices,
): Promise<Position | undefined> {
  const startedMs = clock.nowMs();
  const { items, last } = await nextImports(of, after, stores);
  if (last === undefined) return undefined;
  let [done, skipped] = [after, shown];
  const here = (): Position => ({ part: 'records', names: known, ...(done && { after: done }), shown: skipped });
  for (const item of items) {
    if (budget.bytes <= 0 || clock.nowMs() - startedMs >= WORKING_MS) return here();
    const records = await recordsOf(item, { ...of, names: known }, stores);
    const fitting = taken(records.slice(skipped), budget);
    const { import_id, created_at } = item;
    const sent_by_person = item.created_by === of.user_id;
    if (fitting.length > 0 || (sent_by_person && skipped === 0))
      page.imports.push({ import_id, created_at, sent_by_person, records: fitting });
    if (skipped + fitting.length < records.length) {
      skipped += fitting.length;
      return here();
    }
    [done, skipped] = [{ created_at, import_id }, 0];
  }
  return { part: 'records', names: known, after: last, shown: 0 };
}

async function recordsOf(item: ImportItem, of: Exported, stores: ExportServices['stores']) {
  const isAbout = aboutPerson(personNamed(of));
  const chunks = await chunksOf(item, stores);
  const records = chunks.flatMap((chunk) => recordsIn(chunk, isAbout));
  const report = records.length === 0 || item.dry_run ? undefined : await stores.reverts.readReport(item);
  const reverted = new Map(report?.records.map((each) => [each.index, each]));
  return records.map((each) => {
    const revert = reverted.get(each.result.index);
    return revert === undefined ? each : { ...each, revert };
  });
}

/** The records of the person as they were sent, with what became of each. */
function recordsIn(chunk: StoredChunk, isAbout: IsAbout) {
  const { plan, payload, archived } = chunk;
  const sent = (plan ?? payload)?.records ?? [];
  const inPlan = sent.flatMap((raw, offset) => {
    const result = resultAt(chunk, offset);
    if (result === undefined || result.erased === true) return [];
    // What was kept for less time than the plan may be left of in the payload, or in the archive.
    const record = raw ?? payload?.records[offset] ?? archived[result.index]?.record ?? null;
    return isAbout(record, plan?.planned[offset]) ? [{ record, result }] : [];
  });
  return [...inPlan, ...archivedOnly(chunk, inPlan, isAbout)];
}

/** What only the archive has, because the results of the import have expired. */
function archivedOnly(
  { archived }: StoredChunk,
  known: readonly { readonly result: RecordResult }[],
  isAbout: IsAbout,
) {
  const shown = new Set(known.map(({ result }) => result.index));
  return Object.entries(archived).flatMap(([name, { record, errors }]) => {
    const index = Number(name);
    if (shown.has(index) || !isAbout(record)) return [];
    const external_record_id = externalRecordIdOf(record);
    return [{ record, result: { ...errorResult({ index, external_record_id }, errors), archived: true as const } }];
  });
}

function resultAt({ plan, payload, summary }: StoredChunk, offset: number): RecordResult | undefined {
  const planned = plan?.planned[offset];
  if (planned === undefined) return payload && pendingIn(payload, offset);
  return summary === undefined ? planned.result : overridden(planned.result, summary);
}
