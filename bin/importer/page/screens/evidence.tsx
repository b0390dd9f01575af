import { DropArea } from '../parts/drop-area.tsx';
import { EvidencePage } from '../parts/evidence.tsx';
import { Busy, Problem, useTask } from '../parts/task.tsx';
import { hrefOf } from '../state/address.ts';
import { update, useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts/index.ts';

const text = TEXT.evidence;

/** Evidence that was just signed, or that is in files. It needs no account, and nothing leaves the browser. */
export function EvidenceScreen() {
  const { evidence, account } = useStore();
  const task = useTask();
  const verify = (files: readonly File[]): void =>
    task.run(async () => {
      update({ evidence: undefined });
      update({ evidence: await call('verifyEvidenceFiles', files), announcement: text.checked });
    });
  return (
    <>
      {account === undefined && (
        <p class="no-print">
          <a href={hrefOf('sign-in')}>{TEXT.screens['sign-in']}</a>
        </p>
      )}
      {evidence !== undefined && <EvidencePage report={evidence} />}
      <section class="card no-print">
        <p>{text.verifyHint}</p>
        <DropArea label={text.files} hint={text.filesHint} accept=".json,.jsonl,.ndjson,.jws,.txt" onFiles={verify} />
        {task.isBusy && <Busy />}
        <Problem task={task} />
      </section>
    </>
  );
}
