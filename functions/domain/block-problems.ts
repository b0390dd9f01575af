import type { BaseIssue } from 'valibot';
import type { Problem, RecordErrorCode } from './codes.ts';
import type { BlockName } from './record-blocks.ts';

const NAMED_CLASS_ENTRIES = 10;

/**
 * The problems of one block, in the order of its schema (§7.3). Of the class entries with problems the first 10 are named;
 * the others are counted in one problem of `progress.classes`.
 */
export function blockProblems(block: BlockName, issues: readonly BaseIssue<unknown>[]): Problem[] {
  const badEntries = new Set(issues.map(classEntryOf).filter((entry) => entry !== undefined));
  const named = new Set([...badEntries].slice(0, NAMED_CLASS_ENTRIES));
  const problems = issues
    .filter((issue) => isNamed(classEntryOf(issue), named))
    .map((issue) =>
      isMemberOfArray(issue)
        ? invalid(`${block}.${pathOf(issue)}`, 'must be an object')
        : toProblem(`${block}.${pathOf(issue)}`, issue),
    );
  const unnamed = badEntries.size - named.size;
  return unnamed === 0 ? problems : [...problems, invalid('progress.classes', `holds ${unnamed} more invalid entries`)];
}

/** `invalid_record` (§7.3): "structural problem; the message names the field". */
export function invalid(field: string, rule: string): Problem {
  return { error_code: 'invalid_record', message: `${field} ${rule}`, field };
}

function toProblem(field: string, issue: BaseIssue<unknown>): Problem {
  const isAbsent = issue.input === undefined || issue.input === null;
  const error_code = codeOf(field, typeof issue.input);
  return { error_code, message: `${field} ${isAbsent ? 'is required' : issue.message}`, field };
}

/** A value of the wrong type is a structural problem; the other codes are for a wrong value of the right type. */
function codeOf(field: string, sentType: string): RecordErrorCode {
  if (field === 'content.type' && sentType === 'string') return 'unsupported_content_type';
  if (field === 'progress.completion_pct' && sentType === 'number') return 'invalid_completion_pct';
  if (field.endsWith('_at') && sentType === 'string') return 'invalid_date_format';
  return 'invalid_record';
}

function pathOf(issue: BaseIssue<unknown>): string {
  const path = issue.path ?? [];
  return (isMemberOfArray(issue) ? path.slice(0, -1) : path).map(({ key }) => String(key)).join('.');
}

/** Valibot takes an array for an object without members; what is wrong is the array. */
function isMemberOfArray({ path }: BaseIssue<unknown>): boolean {
  const last = path?.at(-1);
  return last !== undefined && Array.isArray(last.input) && typeof last.key === 'string';
}

function classEntryOf({ path }: BaseIssue<unknown>): number | undefined {
  return path?.[0]?.key === 'classes' && typeof path[1]?.key === 'number' ? path[1].key : undefined;
}

function isNamed(entry: number | undefined, named: ReadonlySet<number>): boolean {
  return entry === undefined || named.has(entry);
}
