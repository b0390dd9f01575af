/** The tables of docs/errors.md, rendered from the codes by `npm run openapi`. */
import { fileURLToPath } from 'node:url';
import {
  codesOf,
  ERROR_ADVICE,
  RECORD_ERRORS,
  RECORD_WARNINGS,
  REQUEST_ERROR_STATUS,
  WARNING_ADVICE,
} from '../../functions/shared/codes.ts';
import { REQUEST_ERRORS } from '../../lib/openapi/request-errors.ts';

export const ERRORS_PAGE = fileURLToPath(new URL('../../docs/errors.md', import.meta.url));
const TABLE = /^(?:\| status )?\| code \| .*\n(?:\|.*\n)+/gm;

/** The page with its three tables as the code has them. @throws Error if it has fewer or more */
export function withTables(page: string): string {
  const tables = [ofRequests(), ofRecords(RECORD_ERRORS, ERROR_ADVICE), ofRecords(RECORD_WARNINGS, WARNING_ADVICE)];
  const found = page.match(TABLE)?.length;
  if (found !== tables.length) throw new Error(`docs/errors.md has ${found} tables of codes, not ${tables.length}.`);
  return page.replace(TABLE, () => tables.shift() ?? '');
}

const ofRequests = (): string =>
  table(
    ['status', 'code', 'when', 'what to do'],
    codesOf(REQUEST_ERRORS).map((code) => {
      const { when, advice } = REQUEST_ERRORS[code];
      return [String(REQUEST_ERROR_STATUS[code]), `\`${code}\``, when, advice];
    }),
  );

const ofRecords = <Code extends string>(when: Readonly<Record<Code, string>>, advice: Readonly<Record<Code, string>>) =>
  table(
    ['code', 'when', 'what to do'],
    codesOf(when).map((code) => [`\`${code}\``, when[code], advice[code]]),
  );

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(heads), `|${'---|'.repeat(heads.length)}\n`, ...rows.map(line)].join('');
}
