/** The last steps: the dry run, the import, and its result on one screen. */
import { ownValue } from '../../engine/ground/own-value.ts';
import { Button, Card, Legend, Notice } from '../parts/controls.tsx';
import { Rejected } from '../parts/rejected.tsx';
import { Revert } from '../parts/revert.tsx';
import { Pairs } from '../parts/table.tsx';
import { Busy, StepForm, useTask } from '../parts/task.tsx';
import { Doubts, Written } from '../parts/written.tsx';
import { go, runHref } from '../state/address.ts';
import { newMigration } from '../state/migration.ts';
import { call, type State, update, useStore } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import type { Report } from '../worker/run.ts';
import { SignEvidence } from './evidence.tsx';

const { check: CHECK, import: IMPORT, result: RESULT } = TEXT;

/** The dry run: nothing is written before a person has seen what would be. It runs as soon as the screen opens. */
export function CheckScreen() {
  const { checked, corrected, meters, catalog } = useStore();
  const isStale = Object.keys(corrected).length > 0;
  const check = async (): Promise<void> => {
    update({ meters: {} });
    if (catalog.length === 0) update({ catalog: await call('courseTitles') });
    update({ checked: await call('check'), corrected: {}, announcement: CHECK.would });
  };
  const task = useTask(checked === undefined ? check : undefined);
  const count = (meters.process ?? 0) === 0 ? CHECK.reading(meters.read ?? 0) : CHECK.sending(meters.process ?? 0);
  const isDone = checked !== undefined && !task.isBusy;
  return (
    <StepForm
      task={task}
      onSubmit={() => go('import')}
      isDisabled={!isDone || isStale || writable(checked) === 0}
      open={isDone ? verdictOf(checked) : undefined}
      others={<Button text={TEXT.screens.check} kind={isStale ? 'main' : undefined} onClick={() => task.run(check)} />}
    >
      <Busy isBusy={task.isBusy} text={count} />
      {isDone && (
        <>
          <p class="hint">{CHECK.intro}</p>
          <Verdict report={checked} />
          <Doubts report={checked} />
          <Rejected report={checked} canCorrect />
          <Written report={checked} />
        </>
      )}
    </StepForm>
  );
}

/** All rows of the files. */
const rowsOf = ({ summary, skipped, joined }: Report): number => summary.rows + skipped + joined;
const verdictOf = (report: Report): string => CHECK.verdict(writable(report), rowsOf(report), report.summary.unit);

const writable = (report: State['checked']): number =>
  report === undefined ? 0 : report.summary.rows - report.summary.rejected;

/** In one line: what is new, what changes, what is there already, what is left out, and what is rejected. */
function Verdict({ report }: { readonly report: Report }) {
  const { changes, skipped, joined, summary } = report;
  const isAgreed = summary.rejected === 0 && changes.fresh + changes.changed === 0 && changes.same > 0;
  return (
    <>
      <p class="verdict">{verdictOf(report)}</p>
      <Legend
        counts={[
          [CHECK.fresh, changes.fresh],
          [CHECK.changes, changes.changed],
          [CHECK.same, changes.same],
          [RESULT.joined, joined],
          [TEXT.review.states.leave_out, skipped],
          [RESULT.rejected, summary.rejected],
        ]}
      />
      {isAgreed && <Notice kind="success">{CHECK.nothingChanges(rowsOf(report))}</Notice>}
      {writable(report) === 0 && <Notice kind="warning">{CHECK.nothing}</Notice>}
    </>
  );
}

export function ImportScreen() {
  const { checked, isImporting, meters, stopped } = useStore();
  const task = useTask();
  const start = (): void =>
    task.run(async () => {
      update({ isImporting: true, meters: {}, stopped: undefined });
      try {
        const done = await call('startImport');
        if ('written' in done) {
          update({ stopped: done, announcement: IMPORT.cancelled(done.written, done.total) });
          return;
        }
        update({ imported: done, announcement: RESULT.counts });
        go('result');
      } finally {
        update({ isImporting: false });
      }
    });
  const cancel = (): void => {
    update({ announcement: IMPORT.cancelling });
    void call('cancelImport').catch(() => {});
  };
  const isResumed = checked === undefined || stopped !== undefined;
  return (
    <StepForm
      task={task}
      onSubmit={start}
      isDisabled={isImporting}
      action={isResumed ? IMPORT.resume : IMPORT.action(writable(checked))}
      others={isImporting && <Button text={IMPORT.cancel} onClick={cancel} />}
    >
      <p class="hint">{IMPORT.intro}</p>
      {isImporting && <Running />}
      {/* Cancelled is no error: what was written stays, unless the person takes it back. */}
      {stopped !== undefined && (
        <Notice kind="note" title={IMPORT.cancelled(stopped.written, stopped.total)}>
          <p>{IMPORT.cancelledHint}</p>
        </Notice>
      )}
      {stopped !== undefined && stopped.written > 0 && <Revert run_id={stopped.run_id} />}
      {!isImporting && isResumed && stopped === undefined && <Notice kind="note">{TEXT.file.resume}</Notice>}
      {!isImporting && checked !== undefined && stopped === undefined && <p class="verdict">{verdictOf(checked)}</p>}
      <Busy isBusy={isImporting && meters.total === undefined} text={IMPORT.preparing(meters.read ?? 0)} />
    </StepForm>
  );
}

function Running() {
  const { checked, meters } = useStore();
  const total = meters.total ?? checked?.survey.records ?? 0;
  return (
    <section class="card">
      <progress aria-label={IMPORT.progress} max={Math.max(total, 1)} value={meters.process ?? 0} />
      {total > 0 && (
        <p class="legend">
          <span>{IMPORT.sent(meters.upload ?? 0)}</span> <span>{IMPORT.processed(meters.process ?? 0, total)}</span>
        </p>
      )}
      <p class="hint" role="status">
        {IMPORT.closing}
      </p>
    </section>
  );
}
const COUNTS = ['applied', 'updated', 'unchanged', 'joined', 'skipped', 'rejected'] as const;

/** On one screen: what is on the platform, what is not, and the way back. */
export function ResultScreen() {
  const { imported, reverted } = useStore();
  const task = useTask();
  if (imported === undefined) return null;
  const { run_id, summary, skipped, joined } = imported;
  const counts = { ...summary, skipped, joined };
  const takenBack = run_id === null ? undefined : ownValue(reverted, run_id);
  const verdict =
    takenBack === undefined
      ? RESULT.verdict(summary.applied + summary.updated + summary.unchanged, rowsOf(imported), summary.unit)
      : RESULT.takenBack(takenBack);
  return (
    <StepForm task={task} onSubmit={() => void newMigration()} action={RESULT.next}>
      <p class="verdict">{verdict}</p>
      <div class="cards">
        <Card title={RESULT.counts} beside={run_id !== null && <a href={runHref(run_id)}>{RESULT.run}</a>}>
          <Pairs
            caption={RESULT.counts}
            pairs={COUNTS.flatMap((name) => (name === 'joined' && joined === 0 ? [] : [[RESULT[name], counts[name]]]))}
          />
        </Card>
        {run_id !== null && takenBack === undefined && <SignEvidence run_id={run_id} />}
        {run_id !== null && <Revert run_id={run_id} />}
      </div>
      <Rejected report={imported} />
      <Written report={imported} />
    </StepForm>
  );
}
