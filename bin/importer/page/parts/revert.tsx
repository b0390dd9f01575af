import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunRevert } from '../../wire/types.ts';
import { useStore } from '../state/store.ts';
import { call } from '../state/worker.ts';
import { TEXT } from '../texts/index.ts';
import { Notice } from './notice.tsx';
import { Busy, Problem, useTask } from './task.tsx';

const text = TEXT.result;

interface Props {
  readonly run_id: string;
  readonly onReverted: (records: number) => void;
}

/** Takes a run back: a dry run says first what that would change. The focus stays where the person is. */
export function Revert({ run_id, onReverted }: Props) {
  const { meters } = useStore();
  const task = useTask();
  const [plan, setPlan] = useState<RunRevert | undefined>();
  const place = useRef<HTMLElement>(null);
  const look = (): void => task.run(async () => setPlan(await call('planRevert', run_id)));
  const revert = (): void =>
    task.run(async () => {
      const done = await call('revertRun', run_id);
      setPlan(done);
      onReverted(done.counts.reverted);
    });
  const isPlanned = plan?.status === 'validated' && !task.isBusy;
  useEffect(() => {
    if (plan !== undefined) place.current?.focus();
  }, [plan, task.isBusy]);
  return (
    <section class="card" ref={place} tabIndex={-1} aria-label={text.revert}>
      {isPlanned && (
        <>
          <p>{text.revertPlan(plan.counts.reverted)}</p>
          <div class="actions">
            <button type="button" class="danger" onClick={revert}>
              {text.revertConfirm(plan.counts.reverted)}
            </button>
            <button type="button" onClick={() => setPlan(undefined)}>
              {TEXT.keep}
            </button>
          </div>
        </>
      )}
      {plan?.status === 'success' && <Notice kind="success">{text.reverted(plan.counts.reverted)}</Notice>}
      {task.isBusy && (
        <Busy text={plan === undefined ? undefined : text.reverting(meters.revert ?? 0, plan.counts.reverted)} />
      )}
      <Problem task={task} />
      {plan === undefined && !task.isBusy && (
        <div class="head">
          <p>{text.revertHint}</p>
          <button type="button" onClick={look}>
            {text.revert}
          </button>
        </div>
      )}
    </section>
  );
}
