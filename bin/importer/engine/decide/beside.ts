/** Columns that say something only beside another one: a part and its whole, a score and its pass mark, a code and its text. */
import { plainNumber } from '../dates/convert-value.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import type { Role } from '../lexicon/headers.ts';
import { writtenOut } from '../lexicon/languages.ts';
import { plainText } from '../lexicon/words.ts';

/** Each course may have its own. */
const MOST_MARKS = 12;

/** `Status ID`, and `completed_on_timestamp`. */
const CODE_END = new RegExp(writtenOut('^(.+) {code_end}$'));

/** `emp` of `emp_id`, a header of ids or codes. */
export const stemOfId = (plain: string): string | undefined => CODE_END.exec(plain)?.[1];
export const saysId = (plain: string): boolean => stemOfId(plain) !== undefined;

/** `Status ID` beside `Status Description`, `completed_on_timestamp` beside `completed_on`: one says what the other means. */
export function codesBesideTexts(columns: readonly ColumnProfile[]): ColumnProfile[] {
  const named = columns.map((column) => ({ column, name: plainText(column.reference) }));
  return named.flatMap(({ column, name }) => {
    const stem = stemOfId(name) ?? (column.isNumber ? name : undefined);
    const others = new Set(['', ' desc', ' description', ' name', ' text', ' label'].map((end) => `${stem}${end}`));
    others.delete(name);
    const hasText = named.some((other) => others.has(other.name) && other.column.texts.size === column.texts.size);
    return hasText ? column : [];
  });
}

/** `steps completed`: what stands before and behind. */
const DONE = new RegExp(writtenOut('^(.*?) ?{done} ?(.*)'));

/** `steps completed` of `steps total`: the whole by the column of the part. */
export function partsOfWholes(columns: readonly ColumnProfile[]): Map<ColumnProfile, ColumnProfile> {
  const numbers = columns.filter(
    (column) => column.isNumber && !column.isFlag && column.dateFormats.every((each) => /^excel|^epoch/.test(each)),
  );
  const found = new Map<ColumnProfile, ColumnProfile>();
  for (const part of numbers) {
    const stem = DONE.exec(part.plain);
    if (stem === null || part.topics.has('no_part')) continue;
    const name = singular(`${stem[1]} ${stem[2]}`.trim());
    const whole = numbers.find(
      ({ plain }) =>
        [name, `${name} total`, `total ${name}`, `${name} count`, `${name} required`, `all ${name}`].includes(
          singular(plain),
        ) && name !== '',
    );
    if (whole !== undefined) found.set(part, whole);
  }
  return found;
}

/** `Completed lessons` of a `Lesson count`. */
const singular = (plain: string): string => plain.replaceAll(/s\b/g, '');

/** `Score` beside `Passing score`: the pass mark, which few scores repeat, by the column of the score. */
export function passMarks(
  columns: readonly ColumnProfile[],
  roles: ReadonlyMap<ColumnProfile, Role>,
): Map<ColumnProfile, ColumnProfile> {
  const numbers = columns.filter((column) => column.isMostlyNumber && column.dateFormats.length === 0);
  const found = new Map<ColumnProfile, ColumnProfile>();
  for (const mark of numbers.filter(isPassMark)) {
    const words = new Set(mark.plain.split(' ').filter((word) => word !== '%'));
    const score = numbers.find(
      (column) =>
        column !== mark &&
        !column.isFlag &&
        (roles.get(column) === 'assessment.score_pct' || column.plain.split(' ').some((word) => words.has(word))) &&
        maximumOf(column) >= maximumOf(mark),
    );
    if (score !== undefined) found.set(score, mark);
  }
  return found;
}

const MARK_IN_HEADER = new RegExp(
  writtenOut('\\b{passing}\\b\\D{0,6}?([1-9]\\d{0,2})\\b|\\b([1-9]\\d{0,2}) ?%? ?{to_pass}\\b'),
  'i',
);

/** The pass mark of `Score (pass mark 80)`, if some score reaches it. */
export function markInHeader(column: ColumnProfile): number | undefined {
  const [, behind, before] = MARK_IN_HEADER.exec(column.name) ?? [];
  const mark = Number(behind ?? before);
  return maximumOf(column) >= mark ? mark : undefined;
}

const maximumOf = ({ values }: ColumnProfile): number =>
  Math.max(...values.flatMap((text) => plainNumber(text.replace(',', '.'), '.') ?? []));

const isPassMark = (column: ColumnProfile): boolean =>
  column.isNumber &&
  !column.isFlag &&
  column.texts.size <= MOST_MARKS &&
  column.texts.size * 3 <= column.filled &&
  column.topics.has('pass_mark');
