/** Courses and learners that the platform does not know, with their rows. */
import { countLine, grouped, rowsText } from '../../engine/ground/text.ts';
import type { Lacking, Unmatched } from '../../engine/run/unmatched.ts';

const MOST_SHOWN = 10;

/** The sums as text; empty if each record has its course and its learner. */
export function unmatchedLines({ rows, courses, learners }: Unmatched): string[] {
  if (rows === 0) return [];
  return [
    `course or learner unknown, inactive or not yet registered: ${grouped(rows)} of the rejected rows`,
    ...lackingLines('courses', courses),
    ...lackingLines('learners', learners),
  ];
}

function lackingLines(title: string, all: readonly Lacking[]): string[] {
  if (all.length === 0) return [];
  const shown = all.slice(0, MOST_SHOWN);
  const total = all.reduce((sum, { rows }) => sum + rows, 0);
  return [
    `  ${grouped(all.length)} ${all.length === 1 ? title.slice(0, -1) : title}, with ${rowsText(total)}`,
    ...shown.map(({ name, rows, from, to, reason }) => {
      const days = from === null ? '' : `, ${from === to ? from : `${from} … ${to}`}`;
      return countLine(rows, `${name}${days} (${reason})`);
    }),
    ...(all.length > shown.length
      ? [`             … and ${grouped(all.length - shown.length)} more (--json lists all)`]
      : []),
  ];
}
