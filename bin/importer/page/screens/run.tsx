import { useEffect, useState } from 'preact/hooks';
import { shown } from '../../engine/text.ts';
import { SignEvidence } from '../parts/evidence.tsx';
import { Notice } from '../parts/notice.tsx';
import { courseOf, personOf, reasonOf, sentOf } from '../parts/record-words.ts';
import { Revert } from '../parts/revert.tsx';
import { Figures, Table } from '../parts/table.tsx';
import { Busy, Problem, useTask } from '../parts/task.tsx';
import { hrefOf } from '../state/address.ts';
import { current, update } from '../state/store.ts';
import { call, WorkerError } from '../state/worker.ts';
import { momentOf, TEXT } from '../texts/index.ts';
import type { RejectedRecord, RunPage, ShownRun } from '../worker/history.ts';
import { State } from './runs.tsx';

const text = TEXT.runs;

/** One run, from any machine: who, when, what became of it, the rejected records, and the way back. */
export function RunScreen({ query }: { readonly query: URLSearchParams }) {
  const task = useTask();
  const run_id = query.get('id') ?? '';
  const [page, setPage] = useState<RunPage | undefined>();
  const load = async (): Promise<void> => {
    try {
      setPage(await call('runPage', run_id));
    } catch (error) {
      const isUnknown = error instanceof WorkerError && error.failure.codes.includes('run_not_found');
      throw isUnknown ? new Error(text.notFound, { cause: error }) : error;
    }
  };
  useEffect(() => task.run(load), [run_id]);
  const cancel = (): void =>
    task.run(async () => {
      await call('cancelRun', run_id);
      await load();
    });
  return (
    <>
      <p>
        <a href={hrefOf('runs')}>{text.allRuns}</a>
      </p>
      {task.isBusy && page === undefined && <Busy />}
      <Problem task={task} />
      {page !== undefined && (
        <>
          <Facts page={page} />
          {page.run.state === 'processing' && (
            <button type="button" onClick={cancel}>
              {text.cancel}
            </button>
          )}
          {canRevert(page.run) && (
            <Revert
              key={run_id}
              run_id={run_id}
              onReverted={(records) => {
                update({ reverted: { ...current().reverted, [run_id]: records } });
                void load();
              }}
            />
          )}
          {page.run.state !== 'processing' && <SignEvidence run_id={run_id} />}
          {page.isExpired && <Notice kind="note">{text.expired}</Notice>}
          {page.rejected.length > 0 && <RejectedRecords records={page.rejected} />}
        </>
      )}
    </>
  );
}

const canRevert = ({ state, counts }: ShownRun): boolean =>
  state !== 'processing' && state !== 'reverted' && counts.succeeded > 0;

function Facts({ page: { run, by } }: { readonly page: RunPage }) {
  const { run_id, state, created_at, completed_at, reverted_at, created_by, counts } = run;
  const ended = reverted_at ?? completed_at;
  const facts: readonly (readonly [string, string])[] = [
    [text.by, by ?? (created_by === undefined ? '–' : text.userId(created_by))],
    [text.started, momentOf(created_at)],
    ...(ended === null ? [] : [[reverted_at === null ? text.ended : text.states.reverted, momentOf(ended)] as const]),
  ];
  return (
    <section class="card">
      <div class="head">
        <h2>{shown(run_id)}</h2>
        <State state={state} />
      </div>
      <Table caption={text.run} head={[]} rows={facts} cells={(fact) => fact} />
      <Figures
        caption={text.counts}
        figures={[
          [text.total, counts.total],
          [text.imported, counts.succeeded],
          [text.rejected, counts.failed],
        ]}
      />
    </section>
  );
}

const RejectedRecords = ({ records }: { readonly records: readonly RejectedRecord[] }) => (
  <section class="card">
    <h2>{TEXT.rejected.title(records.length)}</h2>
    <Table
      caption={TEXT.rejected.title(records.length)}
      head={[TEXT.review.person, TEXT.check.course, TEXT.rejected.why, TEXT.rejected.sent]}
      rows={records}
      cells={({ record, code, field }) => [
        personOf(record),
        courseOf(record, new Map()),
        reasonOf({ code, field, column: undefined, value: valueAt(record, code, field) }),
        sentOf(record),
      ]}
    />
  </section>
);

/** The value that the reason is about: that of its member, else the person. */
function valueAt(record: unknown, code: string, field: string | undefined): string {
  if (field === undefined) return code.startsWith('user') || code.includes('user') ? personOf(record) : '';
  let value: unknown = record;
  for (const name of field.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
