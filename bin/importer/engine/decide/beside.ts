/** Columns that say something only beside another one: a part and its whole, a score and its pass mark, a code and its text. */
import { plainNumber } from '../dates/convert-value.ts';
import type { ColumnProfile } from '../profile/table-profile.ts';
import type { Role } from '../lexicon/headers.ts';
import { plainText } from '../lexicon/words.ts';

/** Each course may have its own. */
const MOST_MARKS = 12;

/** `Status ID` beside `Status Description`, `completed_on_timestamp` beside `completed_on`: one says what the other means. */
export function codesBesideTexts(columns: readonly ColumnProfile[]): ColumnProfile[] {
  const named = columns.map((column) => ({ column, name: plainText(column.reference) }));
  return named.flatMap(({ column, name }) => {
    const stem = /^(.+) (?:id|code|cd|timestamp|formatted)$/.exec(name)?.[1] ?? (column.isNumber ? name : undefined);
    const others = new Set(['', ' desc', ' description', ' name', ' text', ' label'].map((end) => `${stem}${end}`));
    others.delete(name);
    const isBeside = named.some((other) => others.has(other.name) && other.column.texts.size === column.texts.size);
    return isBeside ? column : [];
  });
}

/** `steps completed` of `steps total`: the whole by the column of the part. */
export function partsOfWholes(columns: readonly ColumnProfile[]): Map<ColumnProfile, ColumnProfile> {
  const numbers = columns.filter(
    (column) => column.isNumber && !column.isFlag && column.dateFormats.every((each) => /^excel|^epoch/.test(each)),
  );
  const found = new Map<ColumnProfile, ColumnProfile>();
  for (const part of numbers) {
    const stem = /^(.*?) ?(?:completed|complete|done|finished|viewed|passed) ?(.*)$/.exec(part.plain);
    if (stem === null || /percent|pct|%|\b(assess|exam|quiz|test|exercise)/.test(part.plain)) continue;
    const name = `${stem[1]} ${stem[2]}`.trim();
    const whole = numbers.find(
      ({ plain }) =>
        [name, `${name} total`, `total ${name}`, `${name} count`, `${name} required`, `all ${name}`].includes(plain) &&
        name !== '',
    );
    if (whole !== undefined) found.set(part, whole);
  }
  return found;
}

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

const MARK_IN_HEADER =
  /\b(?:pass(?:ing)?(?: ?(?:mark|score|grade))?|mastery|bestanden)\b\D{0,6}?([1-9]\d{0,2})\b|\b([1-9]\d{0,2}) ?%? ?(?:to pass|pass(?:ing)? ?mark|passing)\b/i;

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
  /\b(passing|pass|mastery|threshold|cut ?off|minimum|min|required)\b.*\b(score|mark|grade|percentage|percent|%)|\b(pass ?mark|threshold)\b|bestehens|mindest(punkt|note)|seuil|note (de passage|minimale)|nota (minima|de corte)|(puntuacion|pontuacao|punteggio|voto) minim|slaag|prog zalicz|gecme|合格(点|基準)|及格|합격/.test(
    column.plain,
  );
