import { useEffect, useState } from 'preact/hooks';
import { shown } from '../../engine/text.ts';
import { Table } from '../parts/table.tsx';
import { Busy, Problem, useTask } from '../parts/task.tsx';
import { runHref } from '../state/address.ts';
import { call } from '../state/worker.ts';
import { momentOf, TEXT } from '../texts/index.ts';
import type { RunState, ShownRun } from '../worker/history.ts';

const text = TEXT.runs;

export const State = ({ state }: { readonly state: RunState }) => (
  <span class={`state ${state}`}>{text.states[state]}</span>
);

/** The runs of the company, each with a page of its own. */
export function RunsScreen() {
  const task = useTask();
  const [runs, setRuns] = useState<readonly ShownRun[] | undefined>();
  useEffect(() => task.run(async () => setRuns(await call('listRuns'))), []);
  return (
    <>
      <p class="hint">{text.intro}</p>
      {task.isBusy && runs === undefined && <Busy />}
      <Problem task={task} />
      {runs?.length === 0 && <p class="card">{text.none}</p>}
      {runs !== undefined && runs.length > 0 && (
        <section class="card">
          <Table
            caption={text.intro}
            head={[text.run, text.state, text.started, text.imported, text.rejected]}
            rows={runs}
            cells={({ run_id, state, created_at, counts }) => [
              { text: run_id, node: () => <a href={runHref(run_id)}>{shown(run_id)}</a> },
              { text: text.states[state], node: () => <State state={state} /> },
              momentOf(created_at),
              counts.succeeded,
              counts.failed,
            ]}
          />
        </section>
      )}
    </>
  );
}
