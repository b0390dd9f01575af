/** Exports with a column for each class of one course, without a preset. */
import type { ClassColumn } from './schema.ts';
import type { ColumnProfile } from './table-profile.ts';

/** Without accents. */
const DONE =
  /^(yes|y|x|✓|✔|true|1|complete|completed|done|finished|viewed|passed|ja|abgeschlossen|erledigt|oui|termine|vu|si|completado|visto|sim|concluido|completato)$/i;
const NOT_DONE =
  /^(no|n|false|0|incomplete|not.(completed?|done|started|viewed|finished)|in.progress|started|failed|nein|nicht (abgeschlossen|begonnen)|non|non (termine|commence|completato)|no (completado|iniciado)|nao|nao (concluido|iniciado))$/i;

/** Fewer are no classes: an export has single columns of words and dates, too. */
const FEWEST = 2;

/**
 * Columns whose cells say whether a class was viewed, or when. The class is the one of the course whose title is the header.
 * Empty if there is only one of them.
 *
 * @param isUsed true if the draft uses the column for another member
 */
export function classColumns(
  columns: readonly ColumnProfile[],
  isUsed: (column: ColumnProfile) => boolean,
): ClassColumn[] {
  const rows = Math.max(0, ...columns.map(({ filled }) => filled));
  const found = columns.flatMap((column) => (isUsed(column) ? [] : (classColumn(column, rows) ?? [])));
  return found.length >= FEWEST ? found : [];
}

function classColumn({ name, reference, values, filled, dateFormats }: ColumnProfile, rows: number) {
  if (name.trim() === '' || values.length === 0) return undefined;
  const viewed = values.filter((text) => DONE.test(withoutAccents(text)));
  const not_viewed = values.filter((text) => NOT_DONE.test(withoutAccents(text)));
  if (viewed.length + not_viewed.length === values.length)
    return viewed.length === 0
      ? undefined
      : { column: reference, viewed, ...(not_viewed.length > 0 && { not_viewed }) };
  const dates = dateFormats.find((each) => !/^(excel|epoch)/.test(each));
  // A date in every row belongs to the learner, like the date of birth.
  return dates === undefined || filled === rows ? undefined : { column: reference, dates };
}

const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');
