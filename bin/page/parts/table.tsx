import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { grouped, shown } from '../../importer/text.ts';
import { TEXT } from '../texts.ts';

type Cell = string | number | { readonly node: ComponentChildren };

interface Props {
  readonly caption: string;
  /** Whether the caption is only for people who cannot see the table. */
  readonly hidesCaption?: boolean;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether the first cell of each row names it. */
  readonly hasRowNames?: boolean;
}

/** Rows that are shown at once, and columns at all: a browser draws them without a pause. */
const MOST_ROWS = 100;
const MOST_COLUMNS = 60;

/** A table that scrolls in its own frame where it is wider than the screen. Texts of others are shown with control characters visible. Of a long one the first rows are shown, and further ones if asked for. */
export function Table({ caption, hidesCaption = false, head: allHeads, rows: allRows, hasRowNames = false }: Props) {
  const [most, setMost] = useState(MOST_ROWS);
  const head = allHeads.slice(0, MOST_COLUMNS);
  const rows = allRows.slice(0, most).map((row) => row.slice(0, MOST_COLUMNS));
  const hiddenRows = allRows.length - rows.length;
  const hiddenColumns = allHeads.length - head.length;
  return (
    <>
      <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
        <table class={head.length === 0 ? 'short' : undefined}>
          <caption class={hidesCaption ? 'unseen' : undefined}>{caption}</caption>
          {head.length > 0 && (
            <thead>
              <tr>
                {head.map((title, index) => (
                  <th scope="col" class={typeof rows[0]?.[index] === 'number' ? 'number' : undefined}>
                    {shown(title)}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {rows.map((row) => (
              <tr>
                {row.map((cell, index) =>
                  hasRowNames && index === 0 ? <th scope="row">{contentOf(cell)}</th> : <DataCell cell={cell} />,
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hiddenColumns > 0 && <p class="hint">{TEXT.table.moreColumns(hiddenColumns)}</p>}
      {hiddenRows > 0 && (
        <button type="button" class="plain" onClick={() => setMost(most + MOST_ROWS)}>
          {TEXT.table.moreRows(Math.min(MOST_ROWS, hiddenRows), hiddenRows)}
        </button>
      )}
    </>
  );
}

const DataCell = ({ cell }: { readonly cell: Cell }) => (
  <td class={typeof cell === 'number' ? 'number' : undefined}>{contentOf(cell)}</td>
);

function contentOf(cell: Cell): ComponentChildren {
  if (typeof cell === 'number') return grouped(cell);
  return typeof cell === 'string' ? shown(cell) : cell.node;
}
