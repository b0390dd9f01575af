import { useEffect } from 'preact/hooks';
import { Notice } from '../parts/notice.tsx';
import { Figures } from '../parts/table.tsx';
import { Problem, useTask } from '../parts/task.tsx';
import { go } from '../state/address.ts';
import { current, update, useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts.ts';
import type { Report } from '../worker/run.ts';
import { writable } from './check.tsx';

const text = TEXT.import;

/** Leaving the page while it sends is asked about; nothing is lost either way. */
const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

export function ImportScreen() {
  const { checked, isImporting, isPaused, meters } = useStore();
  const task = useTask();
  useEffect(() => {
    if (!isImporting) return undefined;
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isImporting]);
  const start = (): void =>
    task.run(async () => {
      update({ isImporting: true, isPaused: false, meters: {} });
      try {
        const imported = await call('startImport');
        update({ imported, announcement: TEXT.result.intro(imported.run_id ?? '') });
        go('result');
      } finally {
        update({ isImporting: false, isPaused: false });
      }
    });
  const pause = (): void => {
    const { isPaused: wasPaused } = current();
    update({ isPaused: !wasPaused });
    void call(wasPaused ? 'unpause' : 'pause');
  };
  const total = checked?.survey.records ?? 0;
  return (
    <>
      <p>{text.intro}</p>
      {!isImporting && checked !== undefined && <Planned report={checked} />}
      {isImporting && (
        <section class="card">
          <progress aria-label={text.progress} max={Math.max(total, 1)} value={meters.process ?? 0} />
          <p class="figures">
            <span>{text.uploaded(meters.upload ?? 0)}</span> <span>{text.processed(meters.process ?? 0, total)}</span>
          </p>
          <p class="hint" role="status">
            {isPaused ? text.paused : text.closing}
          </p>
        </section>
      )}
      <Problem task={task} />
      {!isImporting && checked === undefined && <Notice kind="note">{TEXT.file.resume}</Notice>}
      <div class="actions">
        {isImporting ? (
          <>
            <button type="button" class="main" onClick={pause}>
              {isPaused ? text.unpause : text.pause}
            </button>
            <button type="button" class="plain" onClick={() => void call('cancelImport')}>
              {text.cancel}
            </button>
          </>
        ) : (
          <button type="button" class="main" onClick={start}>
            {checked === undefined ? text.resume : text.action(writable())}
          </button>
        )}
      </div>
    </>
  );
}

/** What the check has found, in short. */
function Planned({ report: { preview, summary } }: { readonly report: Report }) {
  const { would, applied, learners, courses, rejected } = TEXT.check;
  const found = preview === undefined ? {} : { [learners]: preview.learners, [courses]: preview.courses.length };
  return (
    <section class="card">
      <h2>{would}</h2>
      <Figures caption={would} figures={{ [applied]: writable(), ...found, [rejected]: summary.rejected }} />
    </section>
  );
}
