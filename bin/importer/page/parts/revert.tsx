import { useState } from 'preact/hooks';
import type { RunRevert } from '../../wire/types.ts';
import { call, current, update, useStore } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import { Button, Notice } from './controls.tsx';
import { Doing, useTask } from './task.tsx';

const text = TEXT.result;

interface Props {
  readonly run_id: string;
  readonly onReverted?: () => void;
}

/** Takes a run back: a dry run says first what that would change. The focus stays where the person is. */
export function Revert({ run_id, onReverted }: Props) {
  const { meters } = useStore();
  const task = useTask();
  const [plan, setPlan] = useState<RunRevert | undefined>();
  const look = (): void => task.run(async () => setPlan(await call('planRevert', run_id)));
  const revert = (): void =>
    task.run(async () => {
      const done = await call('revertRun', run_id);
      setPlan(done);
      update({ reverted: { ...current().reverted, [run_id]: done.counts.reverted } });
      onReverted?.();
    });
  const isPlanned = plan?.status === 'validated' && !task.isBusy;
  return (
    <section class="card" aria-label={text.revert}>
      {isPlanned && (
        <>
          <p>{text.revertPlan(plan.counts.reverted)}</p>
          <div class="actions">
            <Button text={text.revertConfirm(plan.counts.reverted)} kind="danger" onClick={revert} />
            <Button text={TEXT.keep} onClick={() => setPlan(undefined)} />
          </div>
        </>
      )}
      {plan?.status === 'success' && <Notice kind="success">{text.reverted(plan.counts.reverted)}</Notice>}
      <Doing task={task} text={plan && text.reverting(meters.revert ?? 0, plan.counts.reverted)} />
      {plan === undefined && !task.isBusy && (
        <div class="head">
          <p>{text.revertHint}</p>
          <Button text={text.revert} onClick={look} />
        </div>
      )}
    </section>
  );
}
