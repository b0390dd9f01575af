/** Registers of certificates: each row is one, and the day on which it was issued completes its course. */
import { isOtherDay } from '../profile/roles.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import type { FileContext } from './begun.ts';
import { differsInEveryRow } from './column-facts.ts';
import type { Part } from './part.ts';

/** The column of the course names certificates, or each row has a number of one. */
export const isRegister = (
  { columns, rows }: { readonly columns: readonly ColumnProfile[]; readonly rows: number },
  course: ColumnProfile | undefined,
): boolean =>
  columns.some(
    (column) =>
      column.topics.has('certificate') && (column === course || (column.filled >= rows && differsInEveryRow(column))),
  );

/** The day of completion; in a register, where no other is, the only day on which a certificate was issued. @param own by its header */
export function dayOfCertificate(filled: readonly Part[], own: Part | undefined, { isRegister: isIssue }: FileContext) {
  const [only, ...others] = filled.filter(({ column }) => column.topics.has('obtained') && !isOtherDay(column));
  const isIssued = isIssue === true && only !== undefined && others.length === 0 && (own ?? only) === only;
  const completed = isIssued ? only : own;
  return { completed, isIssued, isOfCertificate: isIssued || completed?.column.topics.has('certificate') === true };
}
