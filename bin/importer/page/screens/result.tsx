import { SignEvidence } from './evidence.tsx';
import { Rejected } from '../parts/rejected.tsx';
import { Revert } from '../parts/revert.tsx';
import { Card } from '../parts/controls.tsx';
import { Pairs } from '../parts/table.tsx';
import { StepForm, useTask } from '../parts/task.tsx';
import { Written } from '../parts/written.tsx';
import { go, runHref } from '../state/address.ts';
import { rowsOf } from './check.tsx';
import { NO_FINDINGS, update, useStore } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';

const text = TEXT.result;
const COUNTS = ['applied', 'updated', 'unchanged', 'joined', 'skipped', 'rejected'] as const;

/** On one screen: what is on the platform, what is not, and the way back. */
export function ResultScreen() {
  const { imported, reverted } = useStore();
  const task = useTask();
  if (imported === undefined) return null;
  const { run_id, summary, skipped, joined } = imported;
  const counts = { ...summary, skipped, joined };
  const next = (): void => {
    update({ ...NO_FINDINGS, files: [] });
    go('file');
  };
  const takenBack = run_id === null ? undefined : reverted[run_id];
  const verdict =
    takenBack === undefined
      ? text.verdict(summary.applied + summary.updated + summary.unchanged, rowsOf(imported), summary.unit)
      : text.takenBack(takenBack);
  return (
    <StepForm task={task} onSubmit={next} action={text.next}>
      <p class="verdict">{verdict}</p>
      <div class="cards">
        <Card title={text.counts} beside={run_id !== null && <a href={runHref(run_id)}>{text.run}</a>}>
          <Pairs
            caption={text.counts}
            pairs={COUNTS.flatMap((name) => (name === 'joined' && joined === 0 ? [] : [[text[name], counts[name]]]))}
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
