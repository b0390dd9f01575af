import { ownValue } from '../../engine/ground/own-value.ts';
import { ToArchive } from '../parts/archived.tsx';
import { Causes } from '../parts/causes.tsx';
import { Card } from '../parts/controls.tsx';
import { Revert } from '../parts/revert.tsx';
import { SortedRows } from '../parts/sorted.tsx';
import { Pairs } from '../parts/table.tsx';
import { StepForm, useTask } from '../parts/task.tsx';
import { archivedPair, Written } from '../parts/written.tsx';
import { runHref } from '../state/address.ts';
import { newMigration } from '../state/migration.ts';
import { useStore } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import { SignEvidence } from './evidence.tsx';

const text = TEXT.result;
const COUNTS = ['applied', 'updated', 'unchanged', 'skipped', 'rejected'] as const;

/** On one screen: what is on the platform, what is not, and the way back. */
export function ResultScreen() {
  const { imported, reverted } = useStore();
  const task = useTask();
  if (imported?.run_id === undefined || imported.run_id === null) return null;
  const { run_id, summary, sorted, rows } = imported;
  const skipped = sorted.left_out + sorted.repeated;
  const { archived = 0 } = summary;
  const counts = { ...summary, skipped, rejected: summary.rejected - sorted.repeated - archived };
  const takenBack = ownValue(reverted, run_id);
  return (
    <StepForm task={task} onSubmit={() => void newMigration()} action={text.next}>
      <p class="verdict">
        {takenBack === undefined ? text.verdict(sorted.written + sorted.unchanged, rows) : text.takenBack(takenBack)}
      </p>
      <SortedRows report={imported} />
      <div class="cards">
        <Card title={text.counts} beside={<a href={runHref(run_id)}>{text.run}</a>}>
          <Pairs
            caption={text.counts}
            pairs={[...COUNTS.map((name) => [text[name], counts[name]] as const), ...archivedPair(archived)]}
          />
          <ToArchive run_id={run_id} count={takenBack === undefined ? archived : 0} />
        </Card>
        {takenBack === undefined && <SignEvidence run_id={run_id} />}
        <Revert run_id={run_id} />
      </div>
      <Causes report={imported} />
      <Written report={imported} />
    </StepForm>
  );
}
