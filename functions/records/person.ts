/** Whose a record is, and what is left of it once that person is erased (§7). */
import { emailKey, externalId, isEmailAddress } from './identifiers.ts';
import { isObject } from './json.ts';
import { HOLDER_ERASED, errorResult, rejectedPlan } from './result.ts';
import type { Problem } from '../shared/codes.ts';
import type { Plan, PlannedRecord, RecordResult } from '../shared/model.ts';

/** A person, and what records call them by: addresses in lookup form, and external ids in string form. */
export interface Person {
  readonly user_id: number;
  readonly emails: ReadonlySet<string>;
  readonly external_ids: ReadonlySet<string>;
}

type Names = Pick<Person, 'emails' | 'external_ids'>;
export type IsAbout = (raw: unknown, planned?: PlannedRecord) => boolean;

/**
 * Whether a record is the person's: by the user that it was found to be about, else by what it names. Only the part that says
 * whose it is counts (`user`), so a record of somebody else may mention the person; a record without one is searched whole.
 */
export function aboutPerson(person: Person): IsAbout {
  const addresses = [...person.emails].map(addressPattern);
  return (raw, planned) => {
    const user_id = planned && userOf(planned);
    if (user_id !== undefined) return user_id === person.user_id;
    const user = isObject(raw) ? (raw['user'] ?? undefined) : undefined;
    const id = isObject(user) ? externalId(user['external_user_id']) : undefined;
    if (id !== undefined && person.external_ids.has(id)) return true;
    return [...textsIn(user ?? raw)].some((text) => addresses.some((pattern) => pattern.test(emailKey(text))));
  };
}

/** The user whom a record was found to be about; `undefined` where it was rejected. */
function userOf({ write, result }: PlannedRecord): number | undefined {
  return write?.user_id ?? result.progress?.user_id;
}

/** What stands beside an address in a text, and is no part of one. */
const SEPARATOR = '\\s\\p{Cc}"(),:;<>\\[\\]\\\\@=&?/';
const SYNTAX = /[$()*+.?[\\\]^{|}/]/g;

/** The address as a whole: `ann@acme.test`, not the end of `joann@acme.test` nor the beginning of `ann@acme.test.org`. */
function addressPattern(address: string): RegExp {
  const literal = address.replace(SYNTAX, String.raw`\$&`);
  return new RegExp(`(?<![^${SEPARATOR}])${literal}(?=\\.?(?:$|[${SEPARATOR}]))`, 'u');
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    yield name;
    yield* textsIn(member);
  }
}

/**
 * What else a record that is about the person calls them by. An address is theirs if the record was found to be about them;
 * of a rejected one that has their address, its external id may be theirs.
 */
export function namesIn(raw: unknown, planned: PlannedRecord | undefined): Names {
  const user = isObject(raw) && isObject(raw['user']) ? raw['user'] : {};
  const isFound = planned !== undefined && userOf(planned) !== undefined;
  const id = externalId(user['external_user_id']);
  return {
    emails: new Set(isFound && isEmailAddress(user['email']) ? [emailKey(user['email'])] : []),
    external_ids: new Set(id === undefined ? [] : [id]),
  };
}

const DETAILS_ERASED = 'The person whom this record was about has been erased.';

/** The result of a record whose person was erased: what became of it, and nothing of what was in it. */
export function erasedResult({ index, status, outcome, errors, warnings }: RecordResult): RecordResult {
  return {
    index,
    external_record_id: null,
    status,
    outcome,
    errors: errors.map(({ error_code }) => ({ error_code, message: DETAILS_ERASED })),
    warnings: warnings.map(({ warning_code }) => ({ warning_code, message: DETAILS_ERASED })),
    progress: null,
    erased: true,
  };
}

/** A record whose person was erased before it was processed. */
export function planErased(index: number): PlannedRecord {
  const reason: Problem = { error_code: 'user_not_found', message: DETAILS_ERASED };
  return { result: { ...errorResult({ index, external_record_id: null }, [reason]), erased: true } };
}

/** The plan of a chunk whose records are all rejected for one reason, but for those whose person was erased. */
export function rejectedStaged(
  { records, first_index, erased = [] }: Staged,
  reason: Parameters<typeof rejectedPlan>[2],
): Plan {
  const plan = rejectedPlan(records, first_index, reason);
  const planned = plan.planned.map((each) =>
    erased.includes(each.result.index) ? planErased(each.result.index) : each,
  );
  return { ...plan, planned };
}

interface Staged {
  readonly records: readonly unknown[];
  readonly first_index: number;
  readonly erased?: readonly number[];
}

/** The result of somebody else's record, without the id of the user who held its `external_record_id`. */
export function withoutHolder(result: RecordResult, user_id: number): RecordResult {
  const isNamed = ({ error_code, message }: Problem) =>
    error_code === 'duplicate_external_record_id' && message.includes(` belongs to user ${user_id} `);
  if (!result.errors.some(isNamed)) return result;
  return { ...result, errors: result.errors.map((error) => (isNamed(error) ? HOLDER_ERASED : error)) };
}
