import type { ComponentChildren } from 'preact';
import { grouped, shown } from '../../importer/text.ts';

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

/** A table that scrolls in its own frame where it is wider than the screen. Texts of others are shown with control characters visible. */
export function Table({ caption, hidesCaption = false, head, rows, hasRowNames = false }: Props) {
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
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
  );
}

const DataCell = ({ cell }: { readonly cell: Cell }) => (
  <td class={typeof cell === 'number' ? 'number' : undefined}>{contentOf(cell)}</td>
);

function contentOf(cell: Cell): ComponentChildren {
  if (typeof cell === 'number') return grouped(cell);
  return typeof cell === 'string' ? shown(cell) : cell.node;
}
