/** What somebody proposes about the whole file: a person takes it, or leaves it. */
import { shown } from '../../engine/ground/text.ts';
import { call, useStore } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import { Button, Notice } from './controls.tsx';
import { readAgain } from './facts.tsx';
import { Doing, useTask } from './task.tsx';

const text = TEXT.review;

export function ProposedForAll() {
  const { proposed } = useStore();
  const task = useTask();
  if (proposed === undefined || proposed.asked.length === 0) return null;
  const decide = (isTaken: boolean): void => readAgain(task, () => call('takeProposed', isTaken));
  return (
    <Notice
      kind="note"
      title={text.proposesForAll(shown(proposed.by))}
      points={proposed.asked.map(({ about, column = '', to }) => text.proposedFor[about](column, String(to)))}
    >
      <div class="actions">
        <Button text={text.takeProposed} kind="main" onClick={() => decide(true)} />
        <Button text={text.leaveProposed} onClick={() => decide(false)} />
      </div>
      <Doing task={task} />
    </Notice>
  );
}
