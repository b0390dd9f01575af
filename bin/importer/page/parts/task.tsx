import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../../engine/ground/errors.ts';
import { shown } from '../../engine/ground/text.ts';
import { update, WorkerError } from '../state/store.ts';
import { problemText, TEXT } from '../texts/index.ts';
import { Notice } from './controls.tsx';

export interface Task {
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  /** Runs a step. Its error is shown, and no second step runs meanwhile. */
  run(step: () => Promise<void>): void;
}

/** @param first runs as soon as the screen opens, and again when `on` changes: an error of before does not matter any more */
export function useTask(first?: () => Promise<void>, ...on: readonly unknown[]): Task {
  const [isBusy, setBusy] = useState(false);
  const [problem, fail] = useState<string | undefined>();
  const follow = async (step: () => Promise<void>): Promise<void> => {
    setBusy(true);
    fail(undefined);
    try {
      await step();
    } catch (error) {
      fail(error instanceof WorkerError ? problemText(error.failure) : messageOf(error));
    } finally {
      setBusy(false);
      update({ waiting: undefined });
    }
  };
  const run = (step: () => Promise<void>): void => void (isBusy || follow(step));
  useEffect(() => {
    fail(undefined);
    if (first !== undefined) run(first);
  }, on);
  return { isBusy, problem, run };
}

/** Does a step again and again while it is wanted. One that fails is done again, too. */
export function useEvery(ms: number, step: () => Promise<void>, isWanted = true): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setInterval(() => void step().catch(() => {}), ms);
    return () => clearInterval(timer);
  }, [isWanted]);
}

/** The title of the tab says it meanwhile. */
export function useTitle(said: string): void {
  useEffect(() => {
    const { title } = document;
    document.title = `${said} – ${TEXT.product}`;
    return () => {
      document.title = title;
    };
  }, [said]);
}

interface DoingProps {
  readonly task: Task;
  /** What it does; `null`: something else says so. */
  readonly text?: string | null | undefined;
}

interface BusyProps {
  readonly isBusy: boolean;
  readonly text: string;
}

export const Busy = ({ isBusy, text }: BusyProps) =>
  isBusy ? (
    <p class="busy" role="status">
      {text}
    </p>
  ) : null;

/** That a task takes its time, or each line of its error. */
export const Doing = ({ task: { isBusy, problem }, text = TEXT.working }: DoingProps) => (
  <>
    {text !== null && <Busy isBusy={isBusy} text={text} />}
    {problem !== undefined && (
      <Notice kind="error" title={TEXT.problem}>
        {problem.split('\n').map((line) => (
          <p>{shown(line)}</p>
        ))}
      </Notice>
    )}
  </>
);

export const submitted =
  (step: () => void) =>
  (event: Event): void => {
    event.preventDefault();
    step();
  };

interface StepProps {
  readonly task: Task;
  readonly onSubmit: () => void;
  readonly open?: ComponentChildren;
  readonly others?: ComponentChildren;
  readonly action?: string;
  readonly isDisabled?: boolean;
  readonly children: ComponentChildren;
}

/** A step with one main action, which stays in view. Its problem is beside the action. */
export function StepForm(props: StepProps) {
  const { task, onSubmit, open, others, action = TEXT.continue, isDisabled = false, children } = props;
  return (
    <form onSubmit={submitted(onSubmit)} noValidate>
      {children}
      <div class="footer">
        <Doing task={task} text={null} />
        {open !== undefined && <p>{open}</p>}
        <div class="actions">
          {others}
          <button type="submit" class="main" id="action" disabled={task.isBusy || isDisabled}>
            {action}
          </button>
        </div>
      </div>
    </form>
  );
}
