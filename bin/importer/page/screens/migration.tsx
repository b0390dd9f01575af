/** One migration, from any machine: its plan, who may decide, how far it is, what became of it, and the way back. */
import { useState } from 'preact/hooks';
import { ToArchive } from '../parts/archived.tsx';
import { Card, Notice } from '../parts/controls.tsx';
import { loadTitles, useTitles } from '../parts/course-picker.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Plan } from '../parts/plan.tsx';
import { RejectedRecords } from '../parts/rejected-records.tsx';
import { Revert } from '../parts/revert.tsx';
import { progressOf, RunProgress } from '../parts/run-progress.tsx';
import { Pairs } from '../parts/table.tsx';
import { Doing, type Task, useEvery, useTask, useTitle } from '../parts/task.tsx';
import { RunCounts } from '../parts/written.tsx';
import { draftHref, go } from '../state/address.ts';
import { call } from '../state/store.ts';
import { lasting, TEXT, whenOf } from '../texts/index.ts';
import type { Migration, MigrationPage } from '../worker/migrations.ts';
import { SignEvidence } from './evidence.tsx';
import { nameOfRun } from './migrations.tsx';

const { runs, migrations: text } = TEXT;

/** How often a run that is under way is read again. */
const EVERY_MS = 1500;

export function MigrationScreen({ query }: { readonly query: URLSearchParams }) {
  const run_id = query.get('id') ?? '';
  const [page, setPage] = useState<MigrationPage | undefined>();
  const load = async (): Promise<void> => {
    setPage(await call('migrationPage', run_id));
    await loadTitles();
  };
  const task = useTask(load, run_id);
  const then = (step: () => Promise<unknown>): void =>
    task.run(async () => {
      await step();
      await load();
    });
  return (
    <>
      <Doing task={task} text={page && null} />
      {page !== undefined && <Shown key={run_id} page={page} task={task} then={then} onEnd={load} />}
    </>
  );
}

interface ShownProps {
  readonly page: MigrationPage;
  readonly task: Task;
  readonly then: (step: () => Promise<unknown>) => void;
  readonly onEnd: () => Promise<void>;
}

function Shown({ page, task, then, onEnd }: ShownProps) {
  const { migration, rejected, isExpired } = page;
  const { run_id, state, counts, plan } = migration;
  const titles = useTitles();
  const isPlanned = state === 'planned' || state === 'approved';
  const facts = <Facts page={page} task={task} />;
  return (
    <>
      {plan !== null && isPlanned ? (
        <Plan key={plan.plan_digest} page={page} task={task} then={then} beside={facts} />
      ) : (
        facts
      )}
      {state === 'processing' && <Running run={migration} task={task} then={then} onEnd={onEnd} />}
      {counts.succeeded > 0 && state !== 'processing' && state !== 'reverted' && (
        <div class="cards">
          <SignEvidence run_id={run_id} />
          <Revert key={run_id} run_id={run_id} onReverted={() => void onEnd()} />
        </div>
      )}
      {isExpired && <Notice kind="note">{runs.expired}</Notice>}
      <RejectedRecords causes={rejected} titles={titles} />
    </>
  );
}

/** Of a draft; what was changed before its plan does not matter any more. */
const isChangedSince = ({ counts, updated_at, plan }: Migration): boolean =>
  counts.imports === 0 && updated_at !== null && (plan === null || updated_at > plan.created_at);

type Fact = readonly [name: string, words: string];

/** What happened, by whom and when; nothing, if it did not. */
const factOf = (name: string, at: string | null | undefined, ...beside: readonly (string | undefined)[]): Fact[] =>
  typeof at === 'string' ? [[name, [whenOf(at), ...beside].filter((words) => words !== undefined).join(', ')]] : [];

function Facts({ page: { migration, names }, task }: { readonly page: MigrationPage; readonly task: Task }) {
  const { state, created_at, completed_at, reverted_at, updated_at, by, counts, plan, run_id, title } = migration;
  const tookMs = Date.parse(completed_at ?? created_at) - Date.parse(plan?.applied_at ?? created_at);
  const facts = [
    ...factOf(runs.by, created_at, by),
    ...factOf(text.lastChange, isChangedSince(migration) ? updated_at : null, names.updated),
    ...factOf(text.plannedBy, plan?.created_at, names.planned),
    ...factOf(text.approvedBy, plan?.approved_at, names.approved, plan?.comment ?? undefined),
    ...factOf(text.appliedBy, plan?.applied_at, names.applied),
    ...factOf(runs.ended, completed_at, text.took(lasting(tookMs))),
    ...factOf(text.revertedAt, reverted_at),
    ...(title === null ? [] : [[text.address, run_id] as const]),
  ];
  return (
    <Card title={nameOfRun(migration)} beside={<span class={`state ${state}`}>{runs.states[state]}</span>}>
      <div class="cards">
        <Pairs caption={TEXT.screens.run} pairs={facts} />
        {counts.imports > 0 && state !== 'processing' && <RunCounts counts={counts} />}
      </div>
      <ToArchive run_id={run_id} count={state === 'reverted' ? 0 : counts.archived} />
      {migration.status === 'draft' && (
        <div class="actions">
          <a class="button" href={draftHref(run_id)}>
            {text.goOn}
          </a>
          <Remove run_id={run_id} task={task} />
        </div>
      )}
    </Card>
  );
}

interface RunningProps {
  readonly run: Migration;
  readonly task: Task;
  readonly then: (step: () => Promise<unknown>) => void;
  readonly onEnd: () => Promise<void>;
}

/** What the service does alone; it is read again until it has ended. */
function Running({ run: first, task, then, onEnd }: RunningProps) {
  const [run, setRun] = useState<Pick<Migration, 'run_id' | 'counts' | 'plan'>>(first);
  const [isStopping, stopping] = useState(false);
  const follow = async (): Promise<void> => {
    const found = await call('readRun', first.run_id);
    setRun(found);
    if (found.status !== 'processing') await onEnd();
  };
  useEvery(EVERY_MS, follow);
  useTitle(`${progressOf(run).percent} %`);
  const stop = (): void => {
    stopping(true);
    then(() => call('cancelRun', first.run_id));
  };
  return (
    <section class="card" aria-label={runs.states.processing}>
      <RunProgress run={run} isLong />
      <p class="hint">{TEXT.import.closing}</p>
      {isStopping || typeof run.plan?.cancelled_at === 'string' ? (
        <p role="status">{TEXT.import.cancelling}</p>
      ) : (
        <Confirm text={text.stop} question={text.stopHint} yes={text.stopYes} disabled={task.isBusy} onYes={stop} />
      )}
    </section>
  );
}

/** A draft that is removed is gone with its plan; nothing of it was imported. */
function Remove({ run_id, task }: { readonly run_id: string; readonly task: Task }) {
  const remove = (): void =>
    task.run(async () => {
      await call('removeDraft', run_id);
      go('migrations');
    });
  return (
    <Confirm
      text={text.remove}
      kind="plain"
      question={text.removeHint}
      yes={text.removeYes}
      disabled={task.isBusy}
      onYes={remove}
    />
  );
}
