import {
  entityOf,
  parseFact,
  type ClientFact,
  type CompanyFact,
  type CourseFact,
  type ExportPage,
  type Fact,
  type FactOutcome,
  type FactProblem,
  type FactServices,
  type ProgressFact,
  type ProgressId,
} from './facts.ts';
import type { KnownUser } from './platform-data-store.ts';
import { applyUserFact, endSessions, idOf, eraseUser, exportUser, isErased } from './user-facts.ts';
import { erasePerson, exportNamed } from './person-facts.ts';
import { withThumbprint } from '../auth/client-keys.ts';
import { rememberingPasswords } from '../auth/passwords.ts';
import { isObject } from '../records/json.ts';
import { inParallel } from '../runtime/batching.ts';
import type { Fields } from '../runtime/telemetry.ts';
import { USER_CHANGES, type UserChange } from '../shared/codes.ts';

/** The result of one fact. `stale` is a success: the stack has this version or a later one. */
export type FactResult =
  | {
      readonly status: 'applied' | 'stale' | 'erased';
      readonly erased_at?: string | null;
      /** Of an erasure that is done: records, mappings, progress, sessions and the user. */
      readonly blanked?: number;
    }
  | ({ readonly status: 'exported' } & ExportPage)
  | { readonly status: 'rejected'; readonly errors: readonly FactError[] };

interface FactError {
  /** `facts.3.email` */
  readonly field: string;
  readonly message: string;
}

/** One result for each fact, in the order sent; or the error of the message. */
export type MessageResult = { readonly results: readonly FactResult[] } | { readonly errors: readonly FactError[] };

const MAX_FACTS = 100;

/** Called with each fact that was applied or is stale, at once, and with what it changed. */
type OnOutcome = (fact: Fact, outcome: Exclude<FactOutcome, { status: 'rejected' }>) => void;
const ignore: OnOutcome = () => {};

/** Applies a message of the platform, `{ "facts": [ … ] }`. A fact with a problem rejects no other. */
export async function applyMessage(
  message: unknown,
  services: FactServices,
  onOutcome: OnOutcome = ignore,
): Promise<MessageResult> {
  const facts = isObject(message) ? message['facts'] : undefined;
  if (!Array.isArray(facts) || facts.length === 0 || facts.length > MAX_FACTS) {
    return { errors: [{ field: 'facts', message: `facts must be an array of 1 to ${MAX_FACTS} facts.` }] };
  }
  const parsed = facts.map((each) => aloneIfExported(parseFact(each), facts.length));
  const wellFormed = parsed.flatMap((each) => ('fact' in each ? [each.fact] : []));
  const outcomes = (await applyFacts(wellFormed, services, onOutcome)).values();
  return {
    results: parsed.map((each, at) => {
      const outcome = 'problems' in each ? each : outcomes.next().value;
      if (outcome === undefined) throw new Error('A fact has no outcome.');
      return 'problems' in outcome ? rejected(outcome.problems, at) : resultOf(outcome);
    }),
  };
}

function resultOf(outcome: Exclude<FactOutcome, { status: 'rejected' }>): FactResult {
  if (outcome.status === 'exported') return outcome;
  const { status, erased_at, blanked } = outcome;
  return { status, ...(erased_at !== undefined && { erased_at }), ...(blanked !== undefined && { blanked }) };
}

/** A page is as large as an answer can be. */
function aloneIfExported(each: ReturnType<typeof parseFact>, facts: number): ReturnType<typeof parseFact> {
  if (facts === 1 || 'problems' in each || !('exports' in each.fact)) return each;
  return { problems: [{ path: 'export', rule: 'must be the only fact of its message' }] };
}

function rejected(problems: readonly FactProblem[], at: number): FactResult {
  const errors = problems.map(({ path, rule }) => {
    const field = path === '' ? `facts.${at}` : `facts.${at}.${path}`;
    return { field, message: `${field} ${rule}.` };
  });
  return { status: 'rejected', errors };
}

/** Progress that names its user by address needs the user; a company that can be seen has the entities sent with it; a person has no user. */
const PHASES = [['course', 'user', 'client'], ['progress'], ['company'], ['person']] as const;
const PARALLEL = 16;

/** Applies facts, those of one entity in order. A user whose address is taken is retried after the others. */
export async function applyFacts(
  facts: readonly Fact[],
  services: FactServices,
  onOutcome: OnOutcome = ignore,
): Promise<FactOutcome[]> {
  const outcomes: FactOutcome[] = [];
  const passwords = rememberingPasswords(services.passwords);
  const users = facts.filter((fact) => fact.kind === 'user');
  const stored = await services.stores.platform.knownUsers(users.map(idOf));
  const known = new Map<Fact, KnownUser | undefined>(users.map((fact, at) => [fact, stored[at]]));
  const apply = async (entity: readonly (readonly [number, Fact])[]) => {
    for (const [at, fact] of entity) {
      const outcome = await applyFact(fact, known.get(fact), { ...services, passwords });
      outcomes[at] = outcome;
      if (outcome.status !== 'rejected') onOutcome(fact, outcome);
    }
  };
  for (const kinds of PHASES) {
    const phase = [...facts.entries()].filter(([, { kind }]) => kinds.some((each) => each === kind));
    const entities = [...Map.groupBy(phase, ([, fact]) => entityOf(fact)).values()];
    await inParallel(entities, PARALLEL, apply);
    for (const each of phase) if (outcomes[each[0]]?.status === 'rejected') await apply([each]);
  }
  return outcomes;
}

