import { useState } from 'preact/hooks';
import { shown } from '../../engine/text.ts';
import { SignEvidence } from './evidence.tsx';
import { Button, Card, Notice } from '../parts/controls.tsx';
import { useTitles } from '../parts/course-picker.tsx';
import { courseOf, personOf, reasonOf, sentOf } from '../parts/record-words.ts';
import { Revert } from '../parts/revert.tsx';
import { Pairs, Table } from '../parts/table.tsx';
import { Doing, known, useTask } from '../parts/task.tsx';
import { hrefOf, runHref } from '../state/address.ts';
import { call, current, update } from '../state/store.ts';
import { momentOf, TEXT } from '../texts/index.ts';
import type { RunState, ShownRun } from '../../client/runs.ts';
import type { RunPage } from '../worker/history.ts';

const text = TEXT.runs;

const State = ({ state }: { readonly state: RunState }) => <span class={`state ${state}`}>{text.states[state]}</span>;

export function RunsScreen() {
  const [runs, setRuns] = useState<readonly ShownRun[] | undefined>();
  const task = useTask(async () => setRuns(await call('listRuns')));
  return (
    <>
      <p class="hint">{text.intro}</p>
      <Doing task={task} />
      {runs?.length === 0 && <p class="card">{text.none}</p>}
      {runs !== undefined && runs.length > 0 && (
        <section class="card">
          <Table
            caption={text.intro}
            head={[TEXT.screens.run, text.state, text.started, text.imported, text.rejected]}
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

/** One run, from any machine: who, when, what became of it, the rejected records, and the way back. */
export function RunScreen({ query }: { readonly query: URLSearchParams }) {
  const run_id = query.get('id') ?? '';
  const [page, setPage] = useState<RunPage | undefined>();
  const titles = useTitles();
  const load = async (): Promise<void> => {
    setPage(await known(call('runPage', run_id), 'run_not_found', text.notFound));
    if (current().catalog.length === 0) update({ catalog: await call('courseTitles') });
  };
  const task = useTask(load, run_id);
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
      <Doing task={task} text={page && null} />
      {page !== undefined && (
        <>
          <Facts page={page} />
          {page.run.state === 'processing' && <Button text={TEXT.import.cancel} onClick={cancel} />}
          <div class="cards">
            {page.run.state !== 'processing' && <SignEvidence run_id={run_id} />}
            {canRevert(page.run) && <Revert key={run_id} run_id={run_id} onReverted={() => void load()} />}
          </div>
          {page.isExpired && <Notice kind="note">{text.expired}</Notice>}
          {page.rejected.length > 0 && (
            <Card title={TEXT.rejected.title(page.rejected.length)}>
              <Table
                caption={TEXT.rejected.title(page.rejected.length)}
                head={[TEXT.review.person, TEXT.check.course, TEXT.rejected.why, TEXT.rejected.sent]}
                rows={page.rejected}
                cells={({ record, code, field }) => [
                  personOf(record),
                  courseOf(record, titles),
                  reasonOf({ code, field, column: undefined, value: valueAt(record, code, field) }),
                  sentOf(record),
                ]}
              />
            </Card>
          )}
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
    <Card title={shown(run_id)} beside={<State state={state} />}>
      <div class="cards">
        <Pairs caption={TEXT.screens.run} pairs={facts} />
        <Pairs
          caption={text.counts}
          pairs={[
            [text.total, counts.total],
            [text.imported, counts.succeeded],
            [text.rejected, counts.failed],
          ]}
        />
      </div>
    </Card>
  );
}

/** The value that the reason is about: that of its member, else the person. */
function valueAt(record: unknown, code: string, field: string | undefined): string {
  if (field === undefined) return code.startsWith('user') || code.includes('user') ? personOf(record) : '';
  let value: unknown = record;
  for (const name of field.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
