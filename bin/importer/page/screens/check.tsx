import { Notice } from '../parts/notice.tsx';
import { PreviewSummary } from '../parts/preview-summary.tsx';
import { RejectedRows } from '../parts/rejected-rows.tsx';
import { Busy, Problem, useTask } from '../parts/task.tsx';
import { go } from '../state/address.ts';
import { current, update, useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts.ts';

const text = TEXT.check;

/** The dry run: nothing is written before a person has seen what would be. */
export function CheckScreen() {
  const { checked, corrected, mapping, meters } = useStore();
  const isStale = Object.keys(corrected).length > 0;
  const task = useTask();
  const check = (): void =>
    task.run(async () => {
      update({ meters: {} });
      update({ checked: await call('check'), corrected: {}, announcement: text.would });
    });
  const goOn = (): void => {
    if ((mapping?.undecided ?? []).length > 0) task.fail(TEXT.columns.confirmFirst);
    else go('import');
  };
  const isReading = (meters.process ?? 0) === 0;
  const busyText = isReading ? text.reading(meters.read ?? 0) : text.sending(meters.process ?? 0);
  return (
    <>
      <p>{text.intro}</p>
      {task.isBusy && <Busy text={busyText} />}
      {checked !== undefined && !task.isBusy && (
        <>
          <PreviewSummary report={checked} />
          <RejectedRows report={checked} canCorrect />
          {writable() === 0 && <Notice kind="warning">{text.nothing}</Notice>}
        </>
      )}
      <Problem task={task} />
      <div class="actions">
        {checked === undefined || isStale ? (
          <button type="button" class="main" disabled={task.isBusy} onClick={check}>
            {text.action}
          </button>
        ) : (
          <button type="button" class="main" disabled={writable() === 0} onClick={goOn}>
            {TEXT.continue}
          </button>
        )}
      </div>
    </>
  );
}

/** Records that the import would take. */
export function writable(): number {
  const { checked } = current();
  return checked === undefined ? 0 : checked.summary.rows - checked.summary.rejected;
}
