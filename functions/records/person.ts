/** Which records belong to a person, in any spelling of a name, and what remains of them once that person is erased (§13.2). */
import { emailKey, externalId, isEmailAddress } from './identifiers.ts';
import { isObject } from './json.ts';
import { HOLDER_ERASED, errorResult } from './result.ts';
import type { PlannedRecord, RecordResult, Problem } from '../shared/model.ts';

/** Only an erasure compares names by their spellings, and only in records that were resolved to no user (§13.2). */

/** Blanks, control characters, and characters that are not shown. U+2800 is shown as a blank. */
const INVISIBLE = String.raw`\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`;
const INVISIBLES = new RegExp(`[${INVISIBLE}]+`, 'gu');
/** Characters that can be next to an address in a text and are no part of one. */
const BESIDE = `${INVISIBLE}"(),:;<>\\[\\]\\\\=&?/`;
const SEPARATOR = `${BESIDE}@`;
const SYNTAX = /[$()*+.?[\\\]^{|}/]/g;
/** Encoded bytes, which may have been broken as any text. */
const ENCODED = new RegExp(`(?:%[${INVISIBLE}]*[0-9a-f][${INVISIBLE}]*[0-9a-f])+`, 'giu');
/** A text may be encoded once by each system that it passed through. */
const MOST_ENCODINGS = 3;

/**
 * The form in which two spellings of an external id are equal.
 *
 * @example
 * ['Emp-7', ' emp-7 ', 'EMP%2D7'].map(spelledId); // => ['emp-7', 'emp-7', 'emp-7']
 */
export function spelledId(id: string): string {
  return visible(folded(decoded(id)));
}

const BESIDES = new RegExp(`[${BESIDE}]`, 'u');

/**
 * The form in which two spellings of a name, an external id or an address, are equal: of an address, what `addressFinder` finds.
 *
 * @example
 * [' Ann@acme.test', 'mailto:ann%40acme.test', 'EMP-7'].map(spelledName); // => ['ann@acme.test', 'ann@acme.test', 'emp-7']
 */
export function spelledName(name: string): string {
  const spelled = spelledId(name);
  return addressIn(spelled)?.replace(/\.$/, '') ?? spelled;
}

/** The first address in a text: an expression would look for its end from each letter. */
function addressIn(text: string): string | undefined {
  for (const part of text.split(BESIDES)) {
    const names = part.split('@');
    const at = names.findIndex((name, position) => name !== '' && Boolean(names[position + 1]));
    if (at >= 0) return names.slice(at, at + 2).join('@');
  }
  return undefined;
}

/**
 * Whether a text contains one of the addresses as a whole, in any spelling.
 *
 * @example
 * const names = addressFinder(['ann@acme.test']);
 * ['Ann <ANN@acme.test>', 'ann%40acme.test', 'joann@acme.test'].map(names); // => [true, true, false]
 */
