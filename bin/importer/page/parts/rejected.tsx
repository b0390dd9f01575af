import { useMemo, useState } from 'preact/hooks';
import { rejectedName } from '../../engine/read/bytes.ts';
import { shown } from '../../engine/ground/text.ts';
import { call, current, update, useStore } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import type { Cause } from '../worker/causes.ts';
import type { Report } from '../worker/run.ts';
import { Button, Card, download, Input } from './controls.tsx';
import { reasonOf } from './record-words.ts';
import { type Option, Select } from './select.tsx';
import { type Cell, Table } from './table.tsx';
import { Doing, useTask } from './task.tsx';

const text = TEXT.rejected;

interface Props {
  readonly report: Report;
  /** Before the import a cause can be corrected, for all of its rows at once. */
  readonly canCorrect?: boolean;
}

/** The rejected rows by their cause, each with the rows behind it, and the download of all. */
export function Rejected({ report, canCorrect = false }: Props) {
  const { opened, corrected } = useStore();
  const { rejected, causes, summary } = report;
  const order = useMemo(
    () => causes.map((cause, position) => ({ cause, position })).toSorted((a, b) => b.cause.rows - a.cause.rows),
    [causes],
  );
  if (summary.rejected === 0) return null;
  const isTable = opened?.files.every(({ format }) => format === 'csv') === true;
  const edits = Object.keys(corrected).length;
  // Of rows that were joined, all of a rejected record are.
  const title = text.title(causes.reduce((sum, { rows }) => sum + rows, 0));
  return (
    <Card title={title}>
      <Table
        caption={title}
        head={[text.why, TEXT.review.count, TEXT.review.line, text.correction].slice(0, canCorrect ? 4 : 3)}
        rows={order}
        cells={({ cause, position }) => {
          const correction = () => isTable && cause.index >= 0 && <Correction cause={cause} position={position} />;
          const cells = [reasonOf(cause), cause.rows, String(cause.line)];
          return canCorrect ? [...cells, { text: cause.value, node: correction }] : cells;
        }}
      />
      {edits > 0 && <p role="status">{text.edited(edits)}</p>}
      <Rows report={report} order={order.map(({ position }) => position)} />
      {rejected.length < summary.rejected && rejected.length >= 100_000 && (
        <p class="hint">{TEXT.table.moreRows(rejected.length)}</p>
      )}
      <Download />
    </Card>
  );
}

/** The right text in place of the wrong one, in all rows of the cause; the next check reads it. */
function Correction({ cause, position }: { readonly cause: Cause; readonly position: number }) {
  const { value, rows } = cause;
  const { corrected } = useStore();
  const correct = (to: string): void => {
    const { [position]: _, ...others } = current().corrected;
    update({ corrected: to === value ? others : { ...others, [position]: to } });
    void call('correctCause', position, to);
  };
  return (
    <Input
      aria-label={text.correct(shown(value), rows)}
      value={corrected[position] ?? value}
      onInput={correct}
      onEnter={() => {}}
    />
  );
}

/** Causes in a choice: more are found by the search of the table. */
const MOST_CHOICES = 100;

function Rows({ report: { causes, rejected }, order }: { readonly report: Report; readonly order: readonly number[] }) {
  const { opened } = useStore();
  const [isOpen, open] = useState(false);
  const [wanted, want] = useState('');
  const rows = useMemo(
    () => (wanted === '' ? rejected : rejected.filter(({ cause }) => String(cause) === wanted)),
    [rejected, wanted],
  );
  const options = order.slice(0, MOST_CHOICES).flatMap((position): Option[] => {
    const cause = causes[position];
    return cause === undefined ? [] : [[String(position), `${reasonOf(cause)} (${TEXT.n(cause.rows)})`]];
  });
  return (
    <details open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
      <summary>{text.rows}</summary>
      {isOpen && (
        <>
          {causes.length > 1 && (
            <Select
              label={text.filter}
              isNarrow
              value={wanted}
              options={[['', text.all], ...options]}
              onDecide={want}
            />
          )}
          <Table
            key={wanted}
            caption={text.rows}
            head={[TEXT.review.line, ...(opened?.files[0]?.columns ?? [])]}
            rows={rows}
            cells={({ line, cells, cause }) => [
              String(line),
              ...cells.map((cell, index): Cell =>
                index === causes[cause]?.index ? { text: cell, is: 'wrong', node: () => shown(cell) } : cell,
              ),
            ]}
          />
        </>
      )}
    </details>
  );
}

/** The files that the command writes beside each file. */
function Download() {
  const { opened } = useStore();
  const [isSafe, setSafe] = useState(false);
  const task = useTask();
  const save = (): void =>
    task.run(async () => {
      for (const [index, { name, format }] of (opened?.files ?? []).entries()) {
        const lines = await call('rejectedFile', index, isSafe);
        if (lines !== '') download(rejectedName(name, format === 'csv' ? '.csv' : '.ndjson'), lines);
      }
    });
  return (
    <>
      <div class="actions">
        <Button text={text.download} disabled={task.isBusy} onClick={save} />
        <label class="check">
          <input type="checkbox" checked={isSafe} onChange={(event) => setSafe(event.currentTarget.checked)} />
          <span>{text.safe}</span>
        </label>
      </div>
      <Doing task={task} text={null} />
    </>
  );
}
