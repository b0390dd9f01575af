import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { shown } from '../../engine/ground/text.ts';
import { TEXT } from '../texts/index.ts';
import { Button, Card, Input } from './controls.tsx';

/** `text`: what a search finds. */
export type Cell =
  | string
  | number
  | { readonly text?: string; readonly is?: 'wrong' | 'number'; readonly node: () => ComponentChildren };

interface Props<Row> {
  readonly caption: string;
  /** Without it the caption is only for people who cannot see the table. */
  readonly showsCaption?: boolean;
  readonly head: readonly string[];
  readonly rows: readonly Row[];
  readonly cells: (row: Row) => readonly Cell[];
  /** The rows of a file: none is named by its first cell, and each is one line. */
  readonly isPreview?: boolean;
}

/** Rows and columns that are drawn at once, which a browser does without a pause. */
const MOST_ROWS = 100;
const MOST_COLUMNS = 60;

/** Scrolls in its own frame, with control characters visible. Of a long one only some rows are in the document. */
export function Table<Row>({ caption, showsCaption, head, rows: all, cells, isPreview = false }: Props<Row>) {
  const [words, setWords] = useState('');
  const [wanted, setFirst] = useState(0);
  const isPrinted = useIsPrinted();
  const found = useMemo(() => foundIn(all, cells, words), [all, words]);
  const first = wanted < found.length ? wanted : 0;
  const rows = (isPrinted ? found : found.slice(first, first + MOST_ROWS)).map(cells);
  const search = (text: string): void => {
    setWords(text);
    setFirst(0);
  };
  const hiddenColumns = head.length - MOST_COLUMNS;
  return (
    <>
      {all.length > MOST_ROWS && (
        <div class="head pages">
          <Input label={TEXT.table.search} type="search" value={words} onInput={search} onEnter={() => {}} />
          <p class="hint" role="status">
            {TEXT.table.found(found.length, all.length)}
          </p>
          <div class="actions">
            <Button text={TEXT.table.before} disabled={first === 0} onClick={() => setFirst(first - MOST_ROWS)} />
            <span>{TEXT.table.shown(found.length === 0 ? 0 : first + 1, first + rows.length)}</span>
            <Button
              text={TEXT.table.after}
              disabled={first + MOST_ROWS >= found.length}
              onClick={() => setFirst(first + MOST_ROWS)}
            />
          </div>
        </div>
      )}
      <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
        <table class={head.length === 0 ? 'short' : isPreview ? 'preview' : undefined}>
          <caption class={showsCaption === true ? undefined : 'unseen'}>{caption}</caption>
          {head.length > 0 && (
            <thead>
              <tr>
                {head.slice(0, MOST_COLUMNS).map((title, column) => (
                  <th scope="col" class={classOf(rows[0]?.[column] ?? title) === 'number' ? 'number' : undefined}>
                    {shown(title)}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {rows.map((row, index) => (
              <tr key={first + index}>
                <Cells cells={row} head={head} isPreview={isPreview} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hiddenColumns > 0 && <p class="hint">{TEXT.table.moreColumns(hiddenColumns)}</p>}
    </>
  );
}

/** A table in a card of its own, if it has rows. */
export const TableCard = <Row,>(props: Props<Row>) =>
  props.rows.length === 0 ? null : (
    <Card title={props.caption}>
      <Table {...props} />
    </Card>
  );

function useIsPrinted(): boolean {
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    const changed = ({ type }: Event): void => setPrinted(type === 'beforeprint');
    addEventListener('beforeprint', changed);
    addEventListener('afterprint', changed);
    return () => {
      removeEventListener('beforeprint', changed);
      removeEventListener('afterprint', changed);
    };
  }, []);
  return isPrinted;
}

interface PairsProps {
  readonly caption: string;
  readonly pairs: readonly (readonly [name: string, value: string | number])[];
}

export const Pairs = ({ caption, pairs }: PairsProps) => (
  <Table caption={caption} head={[]} rows={pairs} cells={(pair) => pair} />
);

function foundIn<Row>(rows: readonly Row[], cells: Props<Row>['cells'], words: string): readonly Row[] {
  const sought = words.trim().toLowerCase();
  if (sought === '') return rows;
  return rows.filter((row) => cells(row).some((cell) => textOf(cell).toLowerCase().includes(sought)));
}

/** A date or a few words stay in one line. */
const MOST_BRIEF = 12;

interface CellsProps {
  readonly cells: readonly Cell[];
  readonly head: readonly string[];
  readonly isPreview: boolean;
}

/** On a narrow screen each cell has the title of its column before it. */
const Cells = ({ cells, head, isPreview }: CellsProps) =>
  cells.slice(0, MOST_COLUMNS).map((cell, index) => {
    const props = { class: classOf(cell), 'data-title': head[index] === undefined ? undefined : shown(head[index]) };
    return !isPreview && index === 0 ? (
      <th scope="row" {...props}>
        {contentOf(cell)}
      </th>
    ) : (
      <td {...props}>{contentOf(cell)}</td>
    );
  });

function classOf(cell: Cell): string | undefined {
  if (typeof cell === 'object') return cell.is;
  if (typeof cell === 'number') return 'number';
  return cell.length <= MOST_BRIEF ? 'brief' : undefined;
}

const textOf = (cell: Cell): string => (typeof cell === 'object' ? (cell.text ?? '') : String(cell));

function contentOf(cell: Cell): ComponentChildren {
  if (typeof cell === 'number') return TEXT.n(cell);
  return typeof cell === 'string' ? shown(cell) : cell.node();
}
