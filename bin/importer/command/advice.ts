/** The sentences of the engine at the terminal: each with the options, or the lines of a mapping, that help there. */
import type { Code, Codes, Said } from '../engine/ground/codes.ts';
import type { Field } from '../engine/ground/fields.ts';
import { EngineError, messageOf } from '../engine/ground/errors.ts';
import type { RecordError } from '../engine/run/summary.ts';
import { EN } from '../texts/en.ts';

/** Options that name the columns of a table of ids. */
const OPTIONS: Readonly<Partial<Record<Field, string>>> = {
  'user.external_user_id': '--id-column',
  'user.email': '--email-column',
  'content.external_course_id': '--id-column',
  'content.platform_course_id': '--course-column',
};

/** Follows its sentence. Advice that begins with a comma, a colon or a semicolon takes the place of the point. */
const ADVICE: { readonly [Each in Code]?: (params: Codes[Each]) => string } = {
  mapping_undecided: () => 'Run init-mapping at a terminal, or correct the mapping and delete its "undecided".',
  no_kind_confirmed: () =>
    'Say what each kind becomes: run init-mapping at a terminal, or choose the file on the page, or write the kinds that init-mapping --json lists into kinds.confirmed of the mapping. --accept-suggestions confirms those that have a suggestion; words that are not known here have none.',
  not_utf8: () => ', or name its --encoding.',
  row_may_be_title: ({ text }) =>
    `If "${text}" is a title or a total, add to the mapping: "skip": [{ "column": "#1", "is": [${JSON.stringify(text)}] }].`,
  kind_undecided: ({ values }) =>
    `Correct the row, confirm the kind with init-mapping, or add to kinds.confirmed of the mapping a line like ${JSON.stringify({ values, outcome: 'leave_out', reason: '…' })}.`,
  address_undecided: ({ address }) =>
    `Give each person their own address, run init-mapping again, or add to choices.shared of the mapping ${JSON.stringify(address)}: "import" (one person's), or "leave_out".`,
  pair_undecided: () => 'Correct that row, or confirm its kind with init-mapping.',
  kinds_missing: () => '; init-mapping writes what each kind of row becomes, for a person to confirm',
  said_by_kinds: () => '; init-mapping writes them',
  orders_contradict: () => 'Run init-mapping with this file and choose, or correct it.',
  file_changed_meanwhile: () => 'Run the command again.',
  run_of_other_name: () => 'Leave out --run to resume it. After that, the file can be imported again as another run.',
  members_refused: () => ': in a JSON file they name its members.',
  no_column_for: ({ field }) => `Name it with ${OPTIONS[field]}.`,
  no_column_of_courses: () => 'Name it with --id-column or --title-column.',
  no_column_of_people: () => 'Name it with --id-column or --email-column.',
  too_many_courses: () => 'Name the column of course ids with --id-column, and that of titles with --title-column.',
  other_sheet_chosen: () => 'with --sheet',
  sheet_hidden: () => '; import it with --sheet',
  sheet_of_other_header: () => '; import it with --sheet',
};

/** What the engine says, with the advice. */
export function saidInWords<Some extends Code>({ code, params }: Said<Some>): string {
  const sentence = EN[code](params, saidInWords);
  const advice = ADVICE[code]?.(params) ?? '';
  if (advice === '') return sentence;
  return /^[,:;]/.test(advice) ? `${sentence.replace(/\.$/, '')}${advice}` : `${sentence} ${advice}`;
}

/** Sheets with the reasons for which some are not read. */
export const sheetsInWords = <Sheet extends { readonly reason: Said | null }>(sheets: readonly Sheet[]) =>
  sheets.map((sheet) => ({ ...sheet, reason: sheet.reason && saidInWords(sheet.reason) }));

/** Why a record is rejected, in words. */
export const errorInWords = ({ said, message }: RecordError): string =>
  said === undefined ? message : saidInWords(said);

/** An error in words. */
export const inWords = (error: unknown): string =>
  error instanceof EngineError ? saidInWords(error.said) : messageOf(error);
