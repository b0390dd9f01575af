import * as v from 'valibot';
import type { PlatformDataStore } from './platform-data-store.ts';
import { ROWS, type IdOf, type RowOf } from './rows.ts';
import { exportCursor, type ExportCursor, type ExportServices, type exportPerson } from '../erasure/export-person.ts';
import type { PasswordHasher } from '../auth/passwords.ts';
import type { DirectoryStore } from '../catalog/directory-store.ts';
import { emailKey, externalId, isEmailAddress, isPlatformId } from '../records/identifiers.ts';
import { isObject, jsonBytes } from '../records/json.ts';
import type { UserChange } from '../shared/codes.ts';
import type { Clock, Random } from '../runtime/system.ts';

interface Versioned {
  readonly version: number;
  /** Applies the fact whatever the stored version is: an operator's way out of a version that was too high. */
  readonly force?: true;
}

/** `row` is the entity from now on; absent if it was deleted. */
type EntityFact<Kind, Of, Row> = Versioned & { readonly kind: Kind; readonly of: Of; readonly row?: Row };

export type ProgressId = IdOf<'progress'> | IdOf<'progressOfId'>;

/** A company, enabled or not. Its deletion leaves its users and courses as they are. */
export type CompanyFact = EntityFact<'company', IdOf<'company'>, RowOf<'company'>>;
/** A user. A new address, password or license can end sessions (§5.1). */
export type UserFact = EntityFact<'user', IdOf<'user'>, RowOf<'user'>>;
export type CourseFact = EntityFact<'course', IdOf<'course'>, RowOf<'course'>>;
/** A machine of a company (§5.3). */
export type ClientFact = EntityFact<'client', IdOf<'client'>, RowOf<'client'>>;
export type ProgressFact = EntityFact<'progress', ProgressId, RowOf<'progress'> | RowOf<'progressOfId'>>;
/** Ends the sessions of a user and changes no other data of the user, so it has no version. */
export interface EndSessionsFact {
  readonly kind: 'user';
  readonly of: IdOf<'user'>;
  readonly ends_sessions: true;
}
/** Erases a person (§13.2). The fact can list names by which records refer to the person and that the stack no longer knows. */
export interface EraseFact extends Versioned {
  readonly kind: 'user';
  readonly of: IdOf<'user'>;
  readonly erases: Readonly<v.InferOutput<typeof erase>>;
}
/** Returns all that the stack holds of a person, a page each time (§13.2). It changes nothing, so it has no version. */
export interface ExportFact {
  readonly kind: 'user';
  readonly of: IdOf<'user'>;
  readonly exports: EraseFact['erases'] & { readonly cursor?: ExportCursor | undefined };
}
/** Erases someone without an account, who is known by names alone. The version counts against the same names only. */
export interface ErasePersonFact extends Versioned {
  readonly kind: 'person';
  readonly of: IdOf<'company'>;
  readonly erases: Readonly<v.InferOutput<typeof named>>;
}
/** Returns all that the stack holds under these names. */
export interface ExportPersonFact {
  readonly kind: 'person';
  readonly of: IdOf<'company'>;
  readonly exports: ErasePersonFact['erases'] & { readonly cursor?: ExportCursor | undefined };
}
export type Fact =
  | CompanyFact
  | UserFact
  | EndSessionsFact
  | EraseFact
  | ExportFact
  | ErasePersonFact
  | ExportPersonFact
  | CourseFact
  | ClientFact
  | ProgressFact;

/** A problem of a member of a fact: `email`, `must be …`. The path is empty for the fact itself. */
export interface FactProblem {
  readonly path: string;
  readonly rule: string;
}

export interface FactServices {
  readonly stores: { readonly platform: PlatformDataStore; readonly directory: Pick<DirectoryStore, 'users'> };
  readonly passwords: Pick<PasswordHasher, 'hash' | 'verify'>;
  readonly random: Random;
  readonly clock: Clock;
  /** Only an invocation has a caller to whom an export can be returned. */
  readonly exporting?: ExportServices | undefined;
  /** When the message was sent, if it came over the queue, which may deliver it again. */
  readonly sentMs?: number | undefined;
}

export type ExportPage = Awaited<ReturnType<typeof exportPerson>>;

