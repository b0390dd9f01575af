import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf } from '../../engine/errors.ts';
import { shown } from '../../engine/text.ts';
import { update } from '../state/store.ts';
import { TEXT } from '../texts.ts';
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
        <p>{shown(line)}</p>
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
  readonly children: ComponentChildren;
}

/** A step with one main action: to the next one. Its problem is beside the action. */
export function StepForm({ task, onSubmit, children }: StepProps) {
  return (
    <form onSubmit={submitted(onSubmit)}>
      {children}
      <Problem task={task} />
      <div class="actions">
        <button type="submit" class="main" disabled={task.isBusy}>
          {TEXT.continue}
        </button>
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
