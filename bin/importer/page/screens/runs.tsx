import { useEffect, useState } from 'preact/hooks';
import type { Run } from '../../wire/types.ts';
import { Revert } from '../parts/revert.tsx';
import { Table } from '../parts/table.tsx';
import { Busy, Problem, useTask } from '../parts/task.tsx';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts.ts';

const text = TEXT.runs;

export function RunsScreen() {
  const task = useTask();
  const [runs, setRuns] = useState<readonly Run[] | undefined>();
  const [chosen, choose] = useState<string | undefined>();
  const load = (): void => task.run(async () => setRuns(await call('listRuns')));
  useEffect(load, []);
  const cancel = (run_id: string): void =>
    task.run(async () => {
      await call('cancelRun', run_id);
      setRuns(await call('listRuns'));
    });
  const actionOf = ({ run_id, status }: Run) => ({
    node: () => (
      <button
        type="button"
        class="plain"
        aria-label={`${status === 'processing' ? text.cancel : text.revert}: ${run_id}`}
        onClick={() => (status === 'processing' ? cancel(run_id) : choose(run_id))}
      >
        {status === 'processing' ? text.cancel : text.revert}
      </button>
    ),
  });
  return (
    <>
      <p>{text.intro}</p>
      {task.isBusy && runs === undefined && <Busy />}
      <Problem task={task} />
      {runs?.length === 0 && <p class="card">{text.none}</p>}
      {runs !== undefined && runs.length > 0 && (
        <section class="card">
          <Table
            caption={text.intro}
            head={[text.run, text.status, text.created, text.records, text.rejected, text.action]}
            rows={runs}
            cells={(run) => [
              run.run_id,
              text.states[run.status],
              run.created_at.slice(0, 16).replace('T', ' '),
              run.counts.total,
              run.counts.failed,
              actionOf(run),
            ]}
          />
        </section>
      )}
      {chosen !== undefined && (
        <>
          <h2>{chosen}</h2>
          <Revert key={chosen} run_id={chosen} />
        </>
      )}
    </>
  );
}
