/** Corrected cells, as a draft has them: one text for many rows once. */
import type { Corrections } from '../../engine/read/open-source.ts';
import type { DraftDocument } from './draft.ts';

export function correctionsIn({ corrections = [] }: DraftDocument): Record<number, Corrections> {
  const found: Record<number, Record<number, Record<number, string>>> = {};
  for (const { file, column, text, lines } of corrections)
    for (const line of lines) ((found[file] ??= {})[line] ??= {})[column] = text;
  return found;
}

/** A correction of many rows is noted once. */
export function correctionsOf(given: Readonly<Record<number, Corrections>>): DraftDocument['corrections'] {
  const found = new Map<string, { file: number; column: number; text: string; lines: number[] }>();
  for (const [file, rows] of Object.entries(given))
    for (const [line, cells] of Object.entries(rows))
      for (const [column, text] of Object.entries(cells)) {
        const key = JSON.stringify([file, column, text]);
        const known = found.get(key) ?? { file: Number(file), column: Number(column), text, lines: [] };
        known.lines.push(Number(line));
        found.set(key, known);
      }
  return [...found.values()];
}