/** `stale`: a fact about this entity with this version or a higher one was applied before; nothing was changed. */
export type FactOutcome =
  | {
      /** `erased`: an erasure that was applied before is done. */
      readonly status: 'applied' | 'stale' | 'erased';
      /** For an erasure: when it was done; `null` until then. */
      readonly erased_at?: string | null;
      /** For an erasure that is done: how many places it blanked. */
      readonly blanked?: number;
      /** For the erasure of someone without an account: where its receipt is. It shows no name. */
      readonly receipt_id?: string;
      /** For an applied fact about a user: the changed members that an audit asks for. */
      readonly changed?: readonly UserChange[];
      /** For applied progress: the learner, whom the fact may name by address. */
      readonly user_id?: number;
    }
  | ({ readonly status: 'exported' } & ExportPage)
  | { readonly status: 'rejected'; readonly problems: readonly FactProblem[] };

const KINDS = ['company', 'user', 'course', 'client', 'person', 'progress'] as const;

const endSessions = v.object({
  version: v.undefined('must be absent where sessions are ended: such a fact changes nothing else'),
  deleted: v.undefined('must be absent where sessions are ended'),
});

const unversioned = v.object({
  version: v.undefined('must be absent where a person is exported: such a fact changes nothing'),
  deleted: v.undefined('must be absent where a person is exported'),
});

const headers = v.object({
  kind: v.picklist(KINDS, 'must be company, user, course, client, person or progress'),
  version: v.custom<number>(isPlatformId, 'must be a whole number from 0 to 2^53 - 1'),
  deleted: v.nullish(v.boolean('must be true or false'), false),
  force: v.nullish(v.boolean('must be true or false'), false),
  erase: v.nullish(v.literal(false, 'must be absent but for a user, where it is true or false'), false),
});

const MOST_NAMES = 100;
const names = <Name extends v.GenericSchema<unknown, string>>(name: Name) =>
  v.nullish(v.pipe(v.array(name, 'must be an array'), v.maxLength(MOST_NAMES, `must hold at most ${MOST_NAMES}`)), []);
/** Names of the person beside those that the stack knows: former addresses, external ids that are not registered now. */
const erase = v.object({
  emails: names(
    v.pipe(
      v.custom<string>(isEmailAddress, 'must be an e-mail address'),
      v.transform((address) => emailKey(address)),
    ),
  ),
  external_user_ids: names(
    v.pipe(
      v.unknown(),
      v.transform(externalId),
      v.custom<string>((id) => id !== undefined, 'must be a string of 1 to 128 characters or a whole number'),
    ),
  ),
});

const MOST_NAMES_OF_PERSON = 20;
/** An address is one in any record that names it, whatever its letter case; any other name is an external id. */
const named = v.pipe(
  v.array(
    v.pipe(
      v.unknown(),
      v.transform((name) => (isEmailAddress(name) ? emailKey(name) : externalId(name))),
      v.custom<string>(
        (name) => name !== undefined,
        'must be an address, a string of 1 to 128 characters or a whole number',
      ),
    ),
    'must be an array of addresses and ids',
  ),
  v.minLength(1, `must hold 1 to ${MOST_NAMES_OF_PERSON} names`),
  v.maxLength(MOST_NAMES_OF_PERSON, `must hold 1 to ${MOST_NAMES_OF_PERSON} names`),
  v.transform((all) => [...new Set(all)]),
  v.transform((all) => ({
    emails: all.filter(isEmailAddress),
    external_ids: all.filter((name) => !isEmailAddress(name)),
  })),
);

/** A stored item has at most 400 KB; a row within this limit fits in any encoding. */
export const MAX_ROW_BYTES = 200 * 1024;

/** Reads one fact as it was sent; returns every problem of it if there are any. Unknown members are ignored. Never throws. */
export function parseFact(value: unknown): { readonly fact: Fact } | { readonly problems: readonly FactProblem[] } {
  if (!isObject(value)) return { problems: [{ path: '', rule: 'must be an object' }] };
  if (value['kind'] === 'user' && value['end_sessions'] === true) return parseEndSessions(value);
  if (value['kind'] === 'user' && value['export'] === true) return parseExport(value);
  if (value['kind'] === 'person') return value['export'] === true ? parseExportPerson(value) : parseErasePerson(value);
  return value['kind'] === 'user' && value['erase'] === true ? parseErase(value) : parseEntity(value);
}

function parseEntity(value: Readonly<Record<string, unknown>>): ReturnType<typeof parseFact> {
  const head = v.safeParse(headers, value);
  const name = rowsOf(value);
  if (name === undefined) return { problems: problemsOf(head) };
  const { whole, id } = ROWS[name];
  const isDeletion = value['deleted'] === true;
  const of = v.safeParse(id, value);
  const row = isDeletion ? of : v.safeParse(whole, value);
  if (!head.success || !row.success) return { problems: problemsOf(head, row) };
  if (jsonBytes(row.output) > MAX_ROW_BYTES)
    return { problems: [{ path: '', rule: `must be at most ${MAX_ROW_BYTES} bytes as JSON` }] };
  return { fact: { ...headOf(head.output), of: of.output, ...(!isDeletion && { row: row.output }) } as Fact };
}

