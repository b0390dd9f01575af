/** The draft of the migration: whether the platform has what was decided, and which one is gone on with. */
import { shown } from '../../engine/ground/text.ts';
import { call, useStore } from '../state/store.ts';
import { runHref } from '../state/address.ts';
import { newMigration, openDraft, openFiles, takeTheirs } from '../state/migration.ts';
import { momentOf, problemText, TEXT } from '../texts/index.ts';
import type { ShownDraft } from '../worker/draft.ts';
import { Button, Notice } from './controls.tsx';
import { Doing, type Task, useTask } from './task.tsx';

const { draft: text, file: FILE } = TEXT;

export function DraftNote() {
  const { draft } = useStore();
  const task = useTask();
  if (draft === undefined) return null;
  const { state, by, at = '', code = '' } = draft;
  if (state === 'kept' || state === 'unsaved') return <p class="hint kept">{text[state]}</p>;
  const isConflict = state === 'conflict';
  const problem = problemText({ said: undefined, codes: [code], value: '' });
  return (
    <Notice
      kind={isConflict ? 'warning' : 'error'}
      title={isConflict ? text.conflict(by ?? text.somebody, momentOf(at)) : text.failed}
    >
      <p>{isConflict ? text.conflictHint : problem}</p>
      <div class="actions">
        {isConflict && <Button text={text.takeTheirs} onClick={() => task.run(takeTheirs)} />}
        <Button
          text={isConflict ? text.keepMine : text.tryAgain}
          onClick={() => task.run(() => call(isConflict ? 'keepMine' : 'flushDraft'))}
        />
      </div>
      <Doing task={task} />
    </Notice>
  );
}

/** Who changed a draft last. */
export const whoOf = ({ by }: ShownDraft): string => by ?? TEXT.draft.somebody;
const namesOf = ({ files }: ShownDraft): string => files.map(({ name }) => name).join(', ');

/** The draft that is gone on with: the file itself is on the computer of a person, and nowhere else. */
export function WantedDraft() {
  const { wanted: draft, opened } = useStore();
  if (draft === undefined || opened !== undefined) return <p class="hint">{FILE.intro}</p>;
  const { title, at, run_id, isImported, proposedBy } = draft;
  if (isImported)
    return (
      <Notice kind="note" title={FILE.imported(title)}>
        <a href={runHref(run_id)}>{TEXT.result.run}</a>
      </Notice>
    );
  return (
    <Notice kind="note" title={FILE.draftOf(title, whoOf(draft), momentOf(at))}>
      {proposedBy !== undefined && <p>{FILE.proposes(shown(proposedBy))}</p>}
      <p>{FILE.chooseAgain(shown(namesOf(draft)))}</p>
      <Button text={FILE.begin} kind="plain" onClick={() => void newMigration()} />
    </Notice>
  );
}

/** Other files than those of the draft, or files that a draft is there of already. */
export function EarlierDraft({ task }: { readonly task: Task }) {
  const { files, opened, wanted, offers } = useStore();
  const begin = (): void => task.run(() => newMigration().then(() => openFiles(files, {})));
  const goOn = (run_id: string): void => task.run(() => openDraft(run_id).then(() => openFiles(files, {})));
  const { same } = offers ?? {};
  return (
    <>
      {opened?.isOther === true && wanted !== undefined && (
        <Notice kind="warning" title={FILE.other(namesOf(wanted))}>
          <p>{FILE.otherHint}</p>
          <Button text={FILE.begin} onClick={begin} />
        </Notice>
      )}
      {same !== undefined && (
        <Notice kind="note" title={FILE.same(same.title, whoOf(same), momentOf(same.at))}>
          <Button text={FILE.goOn} onClick={() => goOn(same.run_id)} />
        </Notice>
      )}
    </>
  );
}
