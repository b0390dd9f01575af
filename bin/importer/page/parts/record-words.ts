/** A record, and why one is rejected, in words of people. */
import { ownValue } from '../../engine/ground/own-value.ts';
import { FIELD_NAMES, memberOf, valueAt } from '../../engine/ground/fields.ts';
import { shown } from '../../engine/ground/text.ts';
import { dayOf, percentText, TEXT } from '../texts/index.ts';
import { type Cause, plainCode } from '../worker/causes.ts';

const textAt = (record: unknown, field: Parameters<typeof memberOf>[1]): string | undefined => {
  const value = memberOf(record, field);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
};

export const personOf = (record: unknown): string =>
  shown(textAt(record, 'user.email') ?? textAt(record, 'user.external_user_id') ?? '');

/** @param titles of the platform's courses */
export function courseOf(record: unknown, titles: ReadonlyMap<number, string>): string {
  const id = textAt(record, 'content.platform_course_id') ?? textAt(record, 'content.external_course_id') ?? '';
  return shown(titles.get(Number(id)) ?? id);
}

export function progressOf(record: unknown): string {
  const { states } = TEXT.review;
  const status = textAt(record, 'assessment.status');
  const pct = textAt(record, 'progress.completion_pct');
  const date = textAt(record, 'progress.completed_at') ?? textAt(record, 'assessment.taken_at');
  const state = status === 'failed' ? states.failed : Number(pct) >= 100 ? states.completed : states.in_progress;
  return [
    status === 'passed' ? states.certified : state,
    ...(pct === undefined ? [] : [percentText(pct)]),
    ...(date === undefined ? [] : [dayOf(date)]),
  ].join(', ');
}

export const sentOf = (record: unknown): string =>
  FIELD_NAMES.filter((field) => /^(?:progress|assessment)\./.test(field))
    .flatMap((field) => {
      const value = textAt(record, field);
      return value === undefined ? [] : [`${TEXT.fields[field]} ${shown(valueWords(field, value))}`];
    })
    .join(' · ');

function valueWords(field: string, value: string): string {
  const { failed, certified } = TEXT.review.states;
  if (field.endsWith('_at')) return dayOf(value);
  return field === 'assessment.status' ? (ownValue({ failed, passed: certified }, value) ?? value) : value;
}

type Reason = Pick<Cause, 'code' | 'field' | 'column' | 'value'>;

/** Who or what is wrong, and the rule. */
export function reasonOf({ code, field, column, value }: Reason): string {
  const { noValue, value: cell, reasons, other } = TEXT.rejected;
  // An empty cell is no course or person that the platform does not know.
  if (value === '') return ownValue(reasons, code)?.(noValue(shown(column ?? fieldName(field) ?? cell))) ?? other;
  const what = code === 'unconfirmed_kind' ? kindWords(value) : TEXT.quoted(shown(value));
  return ownValue(reasons, plainCode(code, field))?.(what) ?? other;
}

/** Why a record is rejected, with the value that was: of the member that the error names, else the person. */
export function whyOf(record: unknown, code: string, field: string | undefined): string {
  const value = field === undefined ? code.includes('user') && personOf(record) : valueAt(record, field);
  const isNamed = typeof value === 'string' || typeof value === 'number';
  return reasonOf({ code, field, column: undefined, value: isNamed ? String(value) : '' });
}

const fieldName = (field: string | undefined): string | undefined =>
  field && (ownValue(TEXT.fields, field) ?? ownValue(TEXT.fields, field.split('.')[0] ?? ''));

const kindWords = (kind: string): string =>
  kind.replaceAll(/ = ([^,]*)/g, (_, word: string) => ` ${ownValue(TEXT.review.classes, word) ?? shown(word)}`);
