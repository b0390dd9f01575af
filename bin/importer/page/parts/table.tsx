import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { shown } from '../../engine/text.ts';
import { TEXT } from '../texts/index.ts';
import { Field, Input } from './controls.tsx';
import { jump, useVirtualRows } from './virtual-rows.ts';

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

/** Rows of a table that is drawn as a whole; and columns at all, which a browser draws without a pause. */
const MOST_ROWS = 100;
const MOST_COLUMNS = 60;

/**
 * A table that scrolls in its own frame where it is wider than the screen. Texts of others are shown with control characters
 * visible. A long one scrolls downwards in its frame as well, and can be searched: a browser finds only rows in the document.
 */
export function Table<Row>(props: Props<Row>) {
  const hiddenColumns = props.head.length - MOST_COLUMNS;
  return (
    <>
      {props.rows.length > MOST_ROWS ? <LongTable {...props} /> : <ShortTable {...props} />}
      {hiddenColumns > 0 && <p class="hint">{TEXT.table.moreColumns(hiddenColumns)}</p>}
    </>
  );
}

interface PairsProps {
  readonly caption: string;
  readonly pairs: readonly (readonly [name: string, value: string | number])[];
}

export const Pairs = ({ caption, pairs }: PairsProps) => (
  <Table caption={caption} head={[]} rows={pairs} cells={(pair) => pair} />
);

function ShortTable<Row>({ caption, showsCaption, head, rows: allRows, cells, isPreview }: Props<Row>) {
  const rows = allRows.map(cells);
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table class={head.length === 0 ? 'short' : isPreview === true ? 'preview' : undefined}>
        <caption class={showsCaption === true ? undefined : 'unseen'}>{caption}</caption>
        <Head head={head} sample={rows[0]} />
        <tbody>
          {rows.map((row) => (
            <tr>
              <Cells cells={row} head={head} isPreview={isPreview} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LongTable<Row>({ caption, showsCaption, head, rows: allRows, cells, isPreview }: Props<Row>) {
  const [words, setWords] = useState('');
  const rows = useMemo(() => found(allRows, cells, words), [allRows, words]);
  const frame = useRef<HTMLDivElement>(null);
  const { drawn, gap, onFocus } = useVirtualRows(rows.length, frame);
  const search = (text: string): void => {
    setWords(text);
    frame.current?.scrollTo(0, 0);
  };
  const widths = useMemo(() => widthsOf(head, allRows, cells), [head.join(), allRows]);
  return (
    <>
      <Field label={TEXT.table.search} isNarrow>
        <Input type="search" value={words} onInput={search} onEnter={() => {}} />
      </Field>
      <p class="hint" role="status">
        {TEXT.table.found(rows.length, allRows.length)}
      </p>
      <div class="scroll long" role="region" aria-label={caption} tabIndex={0} ref={frame} onKeyDown={jump}>
        <table aria-rowcount={rows.length + 1}>
          <caption class={showsCaption === true ? undefined : 'unseen'}>{caption}</caption>
          <colgroup>
            {widths.map((width) => (
              <col style={{ width: `${width}ch` }} />
            ))}
          </colgroup>
          <Head head={head} sample={allRows.slice(0, 1).flatMap(cells)} index={1} />
          <tbody onFocusIn={({ target }) => onFocus(rowOf(target))} onFocusOut={() => onFocus(undefined)}>
            {drawn.flatMap((row, index) => [
              <Gap key={`before ${row}`} height={gap((drawn[index - 1] ?? -1) + 1, row)} />,
              <tr key={row} data-row={row} aria-rowindex={row + 2}>
                <Cells cells={rows.slice(row, row + 1).flatMap(cells)} head={head} isPreview={isPreview} />
              </tr>,
            ])}
            <Gap key="end" height={gap((drawn.at(-1) ?? -1) + 1, rows.length)} />
          </tbody>
        </table>
      </div>
    </>
  );
}

function found<Row>(rows: readonly Row[], cells: Props<Row>['cells'], words: string): readonly Row[] {
  const sought = words.trim().toLowerCase();
  if (sought === '') return rows;
  return rows.filter((row) => cells(row).some((cell) => textOf(cell).toLowerCase().includes(sought)));
}

/** Rows whose texts decide how wide the columns are. A width that followed the rows in view would change with each. */
const SAMPLES = 200;
const [LEAST_WIDTH, MOST_WIDTH] = [5, 36];

function widthsOf<Row>(head: readonly string[], rows: readonly Row[], cells: Props<Row>['cells']): number[] {
  const step = Math.ceil(rows.length / SAMPLES);
  const samples = rows.filter((_, index) => index % step === 0).map(cells);
  return head.slice(0, MOST_COLUMNS).map((title, index) => {
    const texts = samples.map(
      (row) => shown(textOf(row[index] ?? '')).length + (typeof row[index] === 'object' ? 4 : 1),
    );
    return Math.min(Math.max(LEAST_WIDTH, title.length + 1, ...texts), MOST_WIDTH);
  });
}

interface HeadProps {
  readonly head: readonly string[];
  readonly sample: readonly Cell[] | undefined;
  readonly index?: number;
}

const Head = ({ head, sample, index }: HeadProps) =>
  head.length === 0 ? null : (
    <thead>
      <tr aria-rowindex={index}>
        {head.slice(0, MOST_COLUMNS).map((title, column) => (
          <th scope="col" class={isNumber(sample?.[column]) ? 'number' : undefined}>
            {shown(title)}
          </th>
        ))}
      </tr>
    </thead>
  );

/** A date or a few words stay in one line. */
const MOST_BRIEF = 12;

const Gap = ({ height }: { readonly height: number }) =>
  height === 0 ? null : (
    <tr class="gap" aria-hidden="true">
      <td style={{ height: `${height}px` }} />
    </tr>
  );

interface CellsProps {
  readonly cells: readonly Cell[];
  readonly head: readonly string[];
  readonly isPreview: boolean | undefined;
}

/** On a narrow screen each cell has the title of its column before it. */
const Cells = ({ cells, head, isPreview = false }: CellsProps) =>
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

const isNumber = (cell: Cell | undefined): boolean => cell !== undefined && classOf(cell) === 'number';

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

/** The number of the row that an element is in. */
function rowOf(element: EventTarget | null): number | undefined {
  const row = element instanceof Element ? element.closest<HTMLElement>('[data-row]') : null;
  return row === null ? undefined : Number(row.dataset['row']);
}
