/** Registers of certificates: each row is one, and the day on which it was issued completes its course. */
import { type Topic, saysTopic } from '../lexicon/topics.ts';
import { plainText } from '../lexicon/words.ts';
import { isOtherDay } from '../profile/roles.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import { stemOf } from '../read/bytes.ts';
import type { FileContext } from './begun.ts';
import { differsInEveryRow, isOfFewWords } from './column-facts.ts';
import type { FoundColumns } from './found.ts';
import { datesIn, type Part } from './part.ts';

/**
 * What the header of the day says on which the certificates were issued; nothing where the rows are no certificates. The column of the
 * course names them, each row has a number of one, or the file has their name: of the last two a mere `Date` is enough, if no other words
 * tell rows apart, like `Participant` and `Speaker`.
 */
export function daysOfRegister(
  { profile: { columns, rows }, learner, course, files }: FoundColumns,
  by: ReadonlyMap<string, unknown>,
): readonly Topic[] {
  const ofCertificates = columns.filter(({ topics }) => topics.has('certificate'));
  const numbers = ofCertificates.filter((column) => column.filled >= rows && differsInEveryRow(column));
  const isOther = (column: ColumnProfile): boolean =>
    column !== learner.column && column !== course.column && !by.has(column.reference);
  const areMere =
    (numbers.some(({ plain }) => saysCertificates(plain)) ||
      files.every((file) => namesCertificates(file, course.column))) &&
    !columns.some((column) => isOther(column) && column.texts.size > 1 && isOfFewWords(column));
  if (areMere) return ['obtained', 'bare_day'];
  return numbers.length > 0 || ofCertificates.some((column) => column === course.column) ? ['obtained'] : [];
}

/** It says nothing else, but words of the courses: `refresher-certificates.csv`. */
function namesCertificates(file: string, course: ColumnProfile | undefined): boolean {
  const titles = new Set(course?.values.flatMap((title) => plainText(title).split(' ')));
  const words = plainText(stemOf(file)).split(' ');
  const others = words.filter((word) => !/^\d*$/.test(word) && !saysCertificates(word));
  return words.some(saysCertificates) && others.every((word) => titles.has(word));
}

/** Seats of a license, badges of a door and issues of any kind have such names, too. */
const saysCertificates = (word: string): boolean =>
  saysTopic(word, 'certificate') && !saysTopic(word, 'other_certificate');

/** The only day of a kind, if it is the one on which a certificate was issued. */
const dayIssued = (filled: readonly Part[], { daysOfRegister: topics = [] }: FileContext): Part | undefined => {
  const [only, ...others] = filled.filter(({ column }) => column.topics.hasAny(...topics) && !isOtherDay(column));
  const isAlone = only?.column.topics.has('bare_day') !== true || filled.length === 1;
  return others.length === 0 && isAlone ? only : undefined;
};

/** The day of completion; in a register, where no other is, the only day on which a certificate was issued. @param own by its header */
export function dayOfCertificate(filled: readonly Part[], own: Part | undefined, context: FileContext) {
  const issued = dayIssued(filled, context);
  const isOfCertificate = issued !== undefined && (own ?? issued) === issued;
  const completed = isOfCertificate ? issued : own;
  return {
    completed,
    /** Whatever the words say. */
    isIssued: isOfCertificate && issued.column.topics.has('obtained'),
    isOfCertificate: isOfCertificate || completed?.column.topics.has('certificate') === true,
  };
}

/** A day of a certificate, beside which `Valid` says nothing more. */
export const isEarned = (parts: readonly Part[], context: FileContext): boolean =>
  dayIssued(datesIn(parts), context) !== undefined;
