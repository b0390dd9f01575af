/** “This is Moodle's course completion report: right?” */
import { ownValue } from '../../engine/ground/own-value.ts';
import type { Findings } from '../../engine/language/findings.ts';
import { call } from '../state/store.ts';
import { TEXT } from '../texts/index.ts';
import { Button, Notice } from './controls.tsx';
import { changeChoices } from './facts.tsx';
import { decided } from './kinds.tsx';
import { Doing, useTask } from './task.tsx';

const text = TEXT.review;

type System = NonNullable<Findings['system']>;

/** A known export that nobody has confirmed or denied. */
export const isSystemOpen = (findings: Findings): findings is Findings & { readonly system: System } =>
  findings.system !== null && !findings.system.confirmed;

/** A person confirms one sentence, or sees the table of any other file. */
export function SystemQuestion({ system: { name } }: { readonly system: System }) {
  const task = useTask();
  return (
    <Notice kind="note">
      <p>{text.isSystem(ownValue(name, TEXT.locale.slice(0, 2)) ?? name['en'] ?? '')}</p>
      <p class="hint">{text.systemHint}</p>
      <div class="actions">
        <Button text={text.systemYes} kind="main" onClick={confirmAll} />
        <Button text={text.systemNo} onClick={() => changeChoices(task, { system: false })} />
      </div>
      <Doing task={task} text={null} />
    </Notice>
  );
}

/** Confirms every kind that has a suggestion, and the system that suggests them. */
export const confirmAll = (): void => void call('confirmAll').then(decided);
