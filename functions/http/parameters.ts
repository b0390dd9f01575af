/** Values of a request's path and query, each by its rule (§1): pages, choices, dates, runs, and how a person is named. */
import { NO_VALUE } from './request.ts';
import { RequestRejected, malformed, type CompanyRequest } from './types.ts';
import { emailRule, isEmailAddress, isExternalIdText, isPlatformId, isRunId } from '../records/identifiers.ts';
import { DATE_RULE, parseInstant } from '../records/instants.ts';
import { spelledName } from '../records/person.ts';
import { broken, isIdentifierText, quoted } from '../records/text.ts';
import { MAX_EMAIL_LENGTH, MAX_EXTERNAL_ID_LENGTH, MAX_RUN_ID_LENGTH, MAX_SHAPE_LENGTH } from '../shared/limits.ts';
import type { Instant } from '../shared/model.ts';

type QueryValues = Readonly<Record<string, string>>;

/** A parameter that breaks its rule; one that is named twice has no value. */
export function wrongValue(name: string, rule: string, sent: unknown): RequestRejected {
  const isRepeated = typeof sent === 'string' && sent.includes(NO_VALUE);
  return malformed(`${name} ${isRepeated ? `${rule}, sent once` : broken(rule, sent)}.`, name);
}

/** Page size: plain digits from 1 to `max`; `fallback` where the parameter is absent. */
export function limitFrom(query: QueryValues, range: { readonly max: number; readonly fallback: number }): number {
  const text = query['limit'];
  if (text === undefined) return range.fallback;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > range.max) {
    throw wrongValue('limit', `must be a whole number from 1 to ${range.max}`, text);
  }
  return limit;
}

/** A parameter with a closed set of values; `undefined` if absent. @throws RequestRejected that lists the values */
export function choiceFrom<Value extends string>(
  query: QueryValues,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const choice = values.find((value) => value === text);
  if (choice === undefined) {
    throw wrongValue(name, `must be one of: ${values.join(', ')}`, text);
  }
  return choice;
}

/** The learner that a query names, in one of three ways (§4.8). */
export type NamedLearner =
  | { readonly email: string }
  | { readonly user_id: number }
  | { readonly external_user_id: string };

const LEARNER_NAMES = ['email', 'user_id', 'external_user_id'] as const;
/** No two texts are the same id. */
const PLAIN_ID = /^(?:0|[1-9]\d{0,15})$/;

/** The one name of a learner in a query (§4.8). */
export function learnerFrom(query: QueryValues): NamedLearner {
  const [name, ...others] = LEARNER_NAMES.filter((each) => query[each] !== undefined);
  if (name === undefined || others.length > 0)
    throw malformed(`Exactly one of ${LEARNER_NAMES.join(', ')} is required.`, name);
  return LEARNER_READERS[name](query[name] ?? '');
}

const LEARNER_READERS: Readonly<Record<(typeof LEARNER_NAMES)[number], (value: string) => NamedLearner>> = {
  email(value) {
    if (isEmailAddress(value)) return { email: value };
    const hint = String(value).includes(' ') ? ' A plus sign in a query is written %2B.' : '';
    throw malformed(`email ${broken(emailRule(value), value)}.${hint}`, 'email');
  },
  user_id(value) {
    const user_id = PLAIN_ID.test(value) ? Number(value) : undefined;
    if (isPlatformId(user_id)) return { user_id };
    throw wrongValue('user_id', 'must be a whole number from 0 to 2^53 - 1', value);
  },
  external_user_id(value) {
    if (isExternalIdText(value)) return { external_user_id: value };
    throw wrongValue('external_user_id', `must have 1 to ${MAX_EXTERNAL_ID_LENGTH} characters`, value);
  },
};

/** The person whose archived records a query asks for (§4.12), by one name, in the form in which its spellings are equal. */
export function archivedPersonFrom(query: QueryValues): string | undefined {
  const { email, external_user_id } = query;
  if (email !== undefined && external_user_id !== undefined)
    throw malformed('Only one of email and external_user_id can be sent.', 'external_user_id');
  if (external_user_id !== undefined) {
    if (isExternalIdText(external_user_id)) return spelledName(external_user_id);
    throw wrongValue('external_user_id', `must have 1 to ${MAX_EXTERNAL_ID_LENGTH} characters`, external_user_id);
  }
  if (email === undefined) return undefined;
  const spelled = isIdentifierText(email, MAX_SPELLED_LENGTH) ? spelledName(email) : '';
  if (isEmailAddress(spelled)) return spelled;
  throw wrongValue('email', emailRule(spelled), email);
}

/** An address of 254 characters, each percent-encoded. */
const MAX_SPELLED_LENGTH = 3 * MAX_EMAIL_LENGTH;

/** An unescaped plus sign of a query arrives as a blank. A date has no blank, so before an offset it was a plus sign. */
const BLANK_BEFORE_OFFSET = / (?=\d{2}(?::?\d{2})?$)/;

/** A date in any form of rule 5, as an instant. @throws RequestRejected 400 at the parameter */
export function instantFrom(query: QueryValues, name: string): Instant | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const instant = parseInstant(text.replace(BLANK_BEFORE_OFFSET, '+'));
  if (instant !== undefined) return instant;
  throw wrongValue(name, DATE_RULE, text);
}

/** The `run_id` of a query or a body, which may be absent. @throws RequestRejected 400 if it is malformed */
export function runIdFrom(source: Readonly<Record<string, unknown>>): string | undefined {
  const value = Object.hasOwn(source, 'run_id') ? source['run_id'] : undefined;
  if (value === undefined || isRunId(value)) return value;
  throw wrongValue('run_id', `must be a string of 1 to ${MAX_RUN_ID_LENGTH} characters`, value);
}

/** The `shape` of a query, which may be absent. @throws RequestRejected 400 if no run can have it */
export function shapeFrom({ shape }: QueryValues): string | undefined {
  if (shape === undefined || isIdentifierText(shape, MAX_SHAPE_LENGTH)) return shape;
  throw wrongValue('shape', `must be a string of 1 to ${MAX_SHAPE_LENGTH} characters`, shape);
}

/** 404 `run_not_found`: for an unknown run, and for an id that no run can have. */
export function runNotFound(run_id: string): RequestRejected {
  return new RequestRejected('run_not_found', `This company has no run ${quoted(run_id)}.`);
}

/** The run of the caller's company that the path names. A malformed id names none: 404 `run_not_found`. */
export function runOf({ caller, path }: Pick<CompanyRequest, 'caller' | 'path'>) {
  const { run_id = '' } = path;
  if (!isRunId(run_id)) throw runNotFound(run_id);
  return { company_id: caller.company.company_id, run_id };
}
/** The same of a run that may be made. @throws RequestRejected 400 for an id that no run can have */
export function newRunOf({ caller, path }: Pick<CompanyRequest, 'caller' | 'path'>) {
  const run_id = runIdFrom(path) ?? '';
  return { company_id: caller.company.company_id, run_id };
}
