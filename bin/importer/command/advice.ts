/** The sentences of the engine at the terminal: each with the options, or the lines of a mapping, that help there. */
import type { Code, Codes, Said } from '../engine/ground/codes.ts';
import { EngineError, messageOf } from '../engine/ground/errors.ts';
import type { RecordError } from '../engine/run/summary.ts';
import { EN } from '../texts/en.ts';

/** Follows its sentence. Advice that begins with a comma or a semicolon takes the place of the point. */
const ADVICE: { readonly [Each in Code]?: (params: Codes[Each]) => string } = {
  not_utf8: () => ', or name its --encoding.',
  row_may_be_title: ({ text }) =>
    `If "${text}" is a title or a total, add to the mapping: "skip": [{ "column": "#1", "is": [${JSON.stringify(text)}] }].`,
  kind_undecided: ({ values }) =>
    `Correct the row, confirm the kind with init-mapping, or add to kinds.confirmed of the mapping a line like ${JSON.stringify({ values, outcome: 'leave_out', reason: '…' })}.`,
  address_undecided: ({ address }) =>
    `Give each person their own address, run init-mapping again, or add to choices.shared of the mapping ${JSON.stringify(address)}: "import" (one person's), or "leave_out".`,
  taken_back_undecided: () => 'Confirm its kind with init-mapping.',
  kinds_missing: () => '; init-mapping writes what each kind of row becomes, for a person to confirm',
  said_by_kinds: () => '; init-mapping writes them',
  other_sheet_chosen: () => 'with --sheet',
  sheet_hidden: () => '; import it with --sheet',
  sheet_of_other_header: () => '; import it with --sheet',
};

/** What the engine says, with the advice. */
export function saidInWords<Some extends Code>({ code, params }: Said<Some>): string {
  const sentence = EN[code](params, saidInWords);
  const advice = ADVICE[code]?.(params) ?? '';
  if (advice === '') return sentence;
  return /^[,;]/.test(advice) ? `${sentence.replace(/\.$/, '')}${advice}` : `${sentence} ${advice}`;
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