function parseEndSessions(value: Readonly<Record<string, unknown>>): ReturnType<typeof parseFact> {
  const head = v.safeParse(endSessions, { version: value['version'], deleted: value['deleted'] });
  const of = v.safeParse(ROWS.user.id, value);
  if (head.success && of.success) return { fact: { kind: 'user', of: of.output, ends_sessions: true } };
  return { problems: problemsOf(head, of) };
}

function parseErase(value: Readonly<Record<string, unknown>>): ReturnType<typeof parseFact> {
  const head = v.safeParse(headers, { ...value, erase: false });
  const of = v.safeParse(ROWS.user.id, value);
  const erases = v.safeParse(erase, value);
  if (!head.success || !of.success || !erases.success) return { problems: problemsOf(head, of, erases) };
  return { fact: { ...headOf(head.output), kind: 'user', of: of.output, erases: erases.output } };
}

const isCursor = v.object({
  cursor: v.optional(
    v.pipe(
      v.unknown(),
      v.transform(exportCursor),
      v.custom<ExportCursor>((position) => position !== undefined, 'must be the cursor of an earlier page'),
    ),
  ),
});

function parseExport(value: Readonly<Record<string, unknown>>): ReturnType<typeof parseFact> {
  const head = v.safeParse(unversioned, { version: value['version'], deleted: value['deleted'] });
  const of = v.safeParse(ROWS.user.id, value);
  const named = v.safeParse(erase, value);
  const from = v.safeParse(isCursor, value);
  if (!head.success || !of.success || !named.success || !from.success)
    return { problems: problemsOf(head, of, named, from) };
  return { fact: { kind: 'user', of: of.output, exports: { ...named.output, ...from.output } } };
}

const isErase = v.object({ erase: v.literal(true, 'must be true, or export must be') });

/** Without a version it is the first erasure of these names: sent again, it is the receipt. */
function parseErasePerson(value: Readonly<Record<string, unknown>>): ReturnType<typeof parseFact> {
  const erases = v.safeParse(isErase, value);
  const head = v.safeParse(headers, { ...value, version: value['version'] ?? 0, erase: false });
  const of = v.safeParse(ROWS.company.id, value);
  const names = v.safeParse(v.object({ names: named }), value);
  if (!erases.success || !head.success || !of.success || !names.success)
    return { problems: problemsOf(erases, head, of, names) };
  return { fact: { ...headOf(head.output), kind: 'person', of: of.output, erases: names.output.names } };
}

function parseExportPerson(value: Readonly<Record<string, unknown>>): ReturnType<typeof parseFact> {
  const head = v.safeParse(unversioned, { version: value['version'], deleted: value['deleted'] });
  const of = v.safeParse(ROWS.company.id, value);
  const names = v.safeParse(v.object({ names: named }), value);
  const from = v.safeParse(isCursor, value);
  if (!head.success || !of.success || !names.success || !from.success)
    return { problems: problemsOf(head, of, names, from) };
  return { fact: { kind: 'person', of: of.output, exports: { ...names.output.names, ...from.output } } };
}

const headOf = ({ kind, version, force }: v.InferOutput<typeof headers>) =>
  force ? { kind, version, force } : { kind, version };

function rowsOf(value: Readonly<Record<string, unknown>>): keyof typeof ROWS | undefined {
  const kind = KINDS.find((each) => each === value['kind']);
  if (kind === 'person') return undefined;
  return kind === 'progress' && value['user_id'] !== undefined ? 'progressOfId' : kind;
}

function problemsOf(
  ...parsed: readonly { readonly issues?: readonly v.BaseIssue<unknown>[] | undefined }[]
): FactProblem[] {
  const issues = parsed.flatMap((each) => each.issues ?? []);
  return issues.map((issue) => ({ path: (issue.path ?? []).map(({ key }) => key).join('.'), rule: ruleOf(issue) }));
}

/** A missing member is reported as missing, whatever its rule. */
function ruleOf({ expected, message, received }: v.BaseIssue<unknown>): string {
  return expected !== null && received === 'undefined' ? 'is missing' : message;
}

/** The entity of a fact as one text for maps: facts of one entity are applied one after another. */
export function entityOf({ kind, of }: Fact): string {
  return JSON.stringify([kind, of]);
}
