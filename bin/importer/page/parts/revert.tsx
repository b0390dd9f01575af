import { useState } from 'preact/hooks';
import type { RunRevert } from '../../wire/types.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts.ts';
import { Notice } from './notice.tsx';
import { Busy, Problem, useTask } from './task.tsx';

const text = TEXT.result;

/** Takes a run back: a dry run says first what that would change. */
export function Revert({ run_id }: { readonly run_id: string }) {
  const task = useTask();
  const [plan, setPlan] = useState<RunRevert | undefined>();
  const look = (): void => task.run(async () => setPlan(await call('planRevert', run_id)));
  const revert = (): void => task.run(async () => setPlan(await call('revertRun', run_id)));
  return (
    <section class="card">
      <h2>{text.revert}</h2>
      {plan?.status === 'validated' && !task.isBusy && (
        <>
          <p>{text.revertPlan(plan.counts.reverted)}</p>
          <div class="actions">
            <button type="button" class="danger" onClick={revert}>
              {text.revertConfirm(plan.counts.reverted)}
            </button>
            <button type="button" class="plain" onClick={() => setPlan(undefined)}>
              {text.revertKeep}
            </button>
          </div>
        </>
      )}
      {plan?.status === 'success' && <Notice kind="success">{text.reverted(plan.counts.reverted)}</Notice>}
      {task.isBusy && <Busy text={plan === undefined ? TEXT.working : text.reverting} />}
      <Problem task={task} />
      {plan === undefined && (
        <button type="button" disabled={task.isBusy} onClick={look}>
          {text.revert}
        </button>
      )}
    </section>
  );
}
