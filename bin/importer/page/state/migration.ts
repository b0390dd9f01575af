/** The migration that this tab works on: its files, and its draft on the service. */
import type { ReadingOptions } from '../worker/files.ts';
import { go, nameRun } from './address.ts';
import { call, current, NO_FINDINGS, UNCHECKED, update } from './store.ts';

/** The draft that is being opened: files that are chosen meanwhile wait for it. */
let opening = Promise.resolve();

/** Reads files as they are, or in another way. Of known files, what was decided of them is there again. */
export async function openFiles(chosen: readonly File[], options: ReadingOptions): Promise<void> {
  await opening.catch(() => {});
  update({ ...NO_FINDINGS, files: chosen, reading: options, meters: {} });
  const found = await call('openFiles', chosen, options);
  update({ opened: found, reading: found.reading });
  if (found.isKnown || (current().draft !== undefined && !found.isOther)) return;
  // Without them the files can be worked on all the same.
  void call('offers').then(
    (offers) => current().opened === found && update({ offers }),
    () => {},
  );
}

/** Opens Review, or Import if nothing needs a review. */
export async function startReview(): Promise<void> {
  const { opened } = current();
  if (opened === undefined) return;
  const { isKnown, mapping, review, kept } = await call('startReview');
  update({ mapping, ...kept, opened: { ...opened, isKnown }, ...review, ...UNCHECKED });
  go(isKnown ? 'import' : 'review');
}

/** Opens a draft from any machine: its files are chosen again. */
export function openDraft(run_id: string): Promise<void> {
  opening = call('openDraft', run_id).then((wanted) => update({ ...NO_FINDINGS, files: [], wanted }));
  return opening;
}

/** Continues with the decisions that another person has saved meanwhile. */
export async function takeTheirs(): Promise<void> {
  const { draft, files } = current();
  if (draft === undefined) return;
  await openDraft(draft.run_id);
  await openFiles(files, {});
  await startReview();
}

/** A new one, of no file. */
export async function newMigration(): Promise<void> {
  await call('closeDraft');
  update({ ...NO_FINDINGS, files: [], wanted: undefined });
  nameRun(undefined);
  go('file');
}

/** What the service does not have yet is lost with the tab. */
addEventListener('beforeunload', (event) => {
  if ((current().draft?.state ?? 'kept') !== 'kept') event.preventDefault();
});
