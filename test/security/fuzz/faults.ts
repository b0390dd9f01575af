/** Faults of a response and of an accepted import, and differences between a dry run and the reference rules. */
import type { Dice } from '../../kit/dice.ts';
import type { Answered, Sent } from '../support/target.ts';
import type { CourseHistory, LearnerCourse } from '../../../functions/shared/model.ts';
import { type ComparedResult, referenceVerdict, verdictOf } from '../../reference/compare.ts';
import { referenceBatch, type ReferenceResult } from '../../reference/record.ts';
import { sourceOf } from '../../reference/effective.ts';
import { type PairState, pairOf, type ReferenceWorld } from '../../reference/world.ts';
import { OWN, platformData } from '../support/data.ts';
import { wrongHeaders, wrongShape } from '../matrix/ask.ts';
import { FuzzWorld } from './fuzz-world.ts';

interface ImportBody {
  readonly import_id: string;
  readonly dry_run: boolean;
  readonly status: string;
  readonly counts: { readonly total: number };
  readonly records: readonly (Result & { readonly index: number })[];
}

const TERMINAL = new Set(['success', 'partial_success', 'error']);

export async function importFaults(world: FuzzWorld, sent: Sent, answered: Answered, dice: Dice): Promise<string[]> {
  if (answered.status === 200) return dryRunFaults(world, sent, read(answered), dice);
  return answered.status === 202 ? processedFaults(world, read(answered)) : [];
}

const read = ({ text }: Answered) => JSON.parse(text) as ImportBody;

async function processedFaults(world: FuzzWorld, { import_id, counts }: ImportBody): Promise<string[]> {
  const failed = await world.process();
  const done = read(await world.ask('get-import', { import_id }));
  const listed = await world.ask('list-import-records', { import_id }, { include: 'record' });
  return [
    ...(failed.length > 0 ? ['a chunk failed'] : []),
    ...(TERMINAL.has(done.status) ? [] : [`the import is ${done.status}`]),
    ...(done.records.length === counts.total ? [] : ['not every record has a result']),
    ...(done.records.every(({ index }, at) => index === at) ? [] : ['the results are out of order']),
    ...(listed.status === 200 ? [] : [`its records are ${listed.status}`]),
    ...(done.records.some((result) => JSON.stringify(result).includes('processing_failed'))
      ? ['processing_failed']
      : []),
  ];
}

/** §4.2 operation 7: with nothing changed in between, the real run gives the same results, member for member. */
async function dryRunFaults(world: FuzzWorld, sent: Sent, dry: ImportBody, dice: Dice): Promise<string[]> {
  const faults = await referenceFaults(world, sent, dry.records);
  if (typeof sent.body !== 'string' || !dice.oneIn(2)) return faults;
  const body = sent.body.replace(/"dry_run"\s*:\s*true/, '"dry_run":false');
  const { 'idempotency-key': _, ...headers } = sent.headers ?? {};
  const real = await world.send({ ...sent, headers, body });
  if (real.status !== 202) return faults;
  FuzzWorld.totals.twins += 1;
  const { import_id } = read(real);
  faults.push(...(await processedFaults(world, read(real))));
  const { records } = read(await world.ask('get-import', { import_id }));
  const report = dry.records.map(({ before: _before, ...result }) => result);
  const isSame = JSON.stringify(records) === JSON.stringify(report);
  return isSame ? faults : [...faults, `the dry run said ${first(report, records)}`];
}

function first(dry: ImportBody['records'], real: ImportBody['records']): string {
  const at = dry.findIndex((result, index) => JSON.stringify(result) !== JSON.stringify(real[index]));
  return `${JSON.stringify(dry[at])} and the real run ${JSON.stringify(real[at])}`;
}

export interface Result extends ComparedResult {
  readonly external_record_id: string | null;
  readonly errors: readonly { readonly error_code: string; readonly field?: string; readonly message: string }[];
  readonly progress: LearnerCourse | null;
  readonly before?: unknown;
}

const MANY = 1000;
/** A limit of storage, which the reference does not know. */
const PAIR_IS_FULL = /contributions|KB/;

