import { useMemo, useState } from 'preact/hooks';
import { download } from './download.ts';
import { Field, Select } from './field.tsx';
import { Table } from './table.tsx';
import { Problem, useTask } from './task.tsx';
import { type Derivation, derivedName } from '../../engine/records/derived-name.ts';
import { shown } from '../../engine/text.ts';
import { current, update, useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts.ts';
import type { Report, ShownRejection } from '../worker/run.ts';

const text = TEXT.rejected;
/**
 * The rejected rows with their reasons; a filter by reason; the download of all.
 *
 * @param canCorrect whether the cells can be edited: before the import
 */
export function RejectedRows({
  report,
  canCorrect = false,
}: {
  readonly report: Report;
  readonly canCorrect?: boolean;
}) {
  const { opened, corrected } = useStore();
  const [reason, setReason] = useState('');
  const { rejected, summary, unmatched } = report;
  const chosen = useMemo(
    () => (reason === '' ? rejected : rejected.filter(({ codes }) => codes.includes(reason))),
    [rejected, reason],
  );
  if (summary.rejected === 0) return <p class="card">{text.none}</p>;
  const columns = opened?.files[0]?.columns ?? [];
  return (
    <section class="card">
      <h2>{text.title(summary.rejected)}</h2>
      <Field label={text.reason} isNarrow>
        <Select
          value={reason}
          options={[
            ['', text.allReasons],
            ...Object.entries(summary.rejected_by_reason).map(([code, count]) => [code, `${code} (${count})`] as const),
          ]}
          onChange={setReason}
        />
      </Field>
      <Table
        caption={text.title(summary.rejected)}
        head={[text.line, text.why, ...columns]}
        key={reason}
        rows={chosen}
        cells={(row) => [
          String(row.line),
          row.messages.join(' '),
          ...(canCorrect && opened?.files[row.file]?.format === 'csv'
            ? row.cells.map((cell, index) => ({
                text: corrected[keyOf(row)]?.[index] ?? cell,
                node: () => <CellInput row={row} index={index} column={columns[index] ?? ''} />,
              }))
            : row.cells),
        ]}
      />
      {Object.keys(corrected).length > 0 && <p role="status">{text.edited(Object.keys(corrected).length)}</p>}
      {rejected.length < summary.rejected && <p class="hint">{text.more(rejected.length)}</p>}
      <Downloads hasUnmatched={unmatched.rows > 0} />
    </section>
  );
}

const keyOf = ({ file, line }: ShownRejection): string => `${file} ${line}`;

interface CellProps {
  readonly row: ShownRejection;
  readonly index: number;
  readonly column: string;
}

/** A cell that can be corrected; the next check reads it. */
function CellInput({ row, index, column }: CellProps) {
  const { corrected } = useStore();
  const { file, line, cells } = row;
  const key = keyOf(row);
  const own = corrected[key] ?? cells;
  const correct = (value: string): void => {
    const changed = own.with(index, value);
    update({ corrected: { ...current().corrected, [key]: changed } });
    void call('correctRow', file, line, changed);
  };
  return (
    <input
      aria-label={text.edit(shown(column), line)}
      value={own[index] ?? ''}
      onInput={(event) => correct(event.currentTarget.value)}
    />
  );
}

/** The files that the command writes beside each file. */
function Downloads({ hasUnmatched }: { readonly hasUnmatched: boolean }) {
  const { opened } = useStore();
  const [isSafe, setSafe] = useState(false);
  const task = useTask();
  const save = (kind: Derivation): void =>
    task.run(async () => {
      for (const [index, { name, format }] of (opened?.files ?? []).entries()) {
        const lines = await call('rejectedFile', index, kind, isSafe);
        if (lines !== '') download(derivedName(name, kind, format === 'csv' ? '.csv' : '.ndjson'), lines);
      }
    });
  return (
    <>
      <label class="check">
        <input type="checkbox" checked={isSafe} onChange={(event) => setSafe(event.currentTarget.checked)} />
        <span>{text.safe}</span>
      </label>
      <div class="actions">
        <button type="button" disabled={task.isBusy} onClick={() => save('rejected')}>
          {text.download}
        </button>
        {hasUnmatched && (
          <button type="button" class="plain" disabled={task.isBusy} onClick={() => save('unmatched')}>
            {text.downloadUnmatched}
          </button>
        )}
      </div>
      <Problem task={task} />
    </>
  );
}
