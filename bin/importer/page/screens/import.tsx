import { Button, Notice } from '../parts/controls.tsx';
import { Revert } from '../parts/revert.tsx';
import { Busy, StepForm, useTask } from '../parts/task.tsx';
import { go } from '../state/address.ts';
import { call, update, useStore } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import { verdictOf, writable } from './check.tsx';

const text = TEXT.import;

export function ImportScreen() {
  const { checked, isImporting, meters, stopped } = useStore();
  const task = useTask();
  const start = (): void =>
    task.run(async () => {
      update({ isImporting: true, meters: {}, stopped: undefined });
      try {
        const done = await call('startImport');
        if ('written' in done) {
          update({ stopped: done, announcement: text.cancelled(done.written, done.total) });
          return;
        }
        update({ imported: done, announcement: TEXT.result.counts });
        go('result');
      } finally {
        update({ isImporting: false });
      }
    });
  const cancel = (): void => {
    update({ announcement: text.cancelling });
    void call('cancelImport').catch(() => {});
  };
  const isResumed = checked === undefined || stopped !== undefined;
  return (
    <StepForm
      task={task}
      onSubmit={start}
      isDisabled={isImporting}
      action={isResumed ? text.resume : text.action(writable(checked))}
      others={isImporting && <Button text={text.cancel} onClick={cancel} />}
    >
      <p class="hint">{text.intro}</p>
      {isImporting && <Running />}
      {/* Cancelled is no error: what was written stays, unless the person takes it back. */}
      {stopped !== undefined && (
        <Notice kind="note" title={text.cancelled(stopped.written, stopped.total)}>
          <p>{text.cancelledHint}</p>
        </Notice>
      )}
      {stopped !== undefined && stopped.written > 0 && <Revert run_id={stopped.run_id} />}
      {!isImporting && isResumed && stopped === undefined && <Notice kind="note">{TEXT.file.resume}</Notice>}
      {!isImporting && checked !== undefined && stopped === undefined && <p class="verdict">{verdictOf(checked)}</p>}
      <Busy isBusy={isImporting && meters.total === undefined} text={text.preparing(meters.read ?? 0)} />
    </StepForm>
  );
}

function Running() {
  const { checked, meters } = useStore();
  const total = meters.total ?? checked?.survey.records ?? 0;
  return (
    <section class="card">
      <progress aria-label={text.progress} max={Math.max(total, 1)} value={meters.process ?? 0} />
      {total > 0 && (
        <p class="legend">
          <span>{text.sent(meters.upload ?? 0)}</span> <span>{text.processed(meters.process ?? 0, total)}</span>
        </p>
      )}
      <p class="hint" role="status">
        {text.closing}
      </p>
    </section>
  );
}
