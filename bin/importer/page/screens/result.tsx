import { ownCommandLine, shown } from '../../engine/text.ts';
import { PreviewSummary } from '../parts/preview-summary.tsx';
import { RejectedRows } from '../parts/rejected-rows.tsx';
import { Revert } from '../parts/revert.tsx';
import { Figures } from '../parts/table.tsx';
import { go } from '../state/address.ts';
import { NO_FINDINGS, update, useStore } from '../state/store.ts';
import { TEXT } from '../texts.ts';
import { saveMapping } from './columns.tsx';

const text = TEXT.result;

export function ResultScreen() {
  const state = useStore();
  const { imported, opened } = state;
  if (imported === undefined) return null;
  const { run_id, summary, skipped } = imported;
  const { applied, updated, unchanged, rejected } = summary;
  const next = (): void => {
    update({ ...NO_FINDINGS, files: [] });
    go('file');
  };
  return (
    <>
      <p>{text.intro(shown(run_id ?? ''))}</p>
      <section class="card">
        <h2>{text.counts}</h2>
        <Figures caption={text.counts} figures={{ applied, updated, unchanged, skipped, rejected }} />
      </section>
      {rejected > 0 && <RejectedRows report={imported} />}
      <PreviewSummary report={imported} />
      {run_id !== null && <Revert run_id={run_id} />}
      <section class="card">
        <h2>{text.command}</h2>
        <p>{text.commandHint}</p>
        <pre tabIndex={0}>
          <code>{shown(ownCommandLine(['import', ...(opened?.files.map(({ name }) => name) ?? [])]))}</code>
        </pre>
        <button type="button" class="plain" onClick={() => saveMapping(state)}>
          {TEXT.columns.download}
        </button>
      </section>
      <div class="actions">
        <button type="button" class="main" onClick={next}>
          {text.next}
        </button>
      </div>
    </>
  );
}