export function addressFinder(addresses: Iterable<string>): (text: string) => boolean {
  const wanted = [...addresses].map((address) => visible(folded(address)));
  return (text) => {
    const readings = [...new Set([folded(text), folded(decoded(text))])];
    return readings.some((reading) => {
      const letters = visible(reading);
      return wanted.some((address) => letters.includes(address) && addressPattern(address).test(reading));
    });
  };
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
const visible = (text: string): string => text.replaceAll(INVISIBLES, '');

/** Bytes that are no UTF-8 become U+FFFD, which is in no name. */
function decoded(text: string): string {
  let plain = text;
  for (let encoding = 0; encoding < MOST_ENCODINGS && plain.includes('%'); encoding += 1)
    plain = plain.replaceAll(ENCODED, (bytes) =>
      Buffer.from(visible(bytes).replaceAll('%', ''), 'hex').toString('utf8'),
    );
  return plain;
}

/** `ann@acme.test`, not the end of `joann@acme.test` nor the beginning of `ann@acme.test.org`. */
function addressPattern(address: string): RegExp {
  const letters = Array.from(address, (letter) => letter.replace(SYNTAX, String.raw`\$&`));
  const spelled = letters.join(`[${INVISIBLE}]*`);
  return new RegExp(`(?<![^${SEPARATOR}])${spelled}(?=\\.?(?:$|[${SEPARATOR}]))`, 'u');
}

/** Stands for the id of a user where a person has no account. No user has it, so an earlier release erases nobody else by it. */
export const NO_ACCOUNT = -1;

/** A person, and the names by which records refer to them: addresses in lookup form, and external ids in string form. */
export interface Person {
  /** `NO_ACCOUNT`: no record was resolved to the person. */
  readonly user_id: number;
  readonly emails: ReadonlySet<string>;
  readonly external_ids: ReadonlySet<string>;
}

type PersonNames = Pick<Person, 'emails' | 'external_ids'>;
/** Decides about one record: `raw` as it was sent, and `planned`, which names the resolved user. */
export type IsAbout = (raw: unknown, planned?: PlannedRecord) => boolean;

/**
 * Whether a record belongs to the person: by resolved user, else by its identifiers. Only its `user` block counts, so a record of
 * another learner may mention the person; a record without that block is searched whole. An address counts in any spelling.
 *
 * @example
 * const ann = { user_id: 7, emails: new Set(['ann@acme.test']), external_ids: new Set(['9101']) };
 * aboutPerson(ann)({ user: { external_user_id: 9101 } }); // => true
 * aboutPerson(ann)({ user: { email: 'joann@acme.test' } }); // => false
 */
export function aboutPerson(person: Person): IsAbout {
  const namesAddress = addressFinder(person.emails);
  const misspelt = spelledIds(person);
  return (raw, planned) => {
    const user_id = planned && userOf(planned);
    if (user_id !== undefined) return user_id === person.user_id;
    const user = isObject(raw) ? (raw['user'] ?? undefined) : undefined;
    const sent = isObject(user) ? user['external_user_id'] : user;
    const id = externalId(sent);
    // Another spelling can be the id of another person. `idsSpelledLike` finds it, and the erasure asks whose it is.
    if (id === undefined ? misspelt(sent) : person.external_ids.has(id)) return true;
    return [...textsIn(user ?? raw)].some(namesAddress);
  };
}

function spelledIds({ external_ids }: Pick<Person, 'external_ids'>): (sent: unknown) => boolean {
  const spelled = new Set([...external_ids].map(spelledId));
  return (sent) => typeof sent === 'string' && spelled.has(spelledId(sent));
}

/**
 * The external ids of rejected records that are an id of the person in another spelling, as they were sent.
 *
 * @example
 * const ann = { user_id: 7, emails: new Set([]), external_ids: new Set(['emp-7']) };
 * idsSpelledLike(ann)({ user: { external_user_id: 'EMP-7' } }); // => ['EMP-7']
 */
export function idsSpelledLike(person: Person): (raw: unknown, planned?: PlannedRecord) => string[] {
  const isSpelledLike = spelledIds(person);
  return (raw, planned) => {
    const user = isObject(raw) ? raw['user'] : undefined;
    const id = externalId(isObject(user) ? user['external_user_id'] : user);
    const isFound = planned !== undefined && userOf(planned) !== undefined;
    return id !== undefined && !isFound && isSpelledLike(id) ? [id] : [];
  };
}

function userOf({ write, result }: PlannedRecord): number | undefined {
  return write?.user_id ?? result.progress?.user_id;
}

/** Whether a text names the person: it is one of the ids, or contains one of the addresses, in any spelling. */
export function namesPerson(person: PersonNames): (text: string) => boolean {
  const namesAddress = addressFinder(person.emails);
  const isId = spelledIds(person);
  return (text) => isId(text) || namesAddress(text);
}

/**
 * The value with `null` for each text that is a name, and without members that have one as theirs. The same value if there is none.
 *
 * @example
 * withoutTexts({ by: 'ann@acme.test', 'ann@acme.test': 1, rows: 3 }, (text) => text.includes('@')); // => { by: null, rows: 3 }
 */
export function withoutTexts(value: unknown, isName: (text: string) => boolean): unknown {
  if (typeof value === 'string') return isName(value) ? null : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const left = members
    .filter(([name]) => Array.isArray(value) || !isName(name))
    .map(([name, member]) => [name, withoutTexts(member, isName)] as const);
  if (left.length === members.length && left.every(([, member], at) => member === members[at]?.[1])) return value;
  return Array.isArray(value) ? left.map(([, member]) => member) : Object.fromEntries(left);
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    yield name;
    yield* textsIn(member);
  }
}

/** Further names of the person in a record that is theirs; the address only if it was resolved to them. */
export function namesIn(raw: unknown, planned: PlannedRecord | undefined): PersonNames {
  const user = isObject(raw) && isObject(raw['user']) ? raw['user'] : {};
  const isFound = planned !== undefined && userOf(planned) !== undefined;
  const id = externalId(user['external_user_id']);
  return {
    emails: new Set(isFound && isEmailAddress(user['email']) ? [emailKey(user['email'])] : []),
    external_ids: new Set(id === undefined ? [] : [id]),
  };
}

const DETAILS_ERASED = 'The person whom this record was about has been erased.';

/** The result of a record whose person was erased: its status, outcome and codes, without any of its content. */
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

/** The result of another learner's record, without the id of the erased user who held its `external_record_id`. */
export function withoutHolder(result: RecordResult, user_id: number): RecordResult {
  const isNamed = ({ error_code, message }: Problem) =>
    error_code === 'duplicate_external_record_id' && message.includes(` belongs to user ${user_id} `);
  if (!result.errors.some(isNamed)) return result;
  return { ...result, errors: result.errors.map((error) => (isNamed(error) ? HOLDER_ERASED : error)) };
}
