/** The problems and warnings of a record. Every message is a sentence that names the field, what is wrong and the rule. */
import type { BaseIssue } from 'valibot';
import { broken } from './text.ts';
import type { Problem, RecordErrorCode, Warning, WarningCode } from '../shared/codes.ts';

/** @param rule the message behind the name of the field, without its full stop */
export function problem(error_code: RecordErrorCode, field: string, rule: string): Problem {
  return { error_code, message: `${field} ${rule}.`, field };
}

/** `invalid_record` (§7.3): "structural problem; the message names the field". */
export function invalid(field: string, rule: string): Problem {
  return problem('invalid_record', field, rule);
}

/** @param text the message behind the name of the field, without its full stop */
export function warning(warning_code: WarningCode, field: string, text: string): Warning {
  return { warning_code, message: `${field} ${text}.`, field };
}

/** At most `max` problems, and one that counts the rest. Those of single classes go last then: they hide no other. */
export function firstProblems(problems: readonly Problem[], max: number): readonly Problem[] {
  if (problems.length <= max) return problems;
  const ofClasses = problems.filter(isOfClass);
  const named = [...problems.filter((one) => !isOfClass(one)), ...ofClasses].slice(0, max);
  const rest = problems.length - max;
  const message = `The record has ${rest} more ${rest === 1 ? 'problem' : 'problems'}.`;
  return [...named, { error_code: 'invalid_record', message }];
}

function isOfClass({ field }: Problem): boolean {
  return field?.startsWith('progress.classes.') === true;
}

/** The problems of one block of a record, each at the dotted path of its member. */
export function blockProblems(block: string, issues: readonly BaseIssue<unknown>[]): Problem[] {
  return issues.map((issue) => blockProblem(block, issue));
}

function blockProblem(block: string, issue: BaseIssue<unknown>): Problem {
  const path = [block, ...(issue.path ?? []).map(({ key }) => String(key))];
  if (isMemberOfArray(issue)) return invalid(path.slice(0, -1).join('.'), broken('must be an object', []));
  const field = path.join('.');
  return problem(codeOf(field, typeof issue.input), field, broken(issue.message, issue.input ?? undefined));
}

/** A value of the wrong type is a structural problem; the other codes are for a wrong value of the right type. */
function codeOf(field: string, sentType: string): RecordErrorCode {
  if (field === 'content.type' && sentType === 'string') return 'unsupported_content_type';
  if (field === 'progress.completion_pct' && sentType === 'number') return 'invalid_completion_pct';
  if (field.endsWith('_at') && sentType === 'string') return 'invalid_date_format';
  return 'invalid_record';
}

/** Valibot takes an array for an object without members; what is wrong is the array. */
function isMemberOfArray({ path }: BaseIssue<unknown>): boolean {
  const last = path?.at(-1);
  return last !== undefined && Array.isArray(last.input) && typeof last.key === 'string';
}
