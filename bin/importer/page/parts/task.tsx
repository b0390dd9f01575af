import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf } from '../../engine/errors.ts';
import { shown } from '../../engine/text.ts';
import { update } from '../state/store.ts';
import { inWords, TEXT } from '../texts/index.ts';
import { Notice } from './notice.tsx';

export interface Task {
  readonly isBusy: boolean;
  /** Why the last step failed, in a sentence. */
  readonly problem: string | undefined;
  /** Runs a step. Its error is shown, and no second step runs meanwhile. */
  run(step: () => Promise<void>): void;
  fail(problem: string | undefined): void;
}

export function useTask(): Task {
  const [isBusy, setBusy] = useState(false);
  const [problem, fail] = useState<string | undefined>();
  const follow = async (step: () => Promise<void>): Promise<void> => {
    setBusy(true);
    fail(undefined);
    try {
      await step();
    } catch (error) {
      fail(messageOf(error));
    } finally {
      setBusy(false);
      update({ waiting: undefined });
    }
  };
  return { isBusy, problem, fail, run: (step) => void (isBusy || follow(step)) };
}

/** Each line of the error of a task; nothing if there is none. */
export function Problem({ task }: { readonly task: Task }) {
  if (task.problem === undefined) return null;
  return (
    <Notice kind="error" title={TEXT.problem}>
      {task.problem.split('\n').map((line) => (
        <p>{shown(inWords(line))}</p>
      ))}
    </Notice>
  );
}

/** Handles the submission of a form in the page, which stays where it is. */
export const submitted =
  (step: () => void) =>
  (event: Event): void => {
    event.preventDefault();
    step();
  };

interface StepProps {
  readonly task: Task;
  readonly onSubmit: () => void;
  /** What is still open, beside the action. */
  readonly open?: ComponentChildren;
  /** Actions beside the main one. */
  readonly others?: ComponentChildren;
  /** The name of the main action. */
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
      <Problem task={task} />
      <div class="footer">
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

/** The state of a step that takes its time. */
export function Busy({ text = TEXT.working }: { readonly text?: string | undefined }) {
  return (
    <p class="busy" role="status">
      {text}
    </p>
  );
}