async function applyFact(fact: Fact, known: KnownUser | undefined, services: FactServices): Promise<FactOutcome> {
  if (fact.kind === 'company') return appliedIf(await applyCompany(fact, services));
  if (fact.kind === 'course') return appliedIf(await applyCourse(fact, services));
  if (fact.kind === 'client') return applyClient(fact, services);
  if (fact.kind === 'person') return 'exports' in fact ? exportNamed(fact, services) : erasePerson(fact, services);
  if (fact.kind === 'progress') return applyProgress(fact, services);
  if ('exports' in fact) return exportUser(fact, known, services);
  if ('erases' in fact) return eraseUser(fact, known, services);
  return 'ends_sessions' in fact ? endSessions(fact, services) : applyUserFact(fact, known, services);
}

const appliedIf = (isNewer: boolean) => ({ status: isNewer ? ('applied' as const) : ('stale' as const) });

function applyCompany({ of, row, version, force }: CompanyFact, { stores, random }: FactServices): Promise<boolean> {
  // 256 bits that authenticate the company's list cursors; the store keeps the key of a stored company.
  const company = row && { ...row, cursor_key: Buffer.from(random.hex(32), 'hex').toString('base64url') };
  return stores.platform.saveCompany(of.company_id, company, version, force);
}

function applyCourse({ of, row, version, force }: CourseFact, { stores }: FactServices): Promise<boolean> {
  const { company_id, platform_course_id } = of;
  const course = row && { platform_course_id, title: row.title, has_exam: row.has_exam, classes: row.classes };
  return stores.platform.saveCourse(company_id, platform_course_id, course, version, force);
}

async function applyClient({ of, row, version, force }: ClientFact, { stores }: FactServices): Promise<FactOutcome> {
  const keys = row && (await Promise.all(row.jwks.keys.map(withThumbprint)));
  const client = row && keys && { ...of, name: row.name, keys, scopes: row.scopes };
  const saved = await stores.platform.saveClient(of, client, version, force);
  if (saved !== 'taken') return appliedIf(saved);
  return { status: 'rejected', problems: [{ path: 'client_id', rule: 'belongs to another company of the stack' }] };
}

async function applyProgress(
  { of, row, version, force }: ProgressFact,
  { stores }: FactServices,
): Promise<FactOutcome> {
  const user_id = await userIdOf(of, stores.directory);
  if (user_id === undefined) {
    const problem = {
      path: 'email',
      rule: 'belongs to no user of this company; user_id names a user who is yet to come',
    };
    return { status: 'rejected', problems: [problem] };
  }
  const { company_id, platform_course_id } = of;
  // Their progress is deleted, with its version: no earlier fact may restore it.
  if ('user_id' in of && (await isErased({ company_id, user_id }, stores.platform)))
    return { ...appliedIf(row === undefined), user_id };
  const pair = { company_id, user_id, platform_course_id };
  const isNewer = await stores.platform.saveNative(pair, row?.progress, version, force);
  return { ...appliedIf(isNewer), user_id };
}

async function userIdOf(of: ProgressId, directory: FactServices['stores']['directory']): Promise<number | undefined> {
  if ('user_id' in of) return of.user_id;
  const users = await directory.users(of.company_id, [of.email], true);
  return users.get(of.email)?.user_id;
}

/** Ids and version of the entity (`version` in a log line is that of the service), what else the fact does, and of a user which of `USER_CHANGES` changed. */
export function auditFields(fact: Fact, outcome: FactOutcome): Fields {
  const changed = 'changed' in outcome ? outcome.changed : undefined;
  return {
    kind: fact.kind,
    company_id: fact.of.company_id,
    ...idsOf(fact, outcome),
    ...('version' in fact && { fact_version: fact.version, ...(fact.force === true && { forced: true }) }),
    ...effectOf(fact),
    ...(changed && changesIn(changed)),
  };
}

function idsOf({ of }: Fact, outcome: FactOutcome): Fields {
  const user_id = 'id' in of ? of.id : 'user_id' in outcome ? outcome.user_id : undefined;
  return {
    ...(user_id !== undefined && { user_id }),
    ...('client_id' in of && { client_id: of.client_id }),
    ...('receipt_id' in outcome && { receipt_id: outcome.receipt_id }),
    ...('platform_course_id' in of && { platform_course_id: of.platform_course_id }),
  };
}

function effectOf(fact: Fact): Fields {
  if ('erases' in fact) return { erased: true };
  if ('exports' in fact) return { exported: true };
  if ('ends_sessions' in fact) return { sessions_ended: true };
  return fact.row === undefined ? { deleted: true } : {};
}

const changesIn = (changed: readonly UserChange[]): Fields =>
  Object.fromEntries(USER_CHANGES.map((change) => [`${change}_changed`, changed.includes(change)]));