/** The reference does not know the records of earlier imports. */
const KEPT = ['earlier_record_kept'];
const BYTE_ORDER_MARK = /^\uFEFF/;

export async function referenceFaults(fuzz: FuzzWorld, sent: Sent, results: readonly Result[]): Promise<string[]> {
  const { records } = JSON.parse(textOf(sent.body).replace(BYTE_ORDER_MARK, '')) as { records: unknown[] };
  const world = await referenceWorld(fuzz, results);
  const expected = referenceBatch(records, world, new Date(fuzz.world.nowMs()).toISOString());
  return results.flatMap((result, at) => {
    if (result.errors.some(({ message }) => PAIR_IS_FULL.test(message))) return [];
    FuzzWorld.totals.compared += 1;
    const [said, should] = [verdictOf(result, KEPT), referenceVerdict(expected[at] as ReferenceResult, KEPT)];
    return said === should ? [] : [`disagrees: ${said}; the reference: ${should}; ${JSON.stringify(records[at])}`];
  });
}

const textOf = (body: Sent['body']) => (typeof body === 'string' ? body : Buffer.from(body ?? '').toString());

async function referenceWorld({ world }: FuzzWorld, results: readonly Result[]): Promise<ReferenceWorld> {
  const { mappings, progress } = world.stores;
  const { users, courses } = companyData;
  const ids = results.flatMap(({ external_record_id }) => external_record_id ?? []);
  const pairs = users.flatMap(({ user_id }) =>
    courses.map(({ platform_course_id }) => ({ user_id, platform_course_id })),
  );
  const [userLinks, courseLinks, identities, stored] = await Promise.all([
    mappings.listUserMappings(OWN, MANY),
    mappings.listCourseMappings(OWN, MANY),
    progress.identities(OWN, ids),
    progress.courseHistories(OWN, pairs),
  ]);
  const name = ({ user_id, platform_course_id }: LearnerCourse) => pairOf(user_id, platform_course_id);
  return {
    users,
    courses,
    userMappings: new Map(userLinks.map((link) => [link.external_user_id, link.user_id])),
    courseMappings: new Map(courseLinks.map((link) => [link.external_course_id, link.platform_course_id])),
    pairs: new Map([...stored.values()].map((item) => [name(item), stateOf(item)])),
    identities: new Map([...identities].map(([id, pair]) => [id, name(pair)])),
  };
}

function stateOf({ native }: CourseHistory): PairState {
  return { native: native && sourceOf(native), records: [] };
}

const companyData: Pick<ReferenceWorld, 'users' | 'courses'> = {
  users: platformData()
    .users.filter(({ company_id }) => company_id === OWN)
    .map(({ id, email, license }) => ({ user_id: id, email, active: license === 'active' })),
  courses: platformData()
    .courses.filter(({ company_id }) => company_id === OWN)
    .map(({ platform_course_id, has_exam, classes }) => ({
      platform_course_id,
      has_exam,
      classes: classes.map(({ platform_class_id }) => platform_class_id),
    })),
};

/** A text planted in hostile input; only JSON may show it, which no browser takes for a page. */
export const CANARY = '<script>';
const INNARDS =
  /\n\s+at |node:internal|\.ts:\d|\.mjs:\d|node_modules|Exception|dynamo|TypeError|RangeError|undefined is not/i;
const JSON_TYPE = 'application/json';

export function faultsOf({ route }: Sent, answered: Answered): string[] {
  const { status, text } = answered;
  const isError = status >= 400;
  const rules: readonly (readonly [string, boolean])[] = [
    [`status ${status}`, status >= 500 || status < 200],
    ['shows its innards', isError && INNARDS.test(text)],
    ['echoes its input', isError && text.includes(CANARY) && !answered.headers['content-type']?.startsWith(JSON_TYPE)],
  ];
  return [
    ...rules.filter(([, isBroken]) => isBroken).map(([name]) => name),
    ...wrongHeaders(route, answered),
    ...wrongShape(route, answered),
  ];
}
